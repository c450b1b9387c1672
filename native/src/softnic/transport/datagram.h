// SPDX-License-Identifier: Apache-2.0
//
// Unreliable datagrams: one packet each, never acknowledged, dropped wherever there is no room.
#pragma once

#include "softnic/objects/queue_pair.h"
#include "softnic/wire/packet.h"

namespace verbena::softnic {

/// Sends everything posted.
void sendDatagrams(QueuePair& qp);

/// Delivers a datagram to `qp`, which may be null or no match, or drops it.
void handleDatagram(Context& context, QueuePair* qp, const Packet& packet);

}  // namespace verbena::softnic
