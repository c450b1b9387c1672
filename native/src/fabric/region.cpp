// SPDX-License-Identifier: Apache-2.0
#include "fabric/region.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "base/survive.h"

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

static_assert(uint8_t{kRemoteGet} == uint8_t{host::kMayRead} &&
              uint8_t{kRemotePut} == uint8_t{host::kMayWrite} &&
              uint8_t{kRemoteAtomic} == uint8_t{host::kMayDoAtomics});

int flagsFor(uint8_t access) {
  int flags = 0;
  if ((access & kRemoteGet) != 0) flags |= IBV_ACCESS_REMOTE_READ;
  if ((access & kRemotePut) != 0) flags |= IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
  if ((access & kRemoteAtomic) != 0) flags |= IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_LOCAL_WRITE;
  return flags;
}

Error notShared(uint64_t offset, uint64_t length, const std::string& why) {
  return {"share " + std::to_string(length) + " bytes from " + std::to_string(offset) + " on", "",
          EINVAL, why};
}

/// What none has, whatever the device.
Result<void> checkBytes(const char* operation, size_t bytes) {
  constexpr size_t kMost = PTRDIFF_MAX;
  if (bytes != 0 && bytes <= kMost) return {};
  return Error{std::string(operation) + " a region of " + std::to_string(bytes) + " bytes", "",
               EINVAL, "it has at least 1 byte and at most " + std::to_string(kMost)};
}

/// The caller's own memory may be anything.
Error notRegistered(Error why, std::span<std::byte> memory) {
  if (why.code == EFAULT && why.advice.empty()) {
    char from[32];
    std::snprintf(from, sizeof from, "%p", static_cast<void*>(memory.data()));
    why.advice = std::string("not all of it, from ") + from +
                 " on, can be read and written; register what is mapped, and stays so until the "
                 "region is freed";
  }
  return why;
}

bool shareAPage(std::span<const std::byte> one, std::span<const std::byte> other) {
  auto page = [](const std::byte* at) {
    static const auto bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    return reinterpret_cast<uintptr_t>(at) / bytes;
  };
  return page(&one.front()) <= page(&other.back()) && page(&other.front()) <= page(&one.back());
}

}  // namespace

Region::Region(std::shared_ptr<const Domain> domain, const Owner& owner, Lends lends,
               KeptMemory memory, verbs::MemoryRegion local)
    : domain_(std::move(domain)),
      owner_(owner),
      lender_(lends == Lends::yes ? domain_->lending().lender() : nullptr),
      memory_(std::move(memory)),
      local_(std::move(local)),
      lkey_(local_.lkey()) {
  if (knowsPages()) host::SegmentTable::ofProcess().join(*this);
}

/// What is lent is back before it goes. The caller's own memory stays, so whoever is left behind
/// must not write to it (registered memory may be a part of an allocated region).
Region::~Region() {
  if (lender_ == nullptr) return;
  if (knowsPages()) host::SegmentTable::ofProcess().leave(*this);
  bool stays = memory_.keeper == nullptr;
  for (const auto& [key, share] : shares_) {
    if (!share.isLent) continue;
    if (!stays || lender_->takeBack(key).code != 0) lender_->end(key);
  }
}

Result<std::shared_ptr<Region>> Region::make(std::shared_ptr<const Domain> domain,
                                             const Owner& owner, Lends lends, KeptMemory memory) {
  Result<verbs::MemoryRegion> local =
      verbs::MemoryRegion::registerRange(domain->pd, memory.bytes, IBV_ACCESS_LOCAL_WRITE);
  if (!local) return local.error();
  return std::shared_ptr<Region>(
      new Region(std::move(domain), owner, lends, std::move(memory), std::move(*local)));
}

Result<std::shared_ptr<Region>> Region::allocate(std::shared_ptr<const Domain> domain,
                                                 const Owner& owner, size_t bytes, Lends lends) {
  if (auto good = checkBytes("allocate", bytes); !good) return good.error();
  Lending& lending = domain->lending();
  Result<KeptMemory> memory =
      lends == Lends::yes ? lending.allocate(bytes) : lending.allocateUnlent(bytes);
  if (!memory) return memory.error();
  return make(std::move(domain), owner, lends, std::move(*memory));
}

Result<std::shared_ptr<Region>> Region::registerForeign(std::shared_ptr<const Domain> domain,
                                                        const Owner& owner,
                                                        std::span<std::byte> memory, Lends lends) {
  if (auto good = checkBytes("register", memory.size()); !good) return good.error();
  auto made = make(std::move(domain), owner, lends, {memory, nullptr});
  if (!made) return notRegistered(made.error(), memory);
  return made;
}

