// SPDX-License-Identifier: Apache-2.0
#include "fabric/place_index.h"

#include <bit>

namespace verbena::fabric {

/// Never more than a quarter full: searches are short, and end.
PlaceIndex::PlaceIndex(uint32_t places)
    : entries_(std::bit_ceil(uint64_t{places} * 4)), homes_(entries_.size()) {}

size_t PlaceIndex::first(uint64_t key) const {
  uint64_t mixed = key * 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio
  return (mixed >> 32) & (entries_.size() - 1);
}

void PlaceIndex::set(size_t at, uint32_t entry, size_t home) {
  homes_[at] = home;
  entries_[at].store(entry, std::memory_order_release);  // pairs with find()
}

void PlaceIndex::add(uint64_t key, uint32_t place) {
  size_t at = first(key);
  while (entries_[at].load(std::memory_order_relaxed) != kEmpty) at = next(at);
  set(at, place + 1, first(key));
}

bool PlaceIndex::mayMove(size_t at, size_t hole) const {
  size_t mask = entries_.size() - 1;
  return ((at - homes_[at]) & mask) >= ((at - hole) & mask);
}

/// What lies behind the hole moves up, so that searches need not go past holes.
void PlaceIndex::remove(uint64_t key, uint32_t place) {
  size_t hole = first(key);
  while (entries_[hole].load(std::memory_order_relaxed) != place + 1) {
    if (entries_[hole].load(std::memory_order_relaxed) == kEmpty) return;
    hole = next(hole);
  }
  moves_.fetch_add(1, std::memory_order_relaxed);  // before every set(), which releases it
  for (size_t at = next(hole);; at = next(at)) {
    uint32_t entry = entries_[at].load(std::memory_order_relaxed);
    if (entry == kEmpty) break;
    if (!mayMove(at, hole)) continue;
    set(hole, entry, homes_[at]);
    hole = at;
  }
  set(hole, kEmpty, 0);
  moves_.fetch_add(1, std::memory_order_release);  // pairs with find()
}

}  // namespace verbena::fabric
