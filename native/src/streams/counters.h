// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/count.h"

namespace verbena::streams {

/// What an engine has done since it was opened.
struct EngineCounters {
  uint64_t sends;              ///< with payload
  uint64_t sendBytes;          ///< of payload, placed ones too
  uint64_t writes;             ///< of placed payload
  uint64_t reports;            ///< sends without payload
  uint64_t posts;              ///< calls of ibv_post_send
  uint64_t partialPosts;       ///< of which the device took less than the whole chain
  uint64_t arrivals;           ///< receives with payload
  uint64_t arrivalBytes;       ///< of payload
  uint64_t reportsReceived;    ///< receives without
  uint64_t arrivalsDropped;    ///< for connections that were closed, or talked nonsense
  uint64_t sendCompletions;    ///< taken from the queue
  uint64_t refills;            ///< calls of ibv_post_srq_recv
  uint64_t pumps;              ///< turns of connections
  uint64_t rounds;             ///< of progress()
  uint64_t failedCompletions;  ///< not counting flushed ones
  uint64_t receiverNotReady;   ///< of these, the far side had no receive posted
  uint64_t nonsense;           ///< connections that failed by what the far side sent
  uint64_t connectionsFailed;  ///< for whatever reason
  uint64_t lateEndings;        ///< queue pairs destroyed before the device said they were drained
  uint64_t doubleReturns;      ///< giveBack() of receives that nobody held
};

/// What the connections at one place of the table have sent. Under the turn of the connection.
struct SendCounters {
  base::Count sends, sendBytes, writes, reports, posts, partialPosts, pumps;
};

/// What has arrived. Under the turn to poll, but for the last one.
struct Counters {
  base::Count arrivals, arrivalBytes, reportsReceived, arrivalsDropped, refills;
  base::Count doubleReturns;
};

}  // namespace verbena::streams
