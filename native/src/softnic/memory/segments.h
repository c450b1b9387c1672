// SPDX-License-Identifier: Apache-2.0
//
// Memory that peers of this host can map: the device's own allocator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "host/segment.h"

namespace verbena::softnic {

/// The segments of one device. Any thread.
class Segments {
 public:
  /// The segment that holds all of a range, or null.
  std::shared_ptr<host::Segment> find(const void* address, size_t length) const;
  /// Null and errno on failure.
  void* allocate(const host::SegmentSpace& space, size_t bytes);
  /// False if there is no such segment.
  bool free(void* memory);
  void freeAll();

 private:
  mutable std::mutex lock_;
  std::map<uintptr_t, std::shared_ptr<host::Segment>> byAddress_;
  uint32_t nextNumber_ = 1;
};

}  // namespace verbena::softnic
