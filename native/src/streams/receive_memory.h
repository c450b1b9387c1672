// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "fabric/domain.h"

namespace verbena::streams {

/// The registered memory that sends land in. It comes in slabs, as much as peers need. Each receive
/// has two parts of it: a small one, its head, where a small send finds room, and its body, for
/// what is longer. All heads together are few pages, and stay in the caches however many receives
/// are posted. Slabs are added by whoever has the turn to poll; head() and body() are for whoever
/// has a receive.
class ReceiveMemory {
 public:
  struct Sizes {
    uint32_t headBytes;  ///< 0: receives have none
    uint32_t bodyBytes;
    uint32_t slabReceives;  ///< a power of two
  };

  /// For at most so many receives.
  ReceiveMemory(const Sizes& sizes, uint64_t mostReceives);

  /// What memory a slab takes. Any thread, like the next three.
  uint64_t slabBytes() const { return headsBytes_ + sizes_.slabReceives * bodyDistance_; }
  uint32_t slabReceives() const { return sizes_.slabReceives; }
  uint32_t slabs() const { return slabCount_.load(std::memory_order_relaxed); }
  /// So many receives have memory: those with the lowest numbers.
  uint32_t receives() const { return slabs() * slabReceives(); }
  void add(fabric::Registered slab);

  uint32_t headBytes() const { return sizes_.headBytes; }
  uint32_t bodyBytes() const { return sizes_.bodyBytes; }
  /// Of a receive that there are slabs for.
  std::byte* head(uint32_t receive) const {
    return slabOf(receive).start() + within(receive) * headDistance_;
  }
  std::byte* body(uint32_t receive) const {
    return slabOf(receive).start() + headsBytes_ + within(receive) * bodyDistance_;
  }
  uint32_t lkey(uint32_t receive) const { return slabOf(receive).lkey(); }

 private:
  static constexpr uint64_t kCacheLine = 64;

  /// From one part to the next. Small messages use the first lines of theirs alone; if all of these
  /// were a power of two apart, a cache would have no more than a few places for them.
  static uint64_t distanceOf(uint32_t bytes) {
    return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine + kCacheLine;
  }
  const fabric::Registered& slabOf(uint32_t receive) const { return slabs_[receive >> shift_]; }
  uint64_t within(uint32_t receive) const { return receive & (sizes_.slabReceives - 1); }

  const Sizes sizes_;
  const uint64_t headDistance_, bodyDistance_;
  const uint64_t headsBytes_;  // of all heads of a slab
  const int shift_;
  /// Of all that may come: one that is added moves none that somebody looks at.
  std::vector<fabric::Registered> slabs_;
  std::atomic<uint32_t> slabCount_{0};
};

}  // namespace verbena::streams
