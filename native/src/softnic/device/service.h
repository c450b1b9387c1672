// SPDX-License-Identifier: Apache-2.0
//
// The thread of a port: it does the device's work while the application does not call us.
//
// Progress is made by whoever calls: posting writes to the wire, polling reads from it. The thread
// is for the rest: a READ to answer, an acknowledgement to send, a completion channel to wake, a
// time-out to count. It never spins. It is in one of three states:
//
//   asleep    no work of ours is under way: sleeps until its bell rings, without a time limit
//   attending the application does not poll but work is under way: sleeps until its bell rings or
//             the next tick
//   standing  the application polls by itself, so peers are told not to ring (PortMemory::asleep is
//   by        0): sleeps until the next tick, to see whether it still does. The TCP wire's thread
//             does the same, and does not watch what arrives. Who arms more than kPollsBeforeSleep
//             completion queues, and looks at each once more, is taken for one that polls: what
//             comes while it sleeps then waits for the next tick
//
// Ticks are a millisecond apart as long as something moves and grow to kSlowestTickNs.
#pragma once

#include <cstdint>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "host/lock.h"
#include "host/sign_of_life.h"

namespace verbena::softnic {

struct Context;

class Service {
 public:
  explicit Service(Context& context) : context_(context) {}

  /// Returns when the thread gives the port's sign of life. False and errno if the system has no
  /// thread for us.
  bool start();
  /// Called without the lock; returns when the thread has ended.
  void stop();

  // --- under the port's lock
  /// Work has begun that needs ticks: wakes the thread if it sleeps without a limit.
  void attend() {
    if (asleep_) wake();
  }
  /// There is something to do that the caller leaves to the thread.
  void wake();
  /// The same without the lock: the thread makes a pass.
  void ring();
  /// The application has looked for completions itself.
  void notePoll() { polls_++; }
  /// Whether the application has looked for completions since `seen`, a count that this brings up
  /// to date, and goes on doing so for all that is known.
  bool isPolled(uint32_t& seen) const {
    bool looked = polls_ != std::exchange(seen, polls_);
    return looked && polls_ - pollsAtBell_ > kPollsBeforeSleep;
  }
  /// The application is about to sleep on a channel: the next packet must wake the thread.
  void expectBell();

 private:
  void serve();
  bool pass(uint64_t now);
  static void giveWay(std::unique_lock<host::Lock>& guard);
  uint64_t tickNs(uint64_t now);

  /// Who arms completion queues looks at each of them once more before it sleeps: so many looks are
  /// no sign that it goes on polling.
  static constexpr uint32_t kPollsBeforeSleep = 8;

  static constexpr uint64_t kFastestTickNs = 1'000'000;
  static constexpr uint64_t kSlowestTickNs = 64'000'000;

  Context& context_;
  std::thread thread_;
  host::SignOfLife signOfLife_;
  std::promise<int> begun_;  // 0, or the errno of why not
  bool stopping_ = false;
  bool asleep_ = false;
  uint32_t polls_ = 0;
  uint32_t pollsSeen_ = 0;
  uint32_t pollsAtBell_ = 0;  // when the application last expected to be woken
  uint64_t tick_ = kFastestTickNs;
};

}  // namespace verbena::softnic
