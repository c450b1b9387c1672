// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "fabric/domain.h"

namespace verbena::streams {

/// The registered buffers that sends land in. They come in slabs, as many as peers need. Each
/// receive has some of them, and one small one of its own, its head, where a small send finds room:
/// all heads together are few pages, and stay in the caches however many receives are posted.
/// Belongs to whoever has the turn to poll; head() and start() are for whoever has a receive, or a
/// buffer.
class BufferPool {
 public:
  struct Sizes {
    uint32_t headBytes;  ///< 0: receives have none
    uint32_t bufferBytes;
    uint32_t slabReceives;  ///< a power of two
    uint32_t slabBuffers;   ///< likewise
  };

  /// For at most so many receives.
  BufferPool(const Sizes& sizes, uint64_t mostReceives);

  /// What memory a slab takes. Any thread.
  uint64_t slabBytes() const { return headsBytes_ + sizes_.slabBuffers * distance_; }
  uint32_t slabReceives() const { return sizes_.slabReceives; }
  uint32_t slabs() const { return total() / sizes_.slabBuffers; }
  /// Its buffers are free from here on.
  void add(fabric::Registered slab);

  uint32_t free() const { return static_cast<uint32_t>(free_.size()); }
  /// Any thread.
  uint32_t total() const { return total_.load(std::memory_order_relaxed); }
  /// Only while there is one free.
  uint32_t take() {
    uint32_t buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void put(uint32_t buffer) { free_.push_back(buffer); }

  /// Of a receive that there are slabs for.
  std::byte* head(uint32_t receive) const {
    const fabric::Registered& slab = slabs_[receive >> receiveShift_];
    return slab.start() + (receive & (sizes_.slabReceives - 1)) * distanceOf(headBytes());
  }
  uint32_t headLkey(uint32_t receive) const { return slabs_[receive >> receiveShift_].lkey(); }
  uint32_t headBytes() const { return sizes_.headBytes; }

  std::byte* start(uint32_t buffer) const {
    const fabric::Registered& slab = slabs_[buffer >> bufferShift_];
    return slab.start() + headsBytes_ + (buffer & (sizes_.slabBuffers - 1)) * distance_;
  }
  uint32_t lkey(uint32_t buffer) const { return slabs_[buffer >> bufferShift_].lkey(); }
  /// At most kMaxPieces: counting is faster than dividing.
  uint32_t buffersFor(uint32_t bytes) const {
    uint32_t buffers = 0;
    while (uint64_t{buffers} * bufferBytes() < bytes) buffers++;
    return buffers;
  }
  uint32_t bufferBytes() const { return sizes_.bufferBytes; }

 private:
  static constexpr uint64_t kCacheLine = 64;

  /// From one buffer to the next. Small messages use the first lines of their buffers alone; if all
  /// of these were a power of two apart, a cache would have no more than a few places for them.
  static uint64_t distanceOf(uint32_t bufferBytes) {
    return (bufferBytes + kCacheLine - 1) / kCacheLine * kCacheLine + kCacheLine;
  }

  const Sizes sizes_;
  const uint64_t distance_;    // of buffers
  const uint64_t headsBytes_;  // of all heads of a slab
  const int receiveShift_, bufferShift_;
  /// Of all that may come: one that is added moves none that somebody looks at.
  std::vector<fabric::Registered> slabs_;
  std::vector<uint32_t> free_;  // the one that was put last is taken first: it is in the cache
  std::atomic<uint32_t> total_{0};
};

}  // namespace verbena::streams
