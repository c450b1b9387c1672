// SPDX-License-Identifier: Apache-2.0
//
// The time of the sending half of a queue pair: pauses after a refusal, time-outs, and how often
// something is tried again.
#pragma once

#include "softnic/objects/queue_pair.h"

namespace verbena::softnic {

/// A request has been answered: retries are counted anew.
void progressed(QueuePair& qp);

/// Starts again from the oldest request at that time.
void pauseSends(QueuePair& qp, uint64_t endNs);
/// Ends the pause without sending anything. True if it was for a message dropped.
bool unpause(QueuePair& qp);
/// Whatever is sent again begins with its first packet.
void restartFromOldest(QueuePair& qp);
/// Pauses for the time of the code, or fails if that has happened too often.
void receiverNotReady(QueuePair& qp, uint8_t timer);

/// Ends a pause that is over; counts a retry if the peer is gone. False if nothing was due.
bool checkTimer(QueuePair& qp, uint64_t now);

/// 4.096 us * 2^code, or 0 for code 0: never.
uint64_t ackTimeoutNs(uint8_t code);
/// The pause that an RNR timer code stands for.
uint64_t rnrTimerNs(uint8_t code);

}  // namespace verbena::softnic
