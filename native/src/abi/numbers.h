// SPDX-License-Identifier: Apache-2.0
//
// Numbers and news of the inside as C knows them, and the other way round.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "abi/boundary.h"
#include "base/result.h"
#include "node/node.h"

namespace verbena::abi {

/// What is longer than decades is for ever, and can be added to a time of day.
inline std::chrono::nanoseconds nanoseconds(uint64_t given) {
  return std::chrono::nanoseconds(static_cast<int64_t>(std::min<uint64_t>(given, INT64_MAX / 4)));
}

/// Throws std::invalid_argument for what is none.
connect::NodeId nodeId(uint32_t number);
/// Likewise, of nodes with streams.
connect::NodeId givenId(uint32_t number);

/// The size of vbn_news when this version of the ABI began.
inline constexpr size_t kFirstNewsBytes = sizeof(vbn_news);
vbn_news toC(const node::News& news);

inline vbn_status refuse(const base::Error& error) {
  return refuse(VBN_FAILED, error.sentence().c_str());
}

}  // namespace verbena::abi
