// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <span>
#include <vector>

#include "streams/connection_table.h"

namespace verbena::streams {

/// Connections that are being closed, until nothing of them is under way any more.
class Endings {
 public:
  /// How long a device has to say that a queue pair is drained. Devices differ, and one that has
  /// gone says nothing.
  static constexpr std::chrono::milliseconds kPatience{500};
  /// How long it has, once all sends have come out, to say that it takes no receives any more: an
  /// event that some never send (rxe). Counted from when this side saw the sends gone, so that a
  /// pause of its own takes nothing from it.
  static constexpr std::chrono::milliseconds kLastReceivePatience{100};

  /// With room for all connections: adding one does not fail.
  explicit Endings(Works& works) : works_(works) {
    waiting_.reserve(works.options.maxConnections);
    due_.reserve(works.options.maxConnections);
  }

  /// Any thread.
  void add(Connection& connection) {
    std::lock_guard guard(lock_);
    waiting_.push_back({&connection, Clock::now() + kPatience});
    count_.store(waiting_.size(), std::memory_order_seq_cst);
  }

  bool empty() const { return count_.load(std::memory_order_seq_cst) == 0; }

  /// Takes out those whose end has come. `nothingComes`: the device has gone, do not wait for it.
  /// The receive queue is to be emptied once more before they are destroyed. One thread at a time;
  /// valid until the next call. Needs no memory.
  std::span<Connection* const> due(bool nothingComes) {
    due_.clear();
    if (empty()) return due_;
    std::lock_guard guard(lock_);
    Clock::time_point now = Clock::now();
    std::erase_if(waiting_, [&](Waiting& ending) {
      bool drained = ending.connection->isDrained();
      if (ending.connection->areSendsGone()) {
        ending.deadline = std::min(ending.deadline, now + kLastReceivePatience);
      }
      if (!drained && !nothingComes && now < ending.deadline) return false;
      if (!drained) works_.counters.lateEndings.add();
      due_.push_back(ending.connection);
      return true;
    });
    count_.store(waiting_.size(), std::memory_order_seq_cst);
    return due_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Connection* connection;
    Clock::time_point deadline;
  };

  Works& works_;
  std::mutex lock_;
  std::vector<Waiting> waiting_;
  std::vector<Connection*> due_;
  std::atomic<size_t> count_{0};
};

}  // namespace verbena::streams
