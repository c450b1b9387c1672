// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "base/result.h"

namespace verbena::base {

/// An option, its value, and what it may be.
struct Range {
  const char* option;
  uint64_t value;
  uint64_t least;
  uint64_t most;
};

/// EINVAL of the first option that is out of its range, naming it with its value and the limits.
inline Result<void> checkRanges(const std::string& operation, const std::string& object,
                                std::initializer_list<Range> ranges) {
  for (const Range& range : ranges) {
    if (range.value >= range.least && range.value <= range.most) continue;
    return Error{operation, object, EINVAL,
                 std::string(range.option) + " of " + std::to_string(range.value) +
                     " is not between " + std::to_string(range.least) + " and " +
                     std::to_string(range.most)};
  }
  return {};
}

}  // namespace verbena::base
