// SPDX-License-Identifier: Apache-2.0
//
// What to tell whom the system could not give a file or memory.
#pragma once

#include <string>

namespace verbena::base {

/// The limit that the errno value is about, and how to raise it; empty for one that speaks of no
/// shortage. `folder`: where the memory was to lie; empty if that is not known.
std::string adviceOnShortage(int code, const std::string& folder = "");

}  // namespace verbena::base
