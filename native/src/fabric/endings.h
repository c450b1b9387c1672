// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <span>
#include <vector>

#include "base/count.h"
#include "fabric/link.h"

namespace verbena::fabric {

/// Links that are being closed: until nothing of them is under way any more, and then from the end
/// of their queue pair until somebody tells of it.
class Endings {
 public:
  /// How long a device has to say that a queue pair is drained. Devices differ, and one that has
  /// gone says nothing.
  static constexpr std::chrono::milliseconds kPatience{500};
  /// How long it has, once all requests have come out, to say that it takes no receives any more:
  /// an event that some never send (rxe). Counted from when this side saw them done, so that a
  /// pause of its own takes nothing from it.
  static constexpr std::chrono::milliseconds kLastReceivePatience{100};

  /// With room for all links: adding one does not fail. `late` counts those that nothing was heard
  /// of.
  Endings(uint32_t maxLinks, base::Count& late) : late_(late) {
    waiting_.reserve(maxLinks);
    due_.reserve(maxLinks);
    destroyed_.reserve(maxLinks);
    told_.reserve(maxLinks);
  }

  /// Any thread.
  void add(Link& link) {
    std::lock_guard guard(lock_);
    waiting_.push_back({&link, Clock::now() + kPatience});
    recount();
  }

  /// The queue pair of one that was due has gone. Any thread.
  void addDestroyed(Link& link) {
    std::lock_guard guard(lock_);
    destroyed_.push_back(&link);
    recount();
  }

  /// Takes out those. As due().
  std::span<Link* const> destroyed() {
    told_.clear();
    std::lock_guard guard(lock_);
    told_.swap(destroyed_);
    recount();
    return told_;
  }

  bool empty() const { return count_.load(std::memory_order_seq_cst) == 0; }

  /// Takes out those whose end has come. `nothingComes`: the device has gone, do not wait for it.
  /// The receive queue is to be emptied once more before they are destroyed. One thread at a time;
  /// valid until the next call. Needs no memory.
  std::span<Link* const> due(bool nothingComes) {
    due_.clear();
    if (empty()) return due_;
    std::lock_guard guard(lock_);
    Clock::time_point now = Clock::now();
    std::erase_if(waiting_, [&](Waiting& ending) {
      if (!ending.link->isLeft()) return false;  // which takes a bounded time
      bool drained = ending.link->isDrained();
      if (ending.link->areRequestsDone()) {
        ending.deadline = std::min(ending.deadline, now + kLastReceivePatience);
      }
      if (!drained && !nothingComes && now < ending.deadline) return false;
      if (!drained) late_.add();
      due_.push_back(ending.link);
      return true;
    });
    recount();
    return due_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Link* link;
    Clock::time_point deadline;
  };

  /// seq_cst for Waiter::wakeIfArmed(), which follows.
  void recount() { count_.store(waiting_.size() + destroyed_.size(), std::memory_order_seq_cst); }

  base::Count& late_;
  std::mutex lock_;
  std::vector<Waiting> waiting_;
  std::vector<Link*> due_;
  std::vector<Link*> destroyed_;
  std::vector<Link*> told_;
  std::atomic<size_t> count_{0};
};

}  // namespace verbena::fabric
