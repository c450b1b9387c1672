// SPDX-License-Identifier: Apache-2.0
//
// The sending half of a queue pair: takes requests off the send queue and puts them on the wire, or
// executes them directly in the peer's memory.
//
// Requests go out in order. Those sent and not yet done are kept until they are answered
// (completer.h); a refusal (receiver not ready, or a message dropped) pauses the queue and then
// starts again from the refused one (retries.h).
#pragma once

#include "softnic/objects/queue_pair.h"
#include "softnic/transport/direct_request.h"

namespace verbena::softnic {

/// Sends what can be sent of newly posted requests; in ERR, flushes them.
void startSends(QueuePair& qp);

/// Sends until the queue is empty or something has to be waited for. Does not publish.
void transmit(QueuePair& qp);

/// Goes on with what waits in the queue, and shows the peer what it has sent.
void resumeSends(QueuePair& qp);

/// The copy that a thread was at has ended so (long_copy.h).
void concludeCopy(QueuePair& qp, DirectOutcome outcome, bool overtook);

/// In SQD: raises the event that was asked for once everything sent has been answered.
void reportDrained(QueuePair& qp);

}  // namespace verbena::softnic
