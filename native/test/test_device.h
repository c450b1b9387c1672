// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace verbena {

/// VERBENA_TEST_DEVICE: the name of a device; softnic by default.
inline std::string testDevice() {
  const char* name = std::getenv("VERBENA_TEST_DEVICE");
  return name == nullptr || *name == 0 ? "softnic" : name;
}

}  // namespace verbena
