// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <time.h>

#include <cstdint>

#include "base/clock.h"

namespace verbena::host {

/// A thread's yields, each of which gives the processor to another thread or is in vain.
class YieldsInVain {
 public:
  /// How long the last one took tells whether another thread had the processor. True if the last
  /// few were in vain, or there were very many: the others may be of the same session.
  bool areMany(uint64_t tookNs) {
    inVain_ = tookNs < kOthersNs ? inVain_ + 1 : 0;
    all_++;
    bool many = inVain_ >= kMostInVain || all_ >= kMost;
    if (many) inVain_ = all_ = 0;
    return many;
  }

 private:
  /// A system call takes half of it, two switches twice.
  static constexpr uint64_t kOthersNs = 1'000;
  static constexpr uint32_t kMostInVain = 32;
  static constexpr uint32_t kMost = 16'384;
  uint32_t inVain_ = 0;
  uint32_t all_ = 0;
};

/// Lets another thread have this processor, if one wants it. For waits without a bound: where that
/// is often in vain it sleeps for a moment. A thread alone in its session or container that only
/// yields was seen to keep all others from a processor for half a minute (docs/tuning.md).
inline void yield() {
  constexpr timespec kMoment{0, 50'000};
  static thread_local YieldsInVain inVain;
  uint64_t begin = base::monotonicNs();
  sched_yield();
  if (inVain.areMany(base::monotonicNs() - begin)) nanosleep(&kMoment, nullptr);
}

}  // namespace verbena::host
