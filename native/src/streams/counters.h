// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

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

/// One of them, as it is counted. Nothing is ordered by it, and any thread may read it.
class Count {
 public:
  /// By whoever has the turn that the count belongs to: a plain addition, because there is nobody
  /// else. Who has the turn next sees it, because turns acquire and release.
  void add(uint64_t more = 1) { count_.store(*this + more, std::memory_order_relaxed); }
  /// By any thread at any time.
  void addShared() { count_.fetch_add(1, std::memory_order_relaxed); }
  operator uint64_t() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> count_{0};
};

/// What the connections at one place of the table have sent. Under the turn of the connection.
struct SendCounters {
  Count sends, sendBytes, writes, reports, posts, partialPosts, pumps;
};

/// All others. Under the turn to poll, but for the last two.
struct Counters {
  Count arrivals, arrivalBytes, reportsReceived, arrivalsDropped, sendCompletions, refills, rounds,
      failedCompletions, receiverNotReady, nonsense, lateEndings;
  Count connectionsFailed, doubleReturns;
};

}  // namespace verbena::streams
