// SPDX-License-Identifier: Apache-2.0
#include "fabric/region.h"

#include <cerrno>
#include <string>
#include <utility>

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

int flagsFor(uint8_t access) {
  int flags = 0;
  if ((access & kRemoteGet) != 0) flags |= IBV_ACCESS_REMOTE_READ;
  if ((access & kRemotePut) != 0) flags |= IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
  if ((access & kRemoteAtomic) != 0) flags |= IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_LOCAL_WRITE;
  return flags;
}

Error notShared(uint64_t offset, uint64_t length, uint64_t bytes, uint8_t access) {
  return {"share " + std::to_string(length) + " bytes from " + std::to_string(offset) + " on", "",
          EINVAL,
          "the region has " + std::to_string(bytes) + " bytes, and access " +
              std::to_string(access) + " must be one of 1 to " + std::to_string(kAllAccess) +
              ": get 1, put 2, atomics 4, and their sums"};
}

}  // namespace

Region::Region(std::shared_ptr<const Domain> domain, const Owner& owner,
               std::optional<verbs::ShareableMemory> memory, std::span<std::byte> bytes,
               verbs::MemoryRegion local)
    : domain_(std::move(domain)),
      owner_(owner),
      memory_(std::move(memory)),
      bytes_(bytes),
      local_(std::move(local)) {}

Result<std::shared_ptr<Region>> Region::make(std::shared_ptr<const Domain> domain,
                                             const Owner& owner,
                                             std::optional<verbs::ShareableMemory> memory,
                                             std::span<std::byte> bytes) {
  Result<verbs::MemoryRegion> local =
      verbs::MemoryRegion::registerRange(domain->pd, bytes, IBV_ACCESS_LOCAL_WRITE);
  if (!local) return local.error();
  return std::shared_ptr<Region>(
      new Region(std::move(domain), owner, std::move(memory), bytes, std::move(*local)));
}

Result<std::shared_ptr<Region>> Region::allocate(std::shared_ptr<const Domain> domain,
                                                 const Owner& owner, size_t bytes) {
  Result<verbs::ShareableMemory> memory = verbs::ShareableMemory::allocate(domain->context, bytes);
  if (!memory) return memory.error();
  std::span<std::byte> all = memory->bytes();
  return make(std::move(domain), owner, std::move(*memory), all);
}

Result<std::shared_ptr<Region>> Region::registerForeign(std::shared_ptr<const Domain> domain,
                                                        const Owner& owner,
                                                        std::span<std::byte> memory) {
  return make(std::move(domain), owner, std::nullopt, memory);
}

Result<RegionKey> Region::share(uint64_t offset, uint64_t length, uint8_t access) {
  bool fits = offset <= bytes_.size() && length <= bytes_.size() - offset;
  if (!fits || length == 0 || access == 0 || (access & ~kAllAccess) != 0) {
    return notShared(offset, length, bytes_.size(), access);
  }
  if ((access & kRemoteAtomic) != 0 && !domain_->hasAtomics()) {
    return Error{"share memory for atomics", domain_->context.name(), ENOTSUP,
                 "the device has none"};
  }
  Result<verbs::MemoryRegion> shared = verbs::MemoryRegion::registerRange(
      domain_->pd, bytes_.subspan(offset, length), flagsFor(access));
  if (!shared) return shared.error();
  RegionKey key{.access = access,
                .owner = owner_.node,
                .incarnation = owner_.incarnation,
                .address = shared->address(),
                .length = length,
                .rkey = shared->rkey()};
  std::lock_guard guard(lock_);
  shares_.emplace(key.rkey, Share{std::move(*shared)});
  return key;
}

Result<void> Region::revoke(const RegionKey& key) {
  Share* share = nullptr;
  {
    std::lock_guard guard(lock_);
    auto found = shares_.find(key.rkey);
    if (found == shares_.end() || found->second.registration.address() != key.address) {
      return Error{"revoke a key", "", ENOENT, "it is none of this region, or was revoked before"};
    }
    share = &found->second;
    if (std::exchange(share->ending, true)) {
      return Error{"revoke a key", "", EBUSY, "another thread is at it"};
    }
  }
  Result<void> gone = share->registration.deregister();  // without the lock: it may wait for a peer
  std::lock_guard guard(lock_);
  share->ending = false;
  if (gone) shares_.erase(key.rkey);
  return gone;
}

}  // namespace verbena::fabric
