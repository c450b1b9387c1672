// SPDX-License-Identifier: Apache-2.0
//
// Copies between the local memory that scatter-gather lists name and a contiguous place. Keys,
// bounds and rights are checked with every copy, so memory that has been deregistered in the
// meantime is not touched.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "softnic/memory/memory.h"

namespace verbena::softnic {

struct LocalMemory {
  const RegionTable& regions;
  uint32_t pd;
  std::span<const ibv_sge> sges;
};

/// Calls use(region, bytes, count) for each piece of the list that lies within [offset, offset +
/// length). False if a piece is not allowed or the list is shorter.
template <typename Use>
bool forEachPiece(const LocalMemory& memory, uint32_t access, uint64_t offset, uint64_t length,
                  Use use) {
  for (const ibv_sge& sge : memory.sges) {
    if (length == 0) break;
    if (offset >= sge.length) {
      offset -= sge.length;
      continue;
    }
    uint64_t count = sge.length - offset;
    if (count > length) count = length;
    uint64_t address = sge.addr + offset;
    MemoryRegion* region = memory.regions.find({sge.lkey, memory.pd, address, count, access});
    if (region == nullptr) return false;
    use(*region, reinterpret_cast<std::byte*>(address), static_cast<size_t>(count));
    offset = 0;
    length -= count;
  }
  return length == 0;
}

inline bool gather(const LocalMemory& memory, uint64_t offset, std::byte* into, size_t length) {
  return forEachPiece(memory, 0, offset, length,
                      [&](MemoryRegion&, const std::byte* piece, size_t count) {
                        std::memcpy(into, piece, count);
                        into += count;
                      });
}

inline bool scatter(const LocalMemory& memory, uint64_t offset, const std::byte* from,
                    size_t length) {
  return forEachPiece(memory, IBV_ACCESS_LOCAL_WRITE, offset, length,
                      [&](MemoryRegion&, std::byte* piece, size_t count) {
                        std::memcpy(piece, from, count);
                        from += count;
                      });
}

/// Whether every entry of the list may be accessed so.
bool allowed(const LocalMemory& memory, uint32_t access);

inline uint64_t totalBytes(std::span<const ibv_sge> sges) {
  uint64_t total = 0;
  for (const ibv_sge& sge : sges) total += sge.length;
  return total;
}

}  // namespace verbena::softnic
