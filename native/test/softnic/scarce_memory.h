// SPDX-License-Identifier: Apache-2.0
//
// Takes the memory away from a thread.
#pragma once

namespace verbena::softnic::testing {

/// How many pieces of memory the thread still gets from `new`; -1: any number.
extern thread_local int piecesLeft;

}  // namespace verbena::softnic::testing
