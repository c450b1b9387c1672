// SPDX-License-Identifier: Apache-2.0
//
// The sending half of a queue pair: takes requests off the send queue, puts them on the wire (or
// executes them directly in the peer's memory), and completes them when they are answered.
//
// Requests go out in order. Those sent and not yet done are kept; a refusal (receiver not ready, or
// a message dropped) pauses the queue and then starts again from the refused one.
#pragma once

#include "softnic/packet.h"
#include "softnic/queue_pair.h"

namespace verbena::softnic {

/// Sends what can be sent of newly posted requests; in ERR, flushes them.
void startSends(QueuePair& qp);

/// Sends until the queue is empty or something has to be waited for. Does not publish.
void transmit(QueuePair& qp);

/// In SQD: raises the event that was asked for once everything sent has been answered.
void reportDrained(QueuePair& qp);

/// One of the kinds that answer a request: Ack, Nak, Dropped, ReadResponse, AtomicResponse.
void handleAnswer(QueuePair& qp, const Packet& packet);

/// The oldest request fails: its completion says why, everything behind it is flushed.
void failOldest(QueuePair& qp, ibv_wc_status status);
/// Starts again from the oldest request at that time.
void pauseSends(QueuePair& qp, uint64_t endNs);
/// Pauses for the time of the code, or fails if that has happened too often.
void receiverNotReady(QueuePair& qp, uint8_t timer);

/// Ends a pause that is over; counts a retry if the peer is gone. False if nothing was due.
bool checkTimer(QueuePair& qp, uint64_t now);

/// Completes every send request that is left with IBV_WC_WR_FLUSH_ERR.
void flushSends(QueuePair& qp);
/// Likewise for receives.
void flushReceives(QueuePair& qp);

/// 4.096 us * 2^code, or 0 for code 0: never.
uint64_t ackTimeoutNs(uint8_t code);
/// The pause that an RNR timer code stands for.
uint64_t rnrTimerNs(uint8_t code);

}  // namespace verbena::softnic
