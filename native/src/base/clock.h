// SPDX-License-Identifier: Apache-2.0
//
// The clock that time-outs are counted on.
#pragma once

#include <time.h>

#include <cstdint>

namespace verbena::base {

inline constexpr uint64_t kNsPerMs = 1'000'000;

/// Nanoseconds since some point in the past; never goes back.
inline uint64_t monotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

/// As monotonicNs(), some milliseconds late, for a fraction of its price.
inline uint64_t coarseNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace verbena::base
