// SPDX-License-Identifier: Apache-2.0
//
// What a caller in C asks of an endpoint, checked.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "lanes/endpoint.h"
#include "verbena.h"

namespace verbena::abi {

/// What is longer than decades is for ever, and can be added to a time of day.
inline std::chrono::nanoseconds nanoseconds(uint64_t given) {
  return std::chrono::nanoseconds(static_cast<int64_t>(std::min<uint64_t>(given, INT64_MAX / 4)));
}

/// Throws std::invalid_argument for what cannot be, naming it.
lanes::EndpointOptions toOptions(const vbn_endpoint_options* given);

}  // namespace verbena::abi
