// SPDX-License-Identifier: Apache-2.0
//
// What the ends of a channel tell each other by a signal: up to where the ring is published, or
// released, or only that there is something to look at.
#pragma once

#include <cstdint>

namespace verbena::fifo {

/// A position in words of 8 bytes, its lower 30 bits: no ring has so many.
struct PositionSignal {
  static constexpr uint32_t kMask = (1U << 30) - 1;
  static constexpr uint32_t kWake = 1U << 30;

  static uint32_t of(uint64_t position) { return static_cast<uint32_t>(position / 8) & kMask; }
  /// The position that a signal means, at most a ring's length above that of the one before.
  static uint64_t extend(uint32_t signal, uint64_t before) {
    uint64_t ahead = (signal - before / 8) & kMask;
    return before + ahead * 8;
  }
};

}  // namespace verbena::fifo