Result<RegionKey> Region::share(uint64_t offset, uint64_t length, uint32_t access) {
  size_t all = bytes().size();
  bool fits = offset <= all && length <= all - offset;
  if (!fits || length == 0) {
    return notShared(offset, length,
                     "it is to be at least 1 of the region's " + std::to_string(all) + " bytes");
  }
  if (access == 0 || (access & ~uint32_t{kAllAccess}) != 0) {
    return notShared(offset, length,
                     "access " + std::to_string(access) + " is none of 1 to " +
                         std::to_string(kAllAccess) + ": get 1, put 2, atomics 4, and their sums");
  }
  if ((access & kRemoteAtomic) != 0 && !domain_->hasAtomics()) {
    return Error{"share memory for atomics", domain_->context.name(), ENOTSUP,
                 "the device has none; share it for get 1 and put 2 alone"};
  }
  auto allowed = static_cast<uint8_t>(access);
  std::span<std::byte> part = bytes().subspan(offset, length);
  std::lock_guard guard(lock_);  // an adapter is told of pages that are not just being replaced
  Result<verbs::MemoryRegion> shared =
      verbs::MemoryRegion::registerRange(domain_->pd, part, flagsFor(allowed));
  if (!shared) return shared.error();
  RegionKey key{.access = allowed,
                .owner = owner_.node,
                .incarnation = owner_.incarnation,
                .address = shared->address(),
                .length = length,
                .rkey = shared->rkey()};
  auto [place, isNew] = shares_.try_emplace(key.rkey, Share{std::move(*shared), part});
  if (!isNew) {
    return Error{"share " + std::to_string(length) + " bytes", domain_->context.name(), EBUSY,
                 "a key of the same number has not been revoked to the end: revoke that again"};
  }
  key.lent = place->second.isLent = lend(key, part);
  return key;
}

/// Atomics of a word go one way for all. Where those of the device and of processors do not fit
/// together it is the device's, which every peer can take.
bool Region::lend(const RegionKey& key, std::span<const std::byte> part) const {
  if (lender_ == nullptr) return false;
  uint8_t access = key.access;
  if (!domain_->hasCoherentAtomics()) access &= static_cast<uint8_t>(~kRemoteAtomic);
  return lender_->lend(key.rkey, part, access);  // what is not goes by the device
}

Result<void> Region::revoke(const RegionKey& key) {
  Share* share = nullptr;
  {
    std::lock_guard guard(lock_);
    auto found = shares_.find(key.rkey);
    if (found == shares_.end() ||
        found->second.part.data() != reinterpret_cast<std::byte*>(key.address)) {
      return Error{"revoke a key", "", ENOENT, "it is none of this region, or was revoked before"};
    }
    share = &found->second;
    if (std::exchange(share->ending, true)) {
      return Error{"revoke a key", "", EBUSY, "another thread is at it"};
    }
  }
  Result<void> gone = takeBack(*share, key.rkey);  // without the lock: it may wait for a peer
  std::lock_guard guard(lock_);
  share->ending = false;
  if (gone) shares_.erase(key.rkey);
  return gone;
}

/// The device first: while pages are replaced nothing may reach the former ones by it.
Result<void> Region::takeBack(Share& share, uint32_t rkey) {
  domain_->wrongKeys->noteRevoked(std::chrono::steady_clock::now().time_since_epoch());
  Result<void> gone = share.registration.deregister();
  // Of what was not lent the number is free, and may be another's by now.
  auto back = share.isLent ? lender_->takeBack(rkey) : host::Lender::TakenBack{};
  if (back.code != 0) {
    return Error{"take back memory that peers have mapped", "", back.code,
                 "the key does not work any more, but a peer is still in the middle; try again"};
  }
  Result<void> known = renew();
  return gone ? known : gone;
}

// ------------------------------------------------------------------ pages that are replaced

/// What is under way with them fails, and its link with it: done, it would be in pages that nobody
/// looks at. What cannot be deregistered is dead all the same.
void Region::closePages(const host::Segment& segment, host::Extent pages) {
  std::span replaced(segment.start() + pages.begin, pages.end - pages.begin);
  std::lock_guard guard(lock_);
  if (!shareAPage(bytes(), replaced)) return;
  closeShares(replaced);
  static_cast<void>(local_.deregister());
  isStale_ = true;
}

/// What fails the next revoke() tells. What was registered meanwhile is of the former pages.
void Region::pagesTaken(const host::Segment& segment, host::Extent pages) {
  base::survive([&] {
    closePages(segment, pages);
    static_cast<void>(renew());
  });
}

/// Under the lock.
void Region::closeShares(std::span<const std::byte> replaced) {
  for (auto& [key, share] : shares_) {
    if (!share.ending && shareAPage(share.part, replaced)) {
      static_cast<void>(share.registration.deregister());
    }
  }
}

/// The adapter is told of the memory anew, if it knows nothing of it.
Result<void> Region::renew() {
  std::lock_guard guard(lock_);
  if (!isStale_) return {};
  Result<verbs::MemoryRegion> renewed =
      verbs::MemoryRegion::registerRange(domain_->pd, bytes(), IBV_ACCESS_LOCAL_WRITE);
  if (!renewed) return renewed.error();
  lkey_.store(renewed->lkey(), std::memory_order_relaxed);
  local_ = std::move(*renewed);
  isStale_ = false;
  return {};
}

}  // namespace verbena::fabric
