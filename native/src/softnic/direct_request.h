// SPDX-License-Identifier: Apache-2.0
//
// One-sided requests executed in the peer's memory by the requester itself.
#pragma once

#include "softnic/queue_pair.h"

namespace verbena::softnic {

enum class DirectOutcome {
  Done,            // executed: nothing is left to be answered
  GoesAsPackets,   // not possible, or only in part: the peer has still to be told of a placed WRITE
  BadLocalMemory,  // our own scatter-gather list is wrong
};

/// Executes the next request directly: if everything before it is done, or if it is a WRITE to
/// memory registered with IBV_ACCESS_RELAXED_ORDERING and no READ or atomic is before it. The peer is
/// told of such a one in its turn, so that it completes, or fails, behind what it has overtaken.
DirectOutcome executeDirectly(QueuePair& qp, SendRequest& request);

}  // namespace verbena::softnic
