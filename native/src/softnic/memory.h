// SPDX-License-Identifier: Apache-2.0
//
// Memory regions: keys, access rights and bounds, and the shareable segments behind some of them.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "host/shared_file.h"
#include "softnic/folder.h"
#include "softnic/port_memory.h"

namespace verbena::softnic {

struct ProtectionDomain : ibv_pd {
  uint32_t users = 0;  // regions, queues and address handles that keep it from being freed
};

struct MemoryRegion : ibv_mr {
  uint32_t access = 0;
};

/// Memory that peers of this host can map.
class Segments {
 public:
  struct Segment {
    uint32_t id;  // from 1
    host::SharedFile file;
    std::string path;
  };
  /// The segment that holds all of a range, or null.
  const Segment* find(const void* address, size_t length) const;
  /// Null and errno on failure.
  void* allocate(const Folder& folder, uint64_t incarnation, size_t bytes);
  void free(void* memory);
  void freeAll();

 private:
  std::map<uintptr_t, Segment> byAddress_;
  uint32_t nextId_ = 1;
};

/// A check of a memory access: where it goes, or null if it is not allowed.
struct RegionCheck {
  uint32_t key;
  uint32_t pd;
  uint64_t address;
  uint64_t lengthBytes;
  uint32_t access;  // each of these flags must be granted
};

/// The regions of one context, and their published copies.
class RegionTable {
 public:
  /// Null and errno on failure.
  MemoryRegion* add(ProtectionDomain& pd, void* address, size_t length, uint32_t access,
                    const Segments& segments, host::SharedFile& portFile);
  /// Makes the region's key invalid, here and for peers. The caller then waits for peers that are
  /// in the middle of an operation, and deletes it.
  void remove(MemoryRegion& region, PortMemory& port);
  /// Where the checked access may go, or null.
  std::byte* resolve(const RegionCheck& check) const {
    uint32_t index = regionIndexOf(check.key);
    if (index >= regions_.size()) return nullptr;
    const MemoryRegion* region = regions_[index];
    if (region == nullptr || region->lkey != check.key || region->pd->handle != check.pd) {
      return nullptr;
    }
    if ((region->access & check.access) != check.access) return nullptr;
    uint64_t start = reinterpret_cast<uint64_t>(region->addr);
    uint64_t offset = check.address - start;  // wraps to something huge if before the start
    if (offset > region->length || check.lengthBytes > region->length - offset) return nullptr;
    return static_cast<std::byte*>(region->addr) + offset;
  }
  size_t count() const { return count_; }

 private:
  uint32_t takeIndex();

  std::vector<MemoryRegion*> regions_;
  std::vector<uint32_t> freeIndices_;
  size_t count_ = 0;
};

/// Whether every page of the range is mapped. Registration fails otherwise, as in the kernel.
bool isMapped(const void* address, size_t length);

/// The 8-byte operations of every path: atomic among all of them, in whatever process.
uint64_t executeFetchAdd(std::byte* target, uint64_t add);
uint64_t executeCompareSwap(std::byte* target, uint64_t compare, uint64_t swap);

}  // namespace verbena::softnic
