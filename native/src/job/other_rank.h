// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "job/networked_rank.h"
#include "job/own_table.h"
#include "job/sockets.h"

namespace verbena::job {

/// A rank of a job that has no agents, other than rank 0: tells that one its address, and hears of
/// the others there.
class OtherRank final : public NetworkedRank {
 public:
  /// Waits for rank 0 as long as ranks wait while they start.
  static base::Result<std::unique_ptr<OtherRank>> join(const Party& party, const HostPort& first);
  ~OtherRank() override { leave(); }

  const Table& table() const override { return table_.table(); }

 private:
  OtherRank(const Party& party, Stream stream);
  void watch(Poll& poll) override;
  void publishNow(std::span<const std::byte> address) override;
  void beginToLeave() override;
  bool hasLeft() const override;
  bool isCutOff() const override { return !stream_.isOpen(); }

  void takeFrames();
  bool handle(const Frame& frame);
  void sayWhetherAllIsKnown();
  void end(const End& end);

  Stream stream_;
  OwnTable table_;
  bool saidThatAllIsKnown_ = false;
  uint64_t leavesAtNs_ = UINT64_MAX;
};

}  // namespace verbena::job
