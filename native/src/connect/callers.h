// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for a connection to come up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "connect/queue_pairs.h"

namespace verbena::connect {

class Callers {
 public:
  struct Outcome {
    ConnectionId id = 0;  ///< 0: it failed
    std::string reason;
  };
  /// One thread that waits; it lives on that thread's stack.
  class Caller {
   public:
    Caller(Callers& all, NodeId peer) : all_(all), peer_(peer) {
      std::lock_guard held(all_.lock_);
      all_.waiting_.emplace(peer, this);
    }
    ~Caller() {
      std::lock_guard held(all_.lock_);
      auto [begin, end] = all_.waiting_.equal_range(peer_);
      for (auto each = begin; each != end; ++each) {
        if (each->second != this) continue;
        all_.waiting_.erase(each);
        return;
      }
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    /// Empty when the time is over.
    std::optional<Outcome> wait(std::chrono::nanoseconds timeout) {
      std::unique_lock held(all_.lock_);
      decided_.wait_for(held, timeout, [&] { return outcome_.has_value(); });
      return outcome_;
    }

   private:
    friend class Callers;
    Callers& all_;
    NodeId peer_;
    std::condition_variable decided_;  ///< of its own, so that the others sleep on
    std::optional<Outcome> outcome_;
  };

  /// By the job thread: tells all that wait for this peer now.
  void decide(NodeId peer, const Outcome& outcome) {
    std::lock_guard held(lock_);
    auto [begin, end] = waiting_.equal_range(peer);
    for (auto each = begin; each != end; ++each) {
      each->second->outcome_ = outcome;
      each->second->decided_.notify_one();  // under the lock: afterwards it may be gone
    }
    waiting_.erase(begin, end);
  }

 private:
  std::mutex lock_;
  std::unordered_multimap<NodeId, Caller*> waiting_;
};

}  // namespace verbena::connect
