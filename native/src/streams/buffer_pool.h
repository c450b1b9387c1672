// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/domain.h"

namespace verbena::streams {

/// The registered buffers that sends land in. Belongs to whoever has the turn to poll.
class BufferPool {
 public:
  /// What so many buffers take.
  static uint64_t bytesFor(uint64_t buffers, uint32_t bufferBytes) {
    return buffers * distanceOf(bufferBytes);
  }

  /// `memory` has bytesFor() its buffers.
  BufferPool(fabric::Registered memory, uint32_t bufferBytes);

  uint32_t free() const { return static_cast<uint32_t>(free_.size()); }
  uint32_t total() const { return static_cast<uint32_t>(memory_.bytes() / distance_); }
  /// Only while there is one free.
  uint32_t take() {
    uint32_t buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void put(uint32_t buffer) { free_.push_back(buffer); }

  std::byte* start(uint32_t buffer) const { return memory_.start() + buffer * distance_; }
  /// At most kMaxPieces: counting is faster than dividing.
  uint32_t buffersFor(uint32_t bytes) const {
    uint32_t buffers = 0;
    while (uint64_t{buffers} * bufferBytes_ < bytes) buffers++;
    return buffers;
  }
  uint32_t bufferBytes() const { return bufferBytes_; }
  uint32_t lkey() const { return memory_.lkey(); }

 private:
  static constexpr uint64_t kCacheLine = 64;

  /// From one buffer to the next. Small messages use the first lines of their buffers alone; if all
  /// of these were a power of two apart, a cache would have no more than a few places for them.
  static uint64_t distanceOf(uint32_t bufferBytes) {
    return (bufferBytes + kCacheLine - 1) / kCacheLine * kCacheLine + kCacheLine;
  }

  fabric::Registered memory_;
  uint32_t bufferBytes_;
  uint64_t distance_;
  std::vector<uint32_t> free_;  // the one that was put last is taken first: it is in the cache
};

}  // namespace verbena::streams
