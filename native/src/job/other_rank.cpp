// SPDX-License-Identifier: Apache-2.0
#include "job/other_rank.h"

#include <signal.h>

#include "base/clock.h"
#include "job/bytes.h"
#include "job/contract.h"
#include "job/dialling.h"

namespace verbena::job {
namespace {

/// How long what is said last may take to leave.
constexpr uint64_t kFarewellNs = 5'000'000'000;

}  // namespace

base::Result<std::unique_ptr<OtherRank>> OtherRank::join(const Party& party,
                                                         const HostPort& first) {
  auto stream = reachFirstRank(party, first);
  if (!stream) return stream.error();
  std::unique_ptr<OtherRank> rank(new OtherRank(party, std::move(*stream)));
  if (auto started = rank->start(); !started) return started.error();
  return rank;
}

OtherRank::OtherRank(const Party& party, Stream stream)
    : NetworkedRank(party), stream_(std::move(stream)), table_(party.size) {
  stream_.send(FrameKind::alive, party.rank, {});  // so rank 0 knows that its answer has come
}

void OtherRank::watch(Poll& poll) {
  stream_.watch(poll, [this] { takeFrames(); });
  if (leavesAtNs_ != UINT64_MAX) poll.until(leavesAtNs_);
}

void OtherRank::publishNow(std::span<const std::byte> address) {
  table_.table().publish(party().rank, address);
  stream_.send(FrameKind::published, party().rank, address);
  sayWhetherAllIsKnown();
}

void OtherRank::takeFrames() {
  while (std::optional<Frame> frame = stream_.next()) {
    if (handle(*frame)) continue;
    stream_.close();
    break;
  }
  sayWhetherAllIsKnown();
  // Whoever else ends now, nobody will tell.
  if (!stream_.isOpen()) end({0, SIGKILL});
}

/// False for what rank 0 does not say.
bool OtherRank::handle(const Frame& frame) {
  if (frame.rank >= party().size) return false;
  bool isAddress = frame.kind == FrameKind::published && frame.bytes.size() <= kMostBytes;
  if (isAddress) {
    table_.table().publish(frame.rank, frame.bytes);
  } else if (frame.kind == FrameKind::ended) {
    auto told = End::of(frame.rank, BytesIn(frame.bytes).number());
    if (!told) return false;
    end(*told);
  } else {
    return false;
  }
  return true;
}

void OtherRank::end(const End& end) {
  if (end.rank == 0) stream_.close();  // nobody passes anything on any more
  if (!table_.table().hasEnded(end.rank)) table_.table().end(end);
}

/// Rank 0 stays for as long as others have something to learn from it.
void OtherRank::sayWhetherAllIsKnown() {
  if (saidThatAllIsKnown_ || !table().isComplete()) return;
  saidThatAllIsKnown_ = true;
  stream_.send(FrameKind::done, party().rank, {});
}

void OtherRank::beginToLeave() {
  leavesAtNs_ = base::monotonicNs() + kFarewellNs;
  stream_.send(FrameKind::ended, party().rank, BytesOut().number(0).all());
  stream_.flush();
}

bool OtherRank::hasLeft() const {
  return !stream_.hasUnsent() || base::monotonicNs() >= leavesAtNs_;
}

}  // namespace verbena::job
