// SPDX-License-Identifier: Apache-2.0
//
// What the receiving half of an RC queue pair says to its peer: responses with data,
// acknowledgements and refusals.
//
// Acknowledgements are state, not messages: what is due is remembered in the queue pair and sent
// when there is room, one for everything executed in a pass over the incoming packets.
#pragma once

#include "softnic/objects/queue_pair.h"

namespace verbena::softnic {

/// Sends what is due. False if some of it found no room.
bool sendAnswers(QueuePair& qp);

/// False if it found no room.
bool sendDropped(Link& link, const DroppedMessage& drop);

}  // namespace verbena::softnic
