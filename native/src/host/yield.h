// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <time.h>

#include <cstdint>

namespace verbena::host {

/// Lets another thread have this processor, if one wants it.
///
/// Now and then it sleeps for a moment instead: a thread alone in its session or container that
/// only yields was seen to keep all others from a processor for half a minute (docs/tuning.md).
inline void yield() {
  constexpr uint32_t kYieldsBetweenSleeps = 32;
  constexpr timespec kMoment{0, 50'000};
  static thread_local uint32_t times = 0;
  if (++times % kYieldsBetweenSleeps == 0) {
    nanosleep(&kMoment, nullptr);
  } else {
    sched_yield();
  }
}

}  // namespace verbena::host
