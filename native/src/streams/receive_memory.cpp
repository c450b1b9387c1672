// SPDX-License-Identifier: Apache-2.0
#include "streams/receive_memory.h"

#include <utility>

namespace verbena::streams {

ReceiveMemory::ReceiveMemory(const Sizes& sizes, uint64_t mostReceives)
    : sizes_(sizes),
      headDistance_(distanceOf(sizes.headBytes)),
      bodyDistance_(distanceOf(sizes.bodyBytes)),
      headsBytes_(sizes.headBytes == 0 ? 0 : sizes.slabReceives * headDistance_),
      shift_(std::countr_zero(sizes.slabReceives)) {
  slabs_.reserve(mostReceives / sizes.slabReceives + 2);  // and a spare one
}

void ReceiveMemory::add(fabric::Registered slab) {
  slabs_.push_back(std::move(slab));
  slabCount_.store(static_cast<uint32_t>(slabs_.size()),
                   std::memory_order_relaxed);  // itself alone
}

}  // namespace verbena::streams
