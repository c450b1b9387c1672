// SPDX-License-Identifier: Apache-2.0
#include "streams/buffer_pool.h"

namespace verbena::streams {

BufferPool::BufferPool(uint32_t bufferBytes, uint32_t buffersOfSlab, uint64_t most)
    : bufferBytes_(bufferBytes),
      distance_(distanceOf(bufferBytes)),
      shift_(static_cast<uint32_t>(std::countr_zero(buffersOfSlab))) {
  uint64_t slabs = most / buffersOfSlab + 2;  // and a spare one
  slabs_.reserve(slabs);
  free_.reserve(slabs * buffersOfSlab);
}

void BufferPool::add(fabric::Registered slab) {
  slabs_.push_back(std::move(slab));
  auto first = total();
  auto end = static_cast<uint32_t>(first + buffersOfSlab());
  for (uint32_t buffer = end; buffer > first; buffer--) free_.push_back(buffer - 1);
  total_.store(end, std::memory_order_relaxed);  // tells of itself alone
}

}  // namespace verbena::streams
