// SPDX-License-Identifier: Apache-2.0
//
// The wishes of a caller in C, checked.
#pragma once

#include "verbena.h"
#include "verbs/selection.h"

namespace verbena::abi {

/// Null for none. Throws std::invalid_argument, whose text names the member, its value and what it
/// may be.
verbs::Wishes toWishes(const vbn_wishes* given);

}  // namespace verbena::abi
