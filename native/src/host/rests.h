// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <time.h>

#include <cstdint>

namespace verbena::host {

/// The rests of one wait that has no bound, between its looks. Others have the processor meanwhile:
/// by yields at first, and by sleeps when the wait has lasted. Threads that only yield were seen to
/// keep all others of a host from its processors for half a minute (docs/tuning.md).
class Rests {
 public:
  void take() {
    constexpr timespec kMoment{0, 50'000};
    if (areLong()) {
      nanosleep(&kMoment, nullptr);
    } else {
      yields_++;
      sched_yield();
    }
  }

  /// Whether the wait has lasted, so that it sleeps from here on.
  bool areLong() const { return yields_ >= kMostYields; }

 private:
  static constexpr uint32_t kMostYields = 64;
  uint32_t yields_ = 0;
};

}  // namespace verbena::host
