// SPDX-License-Identifier: Apache-2.0
//
// How a thread that has nothing to do sleeps until something happens. No wake-up is lost:
//
//   the waiter   sets armed (A), asks the queues for events, looks once more whether there is
//                something to do (B), and blocks;
//   another one  leaves something to do (C), then looks at armed (D) and ends the wait if it is
//   set.
//
// A, B, C and D are sequentially consistent, so either D comes after A and sees it, or C comes
// before B, which sees what was left. What the device leaves, completions and events, wakes by
// itself: the queues are armed before B.
//
// Of several threads that wait one blocks in the device's name, the others until that one is up:
// whatever it was may be for them. Who has armed before that one got up does not block at all, as
// what ended its sleep may have come behind B: that is what tickets tell.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "verbs/async_events.h"
#include "verbs/completion.h"

namespace verbena::fabric {

class Waiter {
 public:
  /// On what the queues of a channel report, and on a device's asynchronous events.
  static base::Result<std::unique_ptr<Waiter>> create(const verbs::CompletionChannel& channel,
                                                      const verbs::AsyncEvents& events,
                                                      const std::string& device);
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// `armQueues` asks each queue for an event. False if the device did not take it: the next wait()
  /// is a short one. Returns a ticket for it.
  template <typename ArmQueues>
  uint64_t arm(ArmQueues armQueues) {
    std::lock_guard guard(lock_);
    armed_.store(true, std::memory_order_seq_cst);  // A
    queuesArmed_.store(armQueues(), std::memory_order_relaxed);
    return sleeps_.load(std::memory_order_relaxed);
  }
  /// That of a thread which has armed and waits alone.
  uint64_t ticket() const { return sleeps_.load(std::memory_order_relaxed); }
  /// Somebody waits, or is about to.
  bool isArmed() const { return armed_.load(std::memory_order_relaxed); }
  /// The waiter has found something to do.
  void disarm();
  /// Blocks until one of the events; says whether the device has asynchronous events.
  bool wait(std::chrono::nanoseconds timeout, uint64_t ticket);
  /// As wait(), when nothing comes of the device any more: what it still signals is not looked at.
  void waitForOthers(std::chrono::nanoseconds timeout, uint64_t ticket);

  /// Waits end as well when the descriptor is readable, and read what is there. Before the first.
  base::Result<void> listenTo(int descriptor, const std::string& device);

  /// By armQueues(): the descriptor is readable after this, too.
  void remindAfter(std::chrono::milliseconds time);
  /// Readable from arm() on when wait() would not block; that one makes it unreadable again.
  int descriptor() const { return all_.get(); }

  /// By somebody who has left something to do, with a sequentially consistent store.
  void wakeIfArmed() {
    if (!armed_.load(std::memory_order_seq_cst)) return;  // D
    wake();
  }

 private:
  Waiter(const verbs::CompletionChannel& channel, const verbs::AsyncEvents& events,
         base::FileDescriptor own, base::FileDescriptor timer, base::FileDescriptor all)
      : channel_(channel),
        events_(events),
        own_(std::move(own)),
        timer_(std::move(timer)),
        all_(std::move(all)) {}
  /// Our own two descriptors come first. Does not touch `sources` if another thread blocks.
  void block(std::span<pollfd> sources, std::chrono::nanoseconds timeout, uint64_t ticket);
  void awaitSleeper(std::unique_lock<std::mutex>& held, std::chrono::nanoseconds timeout,
                    uint64_t ticket);
  void getUp();
  void wake();
  void takeEvents();
  void takeOther();
  base::Result<void> listenToAll(const std::string& device);
  base::Result<void> listen(int source, const std::string& device);

  const verbs::CompletionChannel& channel_;
  const verbs::AsyncEvents& events_;
  base::FileDescriptor own_;  // an event descriptor: what wake() writes to
  int other_ = -1;            // of listenTo(); it does not block
  base::FileDescriptor timer_;
  base::FileDescriptor all_;  // epoll, of both and of what the device has
  std::atomic<bool> armed_{false};
  std::atomic<bool> queuesArmed_{true};
  std::atomic<bool> hearsDevice_{true};

  std::mutex lock_;
  std::condition_variable up_;
  std::atomic<uint64_t> sleeps_{0};  // that have ended; written under the lock, like the next ones
  bool someoneSleeps_ = false;
  bool reminds_ = false;  // the timer runs, or has gone off
};

}  // namespace verbena::fabric
