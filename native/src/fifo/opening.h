// SPDX-License-Identifier: Apache-2.0
//
// A writer that is being opened: until its reader is there, as long as the reader's node is. For a
// thread that has other things to do meanwhile, and for one that waits.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "base/result.h"
#include "connect/link.h"
#include "connect/manager.h"
#include "fifo/channels.h"
#include "fifo/writer.h"

namespace verbena::fifo {

/// One thread. Goes before the node. One that goes before it has come to its end gives up: its
/// number is free again, and a link that comes up all the same is closed.
class Opening {
 public:
  ~Opening();

  /// Waits for at most so long. Nothing: it goes on, so call it again, soon or when the worker's
  /// wait has ended. A writer or an error is its last word: throws std::logic_error behind it.
  /// Makes rounds.
  std::optional<base::Result<std::unique_ptr<Writer>>> step(std::chrono::nanoseconds most);
  base::Result<std::unique_ptr<Writer>> await();

 private:
  friend class Channels;

  Opening(Channels& all, connect::NodeId reader, uint16_t number, std::chrono::nanoseconds timeout);
  /// How it comes to an end.
  std::optional<base::Result<void>> link(std::chrono::nanoseconds most);
  std::optional<base::Result<void>> afterRefusal(const base::Error& refusal);
  bool formerIsUsed(connect::LinkId former) const;
  base::Error inUse() const;
  void leave();

  Channels& all_;
  const connect::NodeId reader_;
  const connect::LinkName name_;
  const Channels::Clock::time_point deadline_;
  std::unique_ptr<Writer> writer_;
  std::optional<connect::Manager::Dial> dial_;
  std::optional<base::Error> refused_;
  bool isOver_ = false;
  Channels::Clock::time_point next_{};  // look or dial
  std::chrono::milliseconds pause_{1};  // behind the next refusal
};

}  // namespace verbena::fifo
