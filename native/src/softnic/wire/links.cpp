// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/links.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "softnic/device/context.h"
#include "softnic/wire/shm_link.h"

namespace verbena::softnic {

std::shared_ptr<Link> Links::to(const ibv_gid& gid, uint32_t qpn) {
  uint32_t slot = slotOf(qpn);
  if (std::memcmp(&gid, &context_.port().gids[0], sizeof gid) == 0) return toPortOfFolder(slot);
  errno = ENETUNREACH;
  if (context_.tcp == nullptr) return nullptr;
  std::shared_ptr<Link> link = context_.tcp->linkTo(gid, slot);
  // There is a way, whatever the network says now: sending finds out, as on every fabric.
  if (link == nullptr && errno == ENETUNREACH) errno = EHOSTUNREACH;
  return link;
}

/// Of a folder that was emptied: ports which have a link already need none of its files.
std::shared_ptr<Link> Links::toPortOfFolder(uint32_t slot) {
  host::SharedFile port = openPort(slot);
  if (port) return toPort(std::move(port), slot);
  int reason = errno;
  std::shared_ptr<Link> known = reason == ESTALE ? findLiving(slot) : nullptr;
  errno = reason;
  return known;
}

/// The port that has the slot now, if it is one of those that ours shares the folder with.
host::SharedFile Links::openPort(uint32_t slot) const {
  const ibv_gid& ours = context_.port().gids[0];
  auto isOurs = [&](const ibv_gid& gid) { return std::memcmp(&gid, &ours, sizeof ours) == 0; };
  host::SharedFile port = context_.folder->openPort(slot);
  if (port && isOurs(port.as<PortMemory>()->gids[0])) return port;
  if (port || (!base::isExhausted(errno) && !isOurs(context_.folder->gid()))) errno = ESTALE;
  return {};
}

std::shared_ptr<Link> Links::toPort(host::SharedFile port, uint32_t slot) {
  if (auto found = find(slot, port.as<PortMemory>()->incarnation)) return found;
  reap();
  std::shared_ptr<ShmLink> link =
      ShmLink::open(*context_.folder, context_.port(), slot, std::move(port));
  if (link == nullptr) return nullptr;
  add(link);
  if (!link->openInbound()) tryAgain();
  return link;
}

std::shared_ptr<Link> Links::toNobody() {
  if (deadLink_ == nullptr) {
    deadLink_ = std::make_shared<DeadLink>();
    add(deadLink_);
  }
  return deadLink_;
}

std::shared_ptr<ShmLink> Links::find(uint32_t slot, uint64_t incarnation) const {
  for (const std::shared_ptr<Link>& link : links_) {
    auto* shm = dynamic_cast<ShmLink*>(link.get());
    if (shm == nullptr || shm->slot() != slot || shm->incarnation() != incarnation) continue;
    return std::static_pointer_cast<ShmLink>(link);
  }
  return nullptr;
}

std::shared_ptr<ShmLink> Links::findLiving(uint32_t slot) const {
  for (const std::shared_ptr<Link>& link : links_) {
    auto* shm = dynamic_cast<ShmLink*>(link.get());
    if (shm == nullptr || shm->slot() != slot || shm->ended() || shm->peerGone()) continue;
    return std::static_pointer_cast<ShmLink>(link);
  }
  return nullptr;
}

bool Links::someShown() const {
  // acquire pairs with the release in ShmLink::createOutbound()
  return context_.port().inboundChanges.load(std::memory_order_acquire) != changesSeen_;
}

void Links::accept() {
  PortMemory& port = context_.port();
  // acquire pairs with the release in ShmLink::createOutbound()
  changesSeen_ = port.inboundChanges.load(std::memory_order_acquire);
  someNotOpened_ = false;
  for (uint32_t slot = 0; slot < kSlots; slot++) {
    uint64_t incarnation = port.inbound[slot].load(std::memory_order_acquire);
    if (incarnation == 0) continue;
    if (auto link = find(slot, incarnation)) {
      if (!link->openInbound()) tryAgain();
      continue;
    }
    host::SharedFile peer = openPort(slot);
    // Or the peer's port has lost its name, and somebody else has the slot.
    bool isSomebodyElse = peer && peer.as<PortMemory>()->incarnation != incarnation;
    if (isSomebodyElse) continue;
    bool isLinked = peer && toPort(std::move(peer), slot) != nullptr;
    if (!isLinked && base::isExhausted(errno)) tryAgain();
  }
}

void Links::tryAgain() {
  someNotOpened_ = true;
  context_.service.attend();
}

bool Links::haveArrivals() const {
  auto unread = [](const std::shared_ptr<Link>& link) {
    return link->canReceive() && !link->in.empty();
  };
  return someShown() || std::any_of(links_.begin(), links_.end(), unread);
}

bool Links::waitForPeers() const {
  auto waits = [](const std::shared_ptr<Link>& link) {
    return !link->pending.empty() || (link->canSend() && (link->used || link->outputWaits()));
  };
  return std::any_of(links_.begin(), links_.end(), waits);
}

void Links::remindPeers() {
  for (const std::shared_ptr<Link>& link : links_) {
    bool used = std::exchange(link->used, false);
    if (!link->canSend() || (!used && !link->outputWaits())) continue;
    if (link->peerGone()) {
      link->peerLeft();
    } else {
      link->remind();
    }
  }
  reap();
}

/// Where a slot has had several owners, none of them runs: a mark says the slot alone.
bool Links::portEnded(uint32_t slot) const {
  bool known = false;
  for (const std::shared_ptr<Link>& link : links_) {
    auto* shm = dynamic_cast<ShmLink*>(link.get());
    if (shm == nullptr || shm->slot() != slot) continue;
    if (!shm->direct->ownerEnded()) return false;
    known = true;
  }
  return known || (!context_.folder->openPort(slot) && !base::isExhausted(errno));
}

void Links::tellFreed() const {
  // Pairs with the seq_cst store to `asleep` in Service::serve(): either we see that the peer
  // sleeps, or it sees what was freed.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (const std::shared_ptr<Link>& link : links_) link->wakePeer();
}

bool Links::someFreed() const {
  return std::any_of(links_.begin(), links_.end(), [](const std::shared_ptr<Link>& link) {
    return link->direct != nullptr && link->direct->someFreed();
  });
}

void Links::dropFreed() {
  for (const std::shared_ptr<Link>& link : links_) {
    if (link->direct != nullptr && link->direct->someFreed()) link->direct->dropFreed();
  }
}

void Links::reap() {
  std::erase_if(links_, [](const std::shared_ptr<Link>& link) {
    bool used = link.use_count() > 1;
    // In this order: a peer that is gone writes nothing behind our look.
    return !used && link->ended() && (!link->canReceive() || link->in.empty());
  });
}

}  // namespace verbena::softnic
