// SPDX-License-Identifier: Apache-2.0
#include "streams/buffer_pool.h"

namespace verbena::streams {

BufferPool::BufferPool(fabric::Registered memory, uint32_t bufferBytes)
    : memory_(std::move(memory)), bufferBytes_(bufferBytes), distance_(distanceOf(bufferBytes)) {
  free_.reserve(total());
  for (uint32_t buffer = total(); buffer > 0; buffer--) free_.push_back(buffer - 1);
}

}  // namespace verbena::streams
