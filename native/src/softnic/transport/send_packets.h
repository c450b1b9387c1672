// SPDX-License-Identifier: Apache-2.0
//
// A request of the send queue as packets on the link.
#pragma once

#include "softnic/memory/scatter.h"
#include "softnic/objects/queue_pair.h"
#include "softnic/wire/packet.h"

namespace verbena::softnic {

enum class PacketsOutcome {
  Sent,
  NoRoom,          // the rest follows when the peer has made room
  BadLocalMemory,  // the scatter-gather list is wrong
};

/// Writes the packets of the next request, going on where it stopped for want of room. Publishes
/// as it goes only what is large.
PacketsOutcome sendAsPackets(QueuePair& qp, const SendRequest& request, uint32_t psn);

/// The scatter-gather list of a send request.
LocalMemory localMemory(QueuePair& qp, uint64_t index);
/// Copies payload of a send request, inline or from its scatter-gather list.
bool gatherPayload(QueuePair& qp, uint64_t index, uint64_t offset, std::byte* into, size_t length);

}  // namespace verbena::softnic
