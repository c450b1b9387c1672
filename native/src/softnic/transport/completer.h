// SPDX-License-Identifier: Apache-2.0
//
// How requests that were sent end: by the peer's answers, in order, or all that is left flushed.
#pragma once

#include "softnic/objects/queue_pair.h"
#include "softnic/wire/packet.h"

namespace verbena::softnic {

/// One of the kinds that answer a request: Ack, Nak, Dropped, ReadResponse, AtomicResponse.
void handleAnswer(QueuePair& qp, const Packet& packet);

/// Completes the oldest request.
void finishOldest(QueuePair& qp, ibv_wc_status status);
/// The oldest request fails: its completion says why, everything behind it is flushed.
void failOldest(QueuePair& qp, ibv_wc_status status);

/// Completes every send request that is left with IBV_WC_WR_FLUSH_ERR.
void flushSends(QueuePair& qp);

inline bool awaitsAnswers(const QueuePair& qp) {
  return qp.state == IBV_QPS_RTS || qp.state == IBV_QPS_SQD;
}

inline uint32_t psnOf(const QueuePair& qp, uint64_t index) {
  const RequesterState& state = qp.requester;
  return psnPlus(state.firstPsn, static_cast<uint32_t>(index - state.indexOfFirstPsn));
}

}  // namespace verbena::softnic
