// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/open_port.h"

namespace verbena::engine {

/// The registered buffers that sends land in. Belongs to whoever has the turn to poll.
class BufferPool {
 public:
  BufferPool(Registered memory, uint32_t bufferBytes);

  uint32_t free() const { return static_cast<uint32_t>(free_.size()); }
  uint32_t total() const { return static_cast<uint32_t>(memory_.bytes() / bufferBytes_); }
  /// Only while there is one free.
  uint32_t take() {
    uint32_t buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void put(uint32_t buffer) { free_.push_back(buffer); }

  std::byte* start(uint32_t buffer) const {
    return memory_.start() + uint64_t{buffer} * bufferBytes_;
  }
  uint32_t bufferBytes() const { return bufferBytes_; }
  uint32_t lkey() const { return memory_.lkey(); }

 private:
  Registered memory_;
  uint32_t bufferBytes_;
  std::vector<uint32_t> free_;  // the one that was put last is taken first: it is in the cache
};

}  // namespace verbena::engine
