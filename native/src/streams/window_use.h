// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace verbena::streams {

/// Whether a window is too small for what comes: the far side had to wait in one window after the
/// other. By whoever takes completions.
class WindowUse {
 public:
  /// So many in a row: for a handshake or a burst now and then no window grows.
  static constexpr uint32_t kInARow = 4;

  /// One send has come, and says whether there is more than the window, of so many, lets through.
  /// True if it is too small.
  bool isTooSmall(uint32_t window, bool waits) {
    waited_ |= waits;
    if (++used_ < window) return false;
    inARow_ = waited_ ? inARow_ + 1 : 0;
    used_ = 0;
    waited_ = false;
    return inARow_ >= kInARow;
  }

 private:
  uint32_t used_ = 0;  // of the present one
  bool waited_ = false;
  uint32_t inARow_ = 0;
};

}  // namespace verbena::streams
