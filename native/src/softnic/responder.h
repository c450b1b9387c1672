// SPDX-License-Identifier: Apache-2.0
//
// The receiving half of an RC queue pair: executes requests in the order of their sequence numbers,
// each once, and answers them.
//
// Acknowledgements are state, not messages: what is due is remembered in the queue pair and sent
// when there is room, one for everything executed in a pass over the incoming packets.
#pragma once

#include "softnic/packet.h"
#include "softnic/queue_pair.h"

namespace verbena::softnic {

/// Hands a packet to the queue pair it is for.
void handlePacket(Context& context, Link& link, const Packet& packet);

/// Sends what is due. False if some of it found no room.
bool sendAnswers(QueuePair& qp);

/// False if it found no room.
bool sendDropped(Link& link, const DroppedMessage& drop);

/// A completion of a receive request with what both transports have in common.
ibv_wc receiveCompletion(const QueuePair& qp, const CurrentReceive& receive);

}  // namespace verbena::softnic
