// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "fabric/domain.h"

namespace verbena::streams {

/// The registered buffers that sends land in. They come in slabs, as many as peers need. Belongs to
/// whoever has the turn to poll; start() is for whoever has a buffer.
class BufferPool {
 public:
  /// For at most so many buffers; a slab has a power of two of them.
  BufferPool(uint32_t bufferBytes, uint32_t buffersOfSlab, uint64_t most);

  /// What memory a slab takes. Any thread.
  uint64_t slabBytes() const { return buffersOfSlab() * distance_; }
  uint64_t buffersOfSlab() const { return uint64_t{1} << shift_; }
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

  std::byte* start(uint32_t buffer) const {
    return slabs_[buffer >> shift_].start() + (buffer & (buffersOfSlab() - 1)) * distance_;
  }
  uint32_t lkey(uint32_t buffer) const { return slabs_[buffer >> shift_].lkey(); }
  /// At most kMaxPieces: counting is faster than dividing.
  uint32_t buffersFor(uint32_t bytes) const {
    uint32_t buffers = 0;
    while (uint64_t{buffers} * bufferBytes_ < bytes) buffers++;
    return buffers;
  }
  uint32_t bufferBytes() const { return bufferBytes_; }

 private:
  static constexpr uint64_t kCacheLine = 64;

  /// From one buffer to the next. Small messages use the first lines of their buffers alone; if all
  /// of these were a power of two apart, a cache would have no more than a few places for them.
  static uint64_t distanceOf(uint32_t bufferBytes) {
    return (bufferBytes + kCacheLine - 1) / kCacheLine * kCacheLine + kCacheLine;
  }

  const uint32_t bufferBytes_;
  const uint64_t distance_;
  const uint32_t shift_;  // of a slab's number of buffers
  /// Of all that may come: one that is added moves none that somebody looks at.
  std::vector<fabric::Registered> slabs_;
  std::vector<uint32_t> free_;  // the one that was put last is taken first: it is in the cache
  std::atomic<uint32_t> total_{0};
};

}  // namespace verbena::streams
