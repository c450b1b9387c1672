// SPDX-License-Identifier: Apache-2.0
//
// Which seeds a test runs: VERBENA_SEED one alone, VERBENA_SEEDS so many from 1 on.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace verbena::fabric::testing {

struct Seeds {
  uint64_t first;
  uint64_t last;

  /// @param ordinary how many where nobody asks for others
  static Seeds wanted(uint64_t ordinary) {
    auto number = [](const char* name, uint64_t otherwise) {
      const char* text = std::getenv(name);
      return text == nullptr || *text == 0 ? otherwise : std::strtoull(text, nullptr, 10);
    };
    uint64_t only = number("VERBENA_SEED", 0);
    return only != 0 ? Seeds{only, only} : Seeds{1, number("VERBENA_SEEDS", ordinary)};
  }
};

}  // namespace verbena::fabric::testing
