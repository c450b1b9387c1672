// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "job/surroundings.h"

namespace verbena::job {

/// An environment of a test's own.
using Named = std::map<std::string, std::string>;

/// Of one that outlives it.
inline Variables variables(const Named& named) {
  return [&named](const char* name) {
    auto found = named.find(name);
    return found == named.end() ? nullptr : found->second.c_str();
  };
}

}  // namespace verbena::job
