// SPDX-License-Identifier: Apache-2.0
//
// One-sided requests executed in the peer's memory by the requester itself.
#pragma once

#include "softnic/queue_pair.h"

namespace verbena::softnic {

enum class DirectOutcome {
  Done,            // executed: nothing is left to be answered
  GoesAsPackets,   // not possible, or only in part: a WRITE with immediate has still to be told
  BadLocalMemory,  // our own scatter-gather list is wrong
};

/// Executes the next request directly if it may overtake nothing: everything before it is done.
DirectOutcome executeDirectly(QueuePair& qp, SendRequest& request);

}  // namespace verbena::softnic
