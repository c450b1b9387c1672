// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace verbena::engine {

/// What an engine has done since it was opened.
struct EngineCounters {
  uint64_t sends;              ///< with payload
  uint64_t sendBytes;          ///< of payload
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

/// The same, as they are counted. Each is written under one turn or another; nothing is ordered by
/// them.
struct Counters {
  using Count = std::atomic<uint64_t>;
  Count sends{0}, sendBytes{0}, reports{0}, posts{0}, partialPosts{0}, arrivals{0}, arrivalBytes{0},
      reportsReceived{0}, arrivalsDropped{0}, sendCompletions{0}, refills{0}, pumps{0}, rounds{0},
      failedCompletions{0}, receiverNotReady{0}, nonsense{0}, connectionsFailed{0}, lateEndings{0},
      doubleReturns{0};

  static void add(Count& count, uint64_t more = 1) {
    count.fetch_add(more, std::memory_order_relaxed);
  }
  EngineCounters read() const {
    return {sends,           sendBytes,         reports,
            posts,           partialPosts,      arrivals,
            arrivalBytes,    reportsReceived,   arrivalsDropped,
            sendCompletions, refills,           pumps,
            rounds,          failedCompletions, receiverNotReady,
            nonsense,        connectionsFailed, lateEndings,
            doubleReturns};
  }
};

}  // namespace verbena::engine
