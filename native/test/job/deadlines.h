// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace verbena::job {

inline constexpr uint64_t kNow = 0;
inline constexpr uint64_t kForever = UINT64_MAX;

}  // namespace verbena::job
