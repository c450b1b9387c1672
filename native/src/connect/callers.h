// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for a link to come up.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/survive.h"
#include "connect/link.h"

namespace verbena::connect {

class Callers {
 public:
  struct Outcome {
    LinkId id = 0;  ///< 0: it failed
    std::string reason;
    int code = 0;  ///< of the error
  };
  /// One thread that waits; it lives on that thread's stack.
  class Caller {
   public:
    Caller(Callers& all, NodeId peer, LinkName name) : all_(all), wanted_(peer, name) {
      std::lock_guard held(all_.lock_);
      all_.present_++;
      if (all_.stopped_.contains(name.service)) {
        tell(stopped());
      } else {
        all_.waiting_.emplace(wanted_, this);
      }
    }
    ~Caller() {
      std::lock_guard held(all_.lock_);
      auto [begin, end] = all_.waiting_.equal_range(wanted_);
      auto self = std::find_if(begin, end, [this](auto& each) { return each.second == this; });
      if (self != end) all_.waiting_.erase(self);
      if (--all_.present_ == 0) all_.left_.notify_all();
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    /// Whether there is nothing to wait for.
    bool isDecided() const {
      std::lock_guard held(all_.lock_);
      return outcome_.has_value();
    }
    /// Empty when the time is over. `meanwhile`, if there is one, is called every now and then.
    std::optional<Outcome> wait(std::chrono::nanoseconds timeout,
                                const std::function<void()>& meanwhile) {
      constexpr std::chrono::milliseconds kPause{1};
      auto end = std::chrono::steady_clock::now() + timeout;
      std::unique_lock held(all_.lock_);
      auto isDecided = [&] { return outcome_.has_value(); };
      while (meanwhile && !decided_.wait_for(held, kPause, isDecided)) {
        if (std::chrono::steady_clock::now() >= end) return std::nullopt;
        held.unlock();
        meanwhile();
        held.lock();
      }
      decided_.wait_until(held, end, isDecided);
      return outcome_;
    }

   private:
    friend class Callers;
    /// Under the lock: afterwards it may be gone.
    void tell(const Outcome& outcome) {
      outcome_ = Outcome{outcome.id, {}, outcome.code};
      base::survive([&] { outcome_->reason = outcome.reason; });
      decided_.notify_one();
    }

    Callers& all_;
    std::pair<NodeId, LinkName> wanted_;
    std::condition_variable decided_;  ///< of its own, so that the others sleep on
    std::optional<Outcome> outcome_;
  };

  /// By the job thread: tells all that wait for this link now.
  void decide(NodeId peer, LinkName name, const Outcome& outcome) {
    std::lock_guard held(lock_);
    auto [begin, end] = waiting_.equal_range({peer, name});
    for (auto each = begin; each != end; ++each) each->second->tell(outcome);
    waiting_.erase(begin, end);
  }

  /// Nobody waits for links of this service from here on.
  void stop(uint16_t service) {
    std::lock_guard held(lock_);
    stopped_.insert(service);
    for (auto& [wanted, caller] : waiting_) {
      if (wanted.second.service == service) caller->tell(stopped());
    }
    std::erase_if(waiting_, [&](auto& each) { return each.first.second.service == service; });
  }

  /// Tells all that are still there, and returns when they have left.
  void close(const std::string& reason) {
    std::unique_lock held(lock_);
    for (auto& [wanted, caller] : waiting_) caller->tell({0, reason, ECANCELED});
    waiting_.clear();
    left_.wait(held, [this] { return present_ == 0; });
  }

 private:
  static Outcome stopped() { return {0, "this side is about to close", ECANCELED}; }

  std::mutex lock_;
  std::condition_variable left_;
  size_t present_ = 0;
  std::multimap<std::pair<NodeId, LinkName>, Caller*> waiting_;
  std::set<uint16_t> stopped_;  // services
};

}  // namespace verbena::connect
