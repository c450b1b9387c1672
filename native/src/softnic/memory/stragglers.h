// SPDX-License-Identifier: Apache-2.0
//
// Taking memory back from peers that may be in the middle of a direct operation on it (direct.h).
//
// Whoever takes something back first clears it in the port's tables, so that no operation begins,
// and then waits for the marks of those that have begun. A peer that lives is done with its piece
// in a moment; one that was killed does nothing any more. One that is stopped, or starved of its
// processor, goes on writing whenever it wakes: after kStragglerNs it loses its mark, so that it
// learns that its operation has failed, and when its region is deregistered it is left alone with
// the pages of the file, in whose place the process gets pages of its own.
//
// All calls are made with the port's lock held, and give it up while they wait or copy: nothing
// that they have looked at before holds afterwards, but for objects that only the caller may
// destroy.
#pragma once

#include <mutex>

#include "host/lock.h"
#include "softnic/memory/memory.h"

namespace verbena::softnic {

struct Context;

/// Waits until no peer operates on memory by way of the queue pair, which does not receive any
/// more. `sinceNs` is since when.
void letInitiatorsLeave(Context& context, std::unique_lock<host::Lock>& guard, uint32_t qpIndex,
                        uint64_t sinceNs);

/// Waits until no peer operates with the key of the region, which has been revoked, and sees to it
/// that none that was left behind can write to its memory. `sinceNs` is when it was revoked.
/// Returns an errno: if it is not 0 there was no descriptor or memory for that, and it may be tried
/// again.
int takeBack(Context& context, std::unique_lock<host::Lock>& guard, MemoryRegion& region,
             uint64_t sinceNs);

}  // namespace verbena::softnic
