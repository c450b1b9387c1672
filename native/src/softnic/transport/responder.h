// SPDX-License-Identifier: Apache-2.0
//
// The receiving half of an RC queue pair: executes requests in the order of their sequence numbers,
// each once, and remembers in the queue pair what is to be answered (answers.h).
#pragma once

#include "softnic/objects/queue_pair.h"
#include "softnic/wire/packet.h"

namespace verbena::softnic {

/// Hands a packet to the queue pair it is for.
void handlePacket(Context& context, Link& link, const Packet& packet);

/// Has the peer told that the expected message is refused, with everything behind it. `timer` is
/// that of a receiver that is not ready.
void refuse(QueuePair& qp, Syndrome syndrome, uint32_t timer = 0);

/// The memory that a request of the peer names, or null if it has no such right to it.
std::byte* remoteTarget(const QueuePair& qp, const RdmaHeader& rdma, uint32_t access);

/// A completion of a receive request with what both transports have in common.
ibv_wc receiveCompletion(const QueuePair& qp, const CurrentReceive& receive);

}  // namespace verbena::softnic
