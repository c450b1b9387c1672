// SPDX-License-Identifier: Apache-2.0
//
// One-sided requests executed in the peer's memory by the requester itself.
#pragma once

#include "softnic/objects/queue_pair.h"

namespace verbena::softnic {

enum class DirectOutcome {
  Done,            // executed: nothing is left to be answered
  TakesLong,       // will be executed without the lock (long_copy.h)
  GoesAsPackets,   // not possible, or only in part: the peer has still to be told of a placed WRITE
  BadLocalMemory,  // our own scatter-gather list is wrong
  Unknown,         // an atomic whose target has taken its memory away: executed or not
};

/// The remote right that a request needs; 0 for one that cannot go directly.
uint32_t neededAccess(const SendRequest& request);
/// Whether the peer has still to be told of a request that was executed directly.
bool staysPlaced(const SendRequest& request, bool overtook);
/// What was there before.
uint64_t executeAtomic(const SendRequest& request, std::byte* target);

/// Executes the next request directly: if everything before it is done, or if it is a WRITE to
/// memory registered with IBV_ACCESS_RELAXED_ORDERING and no READ or atomic is before it. The peer
/// is told of such a one in its turn, so that it completes, or fails, behind what it has overtaken.
DirectOutcome executeDirectly(QueuePair& qp, SendRequest& request);

}  // namespace verbena::softnic
