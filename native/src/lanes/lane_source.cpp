// SPDX-License-Identifier: Apache-2.0
#include "lanes/lane_source.h"

#include <algorithm>
#include <atomic>

namespace verbena::lanes {

namespace {

uint64_t acquire(std::byte* word) {
  return std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(word))
      .load(std::memory_order_acquire);
}

}  // namespace

uint64_t LaneSource::publishedEnd(uint64_t from, uint64_t maxBytes) {
  uint64_t stop = from + (maxBytes & ~uint64_t{7});
  // The hint spares us the headers below it. Acquire here and below pairs with the writer's
  // release: who sees the hint or a header sees the bytes before it.
  if (boundary_ < stop) boundary_ = std::max(boundary_, acquire(memory_ + kHintOffset));
  while (boundary_ < stop) {
    uint64_t header = acquire(memory_ + kRingOffset + (boundary_ & mask_));
    uint64_t length = header & 0xFFFF'FFFF;
    if (length == 0) break;
    boundary_ += (length + 7) & ~uint64_t{7};
  }
  return std::max(from, std::min(boundary_, stop));
}

void LaneSource::posting(uint64_t end) {
  // Release pairs with Java's acquire: whoever hears that bytes were consumed finds them posted.
  std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(memory_ + kPostedOffset))
      .store(end, std::memory_order_release);
}

}  // namespace verbena::lanes
