// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/tcp_link.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "verbs/wiring.h"

namespace verbena::softnic {
namespace {

/// The peer hears of so many bytes at once: often enough that its ring never stands full of bytes
/// that have arrived.
constexpr uint64_t kReportBytes = kRingCapacityBytes / 4;

/// What is worth a system call of its own, and a wake-up on the other side.
constexpr uint64_t kPartBytes = 64 * 1024;

}  // namespace

TcpLink::TcpLink(TcpTerms& terms, const ibv_gid& gid, uint32_t slot)
    : terms_(terms), slot_(slot), outbound_(terms, gid, slot) {
  peerGid = gid;
}

std::unique_ptr<TcpLink> TcpLink::dial(TcpTerms& terms, const ibv_gid& gid, uint32_t slot) {
  std::unique_ptr<TcpLink> link(new TcpLink(terms, gid, slot));
  if (!link->outbound_.begin(base::monotonicNs())) return nullptr;
  link->out = RingWriter(link->outbound_.ring());
  return link;
}

void TcpLink::accept(base::FileDescriptor socket, uint64_t incarnation) {
  inbound_ = std::move(socket);
  cutSinceNs_ = 0;
  reported_ = received_;
  proven_ = terms_.proofs.hasKey();
  outbound_.expect(incarnation);
  if (accepted()) return;
  inRing_ = std::make_unique<RingMemory>();
  in = RingReader(inRing_.get());
  state = LinkState::Open;
}

uint32_t TcpLink::hindrance() const {
  return outbound_.refusedByKey() ? verbs::kOtherClusterKey : 0;
}

void TcpLink::publish() {
  if (!canSend()) return;
  out.publish();
  outbound_.send();
}

void TcpLink::publishPart() {
  if (out.unpublished() >= kPartBytes) publish();
}

/// A socket that is closed over reports that nobody has read takes back what it has not sent.
void TcpLink::remind() {
  outbound_.hear();
  outbound_.send();
}

uint64_t TcpLink::room() const {
  if (!inRing_) return 0;
  return kRingCapacityBytes - (received_ - inRing_->head.load(std::memory_order_relaxed));
}

void TcpLink::receive() {
  if (outbound_.isFilling()) outbound_.hear();  // otherwise the service's thread does
  while (canReceive() && inbound_ && room() != 0) {
    uint64_t offset = received_ & (kRingCapacityBytes - 1);
    uint64_t count = std::min(room(), kRingCapacityBytes - offset);
    ssize_t got = receiveSome(inbound_, inRing_->data + offset, count);
    if (got < 0) return cutInbound();
    if (got == 0) break;
    received_ += static_cast<uint64_t>(got);
    if (!admit()) state = LinkState::Dead;
    if (static_cast<uint64_t>(got) < count) break;
  }
  if (received_ - reported_ >= kReportBytes) report();
}

/// Shows the reader what is complete. False if the bytes are not packets.
bool TcpLink::admit() {
  uint64_t tail = inRing_->tail.load(std::memory_order_relaxed);
  while (received_ - tail >= kPacketAlignment) {
    uint32_t sizeBytes;
    std::memcpy(&sizeBytes, inRing_->data + (tail & (kRingCapacityBytes - 1)), sizeof sizeBytes);
    // Padding at the end of the ring may be as long as the longest packet.
    if (sizeBytes < kPacketAlignment || sizeBytes > kMaxPacketBytes + kPacketAlignment)
      return false;
    if (received_ - tail < padded(sizeBytes)) break;
    tail += padded(sizeBytes);
  }
  inRing_->tail.store(tail, std::memory_order_relaxed);
  return true;
}

/// A peer that sends hears its reports, so there is always room for one: else it is none of ours.
void TcpLink::report() {
  if (!inbound_) return;
  Report report{received_};
  ssize_t sent = sendSome(inbound_, &report, sizeof report);
  if (sent != ssize_t{sizeof report}) return cutInbound();
  reported_ = received_;
}

/// Only what has been read counts as received: the peer sends the rest once more.
void TcpLink::cutInbound() {
  inbound_ = base::FileDescriptor();
  if (state != LinkState::Open) return;
  terms_.counts.cuts++;
  cutSinceNs_ = base::monotonicNs();
}

bool TcpLink::isRestless() const {
  if (state == LinkState::Ending) return true;
  return canSend() && (outbound_.isRestless() || cutSinceNs_ != 0);
}

void TcpLink::attend(uint64_t now) {
  if (canSend()) {
    outbound_.attend(now);
    bool waited = cutSinceNs_ != 0 && now > cutSinceNs_ && now - cutSinceNs_ >= terms_.downNs;
    if (outbound_.isOver() || waited) peerLeft();
  }
  if (state == LinkState::Ending && now >= endsAtNs_) state = LinkState::Dead;
}

/// Nothing more is sent, and the peer is told so on both connections: one that is a port of ours
/// dials again, is refused and ends its side as well.
void TcpLink::beginEnd() {
  outbound_.end();
  if (inbound_) shutdown(inbound_.get(), SHUT_WR);
  endsAtNs_ = base::monotonicNs() + uint64_t{kPeerSilentMs} * 1'000'000;
}

}  // namespace verbena::softnic
