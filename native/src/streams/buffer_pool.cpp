// SPDX-License-Identifier: Apache-2.0
#include "streams/buffer_pool.h"

namespace verbena::streams {

BufferPool::BufferPool(const Sizes& sizes, uint64_t mostReceives)
    : sizes_(sizes),
      distance_(distanceOf(sizes.bufferBytes)),
      headsBytes_(sizes.headBytes == 0 ? 0 : sizes.slabReceives * distanceOf(sizes.headBytes)),
      receiveShift_(std::countr_zero(sizes.slabReceives)),
      bufferShift_(std::countr_zero(sizes.slabBuffers)) {
  uint64_t slabs = mostReceives / sizes.slabReceives + 2;  // and a spare one
  slabs_.reserve(slabs);
  free_.reserve(slabs * sizes.slabBuffers);
}

void BufferPool::add(fabric::Registered slab) {
  slabs_.push_back(std::move(slab));
  uint32_t first = total();
  uint32_t end = first + sizes_.slabBuffers;
  for (uint32_t buffer = end; buffer > first; buffer--) free_.push_back(buffer - 1);
  total_.store(end, std::memory_order_relaxed);  // tells of itself alone
}

}  // namespace verbena::streams
