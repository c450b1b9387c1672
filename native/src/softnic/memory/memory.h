// SPDX-License-Identifier: Apache-2.0
//
// Memory regions: keys, access rights and bounds.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/shared_file.h"
#include "softnic/memory/key_tags.h"
#include "softnic/memory/port_memory.h"
#include "softnic/memory/segments.h"

namespace verbena::softnic {

struct ProtectionDomain : ibv_pd {
  std::atomic<uint32_t> users{
      0};  // regions, queues and address handles that keep it from being freed
};

struct MemoryRegion : ibv_mr {
  uint32_t access = 0;
  uint32_t copies = 0;     // long copies (long_copy.h) that use it right now, without the lock
  bool straggler = false;  // a peer may still be writing to it that nobody waits for any more
};

/// A check of a memory access: where it goes, or null if it is not allowed.
struct RegionCheck {
  uint32_t key;
  uint32_t pd;
  uint64_t address;
  uint64_t lengthBytes;
  uint32_t access;  // each of these flags must be granted
};

/// The regions of one port, and their published copies.
class RegionTable {
 public:
  /// Null and errno on failure.
  MemoryRegion* add(ProtectionDomain& pd, void* address, size_t length, uint32_t access,
                    const Segments& segments, host::SharedFile& portFile);
  /// A region of another port of the device, in the same place and with the same keys. False and
  /// errno on failure.
  bool addAs(const MemoryRegion& other, const Segments& segments, host::SharedFile& portFile);
  /// Makes the region's key invalid, here and for peers; who is in the middle of an operation goes
  /// on with it. May be repeated.
  void revoke(MemoryRegion& region, PortMemory& port);
  /// Forgets a region that was revoked and that nobody uses any more.
  void remove(const MemoryRegion& region);
  /// As remove(), of what addAs() has made: its place is not this table's to give away.
  void removeAs(const MemoryRegion& other);
  /// The region with this remote key, revoked ones among them; null if there is none.
  MemoryRegion* withKey(uint32_t rkey) const {
    uint32_t index = regionIndexOf(rkey);
    MemoryRegion* region = index < regions_.size() ? regions_[index] : nullptr;
    return region != nullptr && region->rkey == rkey ? region : nullptr;
  }
  /// Tells peers that the region, which keeps its key, is nothing they can map any more.
  static void unmap(const MemoryRegion& region, PortMemory& port);
  /// Calls use(region) for each.
  template <typename Use>
  void forEach(Use use) const {
    for (MemoryRegion* region : regions_) {
      if (region != nullptr) use(*region);
    }
  }
  /// Where the checked access may go, or null.
  std::byte* resolve(const RegionCheck& check) const {
    const MemoryRegion* region = find(check);
    return region == nullptr ? nullptr : reinterpret_cast<std::byte*>(check.address);
  }
  /// The region in which the checked access lies, or null if it is not allowed.
  MemoryRegion* find(const RegionCheck& check) const {
    uint32_t index = regionIndexOf(check.key);
    if (index >= regions_.size()) return nullptr;
    MemoryRegion* region = regions_[index];
    if (region == nullptr || region->lkey != check.key || region->pd->handle != check.pd) {
      return nullptr;
    }
    if ((region->access & check.access) != check.access) return nullptr;
    uint64_t start = reinterpret_cast<uint64_t>(region->addr);
    uint64_t offset = check.address - start;  // wraps to something huge if before the start
    if (offset > region->length || check.lengthBytes > region->length - offset) return nullptr;
    return region;
  }
  size_t count() const { return count_; }

 private:
  /// While there are others, an index rests until so many have been given back after it.
  static constexpr size_t kResting = 64;

  uint32_t takeIndex();
  uint32_t newKey(uint32_t index);

  std::vector<MemoryRegion*> regions_;
  std::vector<uint32_t> uses_;         // by index: how many regions it has had
  std::vector<uint32_t> freeIndices_;  // the one that has rested longest is the last
  KeyTags tags_;
  size_t count_ = 0;
};

/// Whether every page of the range is mapped. Registration fails otherwise, as in the kernel.
bool isMapped(const void* address, size_t length);

}  // namespace verbena::softnic
