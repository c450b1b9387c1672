// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "job/announcements.h"
#include "job/networked_rank.h"
#include "job/sockets.h"
#include "job/stranger.h"

namespace verbena::job {

/// Rank 0 of a job that has no agents: the others come to it, and it passes on what each tells.
class FirstRank final : public NetworkedRank {
 public:
  static base::Result<std::unique_ptr<FirstRank>> listen(const Party& party, const HostPort& at);
  /// Stays until all have come, and know each other or are gone, at most as long as ranks wait
  /// while they start.
  ~FirstRank() override;
  /// Nobody comes any more: it does not stay.
  void abandon() { isAbandoned_ = true; }

  uint16_t port() const { return port_; }
  const Table& table() const override { return announcements_.table(); }

 private:
  /// A rank that has proved itself. Until it says something it may not have heard the answer: then
  /// it comes again, within a while after its connection has ended.
  struct Guest {
    Stream stream;
    Hello hello;
    bool isHeard = false;
    bool knowsAll = false;
    uint64_t awaitedUntilNs = 0;
  };

  FirstRank(Party party, base::FileDescriptor listener);
  void watch(Poll& poll) override;
  void publishNow(std::span<const std::byte> address) override;
  void beginToLeave() override;
  bool hasLeft() const override;
  bool isCutOff() const override { return false; }

  void accept();
  void leaveOneOut();
  void watchStrangers(Poll& poll);
  void hear(Stranger& stranger);
  bool isTaken(const Hello& hello) const;
  void welcome(Stranger& stranger);
  void takeFrames(uint32_t rank, Guest& guest);
  bool handle(uint32_t rank, Guest& guest, const Frame& frame);
  void takeLeaveOf(uint32_t rank, Guest& guest);
  void removeWhoIsGone();
  bool anyIsMissing() const;

  const Proofs proofs_;
  const base::FileDescriptor listener_;
  const uint16_t port_;
  Announcements announcements_;
  std::deque<Stranger> strangers_;
  std::map<uint32_t, Guest> guests_;
  std::vector<bool> hasBeenHere_;
  uint64_t listensFromNs_ = 0;
  uint64_t lookedAtNs_ = 0;  ///< when it was last looked who is gone, and nobody was being heard
  uint64_t leavesAtNs_ = UINT64_MAX;
  std::atomic<bool> isAbandoned_{false};
};

}  // namespace verbena::job
