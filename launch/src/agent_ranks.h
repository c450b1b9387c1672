// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a host: their processes, their output, and the input of those that have one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "job/polling.h"
#include "job/table.h"
#include "orders.h"
#include "rank_process.h"

namespace verbena::launch {

class AgentRanks {
 public:
  struct Events {
    std::function<void(const job::End&)> ended;
    std::function<void(uint32_t rank, const NotStarted&)> failed;
    /// `stream`: 1 is standard output, 2 standard error.
    std::function<void(uint32_t rank, uint32_t stream, std::string_view lines)> output;
    /// By all that read.
    std::function<void(size_t bytes)> inputTaken;
  };

  /// `signals`: those that ranks are to have blocked.
  AgentRanks(Events events, const sigset_t& signals)
      : events_(std::move(events)), signals_(signals) {}

  /// `variables`: what all ranks have beside those of their commands.
  void start(const StartOrder& order, const std::vector<std::string>& variables);

  /// Watches output only if there is room for it.
  void watch(job::Poll& poll, bool hasRoom);
  /// Empty at the end of the input.
  void addInput(std::span<const std::byte> bytes);
  void signalAll(int number) const;

  /// Looks at who has ended.
  void reap();
  void noteEnd(pid_t pid, int status);
  /// A rank, or a process of its group that it has left behind.
  bool anyLives() const;

  /// Once nothing lives any more: passes on what is left in pipes while `hasRoom`. True when that
  /// is all.
  bool drain(const std::function<bool()>& hasRoom);

 private:
  void begin(RankProcess& rank);
  bool readOnce(RankProcess& rank, size_t output);
  void writeInput(RankProcess& rank);
  void forgetInput();
  Lines::Sink sinkOf(const RankProcess& rank, size_t output);

  const Events events_;
  const sigset_t signals_;
  const OpenFiles files_;
  std::vector<RankProcess> ranks_;
  std::vector<Command> commands_;
  std::vector<uint32_t> commandOf_;  ///< by place in ranks_
  size_t firstWatched_ = 0;
  bool showsPieces_ = false;  ///< of lines
  std::string input_;         ///< what not all have taken
  uint64_t forgotten_ = 0;    ///< so much was before it
  bool inputEnded_ = false;
};

}  // namespace verbena::launch
