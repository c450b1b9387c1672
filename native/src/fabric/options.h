// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "verbs/device.h"

namespace verbena::fabric {

struct WorkerOptions {
  uint32_t maxLinks = 256;         ///< of all services together
  uint32_t sendWorkRequests = 64;  ///< of one link
  /// Of its completion queues. Workers of different vectors share nothing of the device that both
  /// write, as far as it has so many.
  uint32_t vector = 0;

  /// Entries of the queue where all of them complete: one more for each link than its requests, for
  /// the last one, which shows that a closed queue pair is drained.
  constexpr uint64_t completions() const { return uint64_t{maxLinks} * (sendWorkRequests + 1); }
  /// Against the device's limits: EINVAL, naming the option that has to change.
  base::Result<void> check(const verbs::Context& context) const;
};

}  // namespace verbena::fabric
