// SPDX-License-Identifier: Apache-2.0
//
// Takes the memory away from a thread, or from all.
#pragma once

#include <atomic>

namespace verbena::softnic::testing {

/// How many pieces of memory the thread still gets from `new`; -1: any number.
extern thread_local int piecesLeft;
/// The same of all threads together.
extern std::atomic<int> piecesLeftToAll;

}  // namespace verbena::softnic::testing
