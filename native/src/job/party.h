// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace verbena::job {

/// What a rank that others reach over a network knows of its job.
struct Party {
  std::string id;  ///< the job's
  uint32_t rank = 0;
  uint32_t size = 1;
  std::string key;
  /// How long the ranks wait for each other while they start.
  std::chrono::nanoseconds patience{};
};

}  // namespace verbena::job
