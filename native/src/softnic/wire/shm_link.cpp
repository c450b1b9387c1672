// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/shm_link.h"

#include <unistd.h>

#include <cerrno>

#include "host/futex.h"

namespace verbena::softnic {
namespace {

/// Backed as far as it is used at first, or all of it where that is not to be had later.
host::SharedFile createRing(const std::string& path) {
  if (!host::SharedFile::canPopulate()) {
    return host::SharedFile::create(path, sizeof(RingMemory), true);
  }
  host::SharedFile file = host::SharedFile::create(path, sizeof(RingMemory), false);
  if (!file || file.back(0, offsetof(RingMemory, data) + kFirstRingBytes)) return file;
  int reason = errno;
  unlink(path.c_str());
  errno = reason;
  return {};
}

}  // namespace

std::unique_ptr<ShmLink> ShmLink::open(const Folder& folder, PortMemory& own, uint32_t slot,
                                       host::SharedFile port) {
  std::unique_ptr<ShmLink> link(new ShmLink(folder, own, slot, std::move(port)));
  if (!link->createOutbound()) return nullptr;
  return link;
}

ShmLink::ShmLink(const Folder& folder, PortMemory& own, uint32_t slot, host::SharedFile port)
    : folder_(folder),
      own_(own),
      slot_(slot),
      incarnation_(port.as<PortMemory>()->incarnation),
      window_(folder, std::move(port)) {
  direct = &window_;
  peerGid = own.gids[0];
}

ShmLink::~ShmLink() {
  if (!outbound_) return;  // it has never been one: somebody may try again
  uint64_t shown = incarnation_;
  unlink(outboundPath_.c_str());
  // relaxed: pairs with nothing. It takes back a word and shows nothing else; the exchange alone
  // keeps what another life of the peer may be storing.
  own_.inbound[slot_].compare_exchange_strong(shown, 0, std::memory_order_relaxed);
}

bool ShmLink::createOutbound() {
  outboundPath_ = folder_.ringPath(own_.slot, own_.incarnation, slot_, incarnation_);
  outbound_ = createRing(outboundPath_);
  if (!outbound_) return false;
  outbound_.closeDescriptor();
  auto* ring = outbound_.as<RingMemory>();
  ring->magic = kRingMagic;
  ring->writerIncarnation = own_.incarnation;
  out = RingWriter(outbound_);
  PortMemory& peer = *window_.port();
  // release pairs with the acquire in openInbound(): the ring is there when its owner is seen
  peer.inbound[own_.slot].store(own_.incarnation, std::memory_order_release);
  peer.inboundChanges.fetch_add(1, std::memory_order_release);  // pairs with Links::someShown()
  ringBell();
  return true;
}

bool ShmLink::openInbound() {
  if (state != LinkState::Opening) return true;
  // acquire pairs with the release in createOutbound()
  if (own_.inbound[slot_].load(std::memory_order_acquire) != incarnation_) return true;
  std::string path = folder_.ringPath(slot_, incarnation_, own_.slot, own_.incarnation);
  inbound_ = host::SharedFile::open(path, sizeof(RingMemory));
  if (!inbound_) {
    int reason = errno;
    if (reason == ENOENT) loseInbound();
    return !base::isExhausted(reason);
  }
  unlink(path.c_str());  // both have it now
  inbound_.closeDescriptor();
  auto* ring = inbound_.as<RingMemory>();
  if (ring->magic != kRingMagic || ring->writerIncarnation != incarnation_) return true;
  in = RingReader(ring, RingPlaces::first());
  state = LinkState::Open;
  return true;
}

/// Somebody has removed the ring's name: the peer is not to wait for ever for who cannot read it.
void ShmLink::loseInbound() {
  uint64_t shown = incarnation_;
  // relaxed: pairs with nothing, it shows nothing else
  own_.inbound[slot_].compare_exchange_strong(shown, kLostRing, std::memory_order_relaxed);
  state = LinkState::Dead;
}

bool ShmLink::peerGone() {
  const std::atomic<uint64_t>& shown = window_.port()->inbound[own_.slot];
  return !canSend() || window_.ownerGone() || shown.load(std::memory_order_relaxed) == kLostRing;
}

void ShmLink::publish() {
  if (out.publish()) ringBell();
}

void ShmLink::release() {
  if (in.release()) ringBell();
}

void ShmLink::remind() {
  if (out.unread()) ringBell();
}

/// No fence stands between publishing and looking at `asleep`, so a peer that falls asleep at this
/// very moment may be missed. That costs one tick and not the message: as long as anything we have
/// published is unread our own service keeps ticking, and each tick reminds the peer.
void ShmLink::ringBell() {
  PortMemory& peer = *window_.port();
  if (peer.asleep.load(std::memory_order_relaxed) == 0) return;
  if (peer.asleep.exchange(0, std::memory_order_relaxed) == 0) return;
  // release pairs with the acquire in Service::serve(): what was published is seen after waking
  peer.doorbell.fetch_add(1, std::memory_order_release);
  host::futexWake(peer.doorbell);
}

}  // namespace verbena::softnic
