// SPDX-License-Identifier: Apache-2.0
//
// Who works on something next: one thread at a time, and a thread that finds another at work leaves
// a mark and goes.
//
// No publication is lost. Whoever publishes something calls enter() afterwards. Every change of the
// state is a read-modify-write of one variable, so all of them stand in one order, and enter()
// falls either before the worker's leave() in it, which then returns true (and, acquiring what
// enter() released, has the publication in sight), or after it, and then enter() itself succeeds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace verbena::fabric {

class Turn {
 public:
  /// Whether it is this thread's turn now; otherwise the worker has been left a mark.
  bool enter() {
    uint32_t expected = kFree;
    // acquire pairs with leave(): what the worker before us wrote is in sight
    if (state_.compare_exchange_strong(expected, kWorking, std::memory_order_acq_rel)) return true;
    return state_.exchange(kMarked, std::memory_order_acq_rel) == kFree;
  }

  /// By the worker: whether a mark was left, which is removed.
  bool again() {
    uint32_t expected = kMarked;
    // Mostly there is none, and looking is cheap. A mark that this look misses leave() finds.
    if (state_.load(std::memory_order_relaxed) != kMarked) return false;
    return state_.compare_exchange_strong(expected, kWorking, std::memory_order_acq_rel);
  }

  /// By the worker. True if a mark was left that again() has not seen: whoever left it has gone, so
  /// the caller sees to it that somebody looks again.
  [[nodiscard]] bool leave() {
    return state_.exchange(kFree, std::memory_order_acq_rel) == kMarked;
  }

  /// Waits for the turn; turns are short, but for who copies a great deal. Left with leave().
  void lock() {
    uint32_t expected = kFree;
    for (int looks = 0;
         !state_.compare_exchange_weak(expected, kWorking, std::memory_order_acq_rel); looks++) {
      if (looks < kShortLooks) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(kLongRest);
      }
      expected = kFree;
    }
  }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kWorking = 1;
  static constexpr uint32_t kMarked = 2;  // at work, and somebody was turned away
  static constexpr int kShortLooks = 1000;
  static constexpr std::chrono::microseconds kLongRest{100};

  std::atomic<uint32_t> state_{kFree};
};

/// A turn that is this thread's until the end of a scope, however that is left.
class TurnHeld {
 public:
  explicit TurnHeld(Turn& turn) : turn_(turn) { turn_.lock(); }
  ~TurnHeld() {
    if (!left_) static_cast<void>(turn_.leave());
  }
  TurnHeld(const TurnHeld&) = delete;
  TurnHeld& operator=(const TurnHeld&) = delete;

  /// As Turn::leave().
  [[nodiscard]] bool leave() {
    left_ = true;
    return turn_.leave();
  }

 private:
  Turn& turn_;
  bool left_ = false;
};

}  // namespace verbena::fabric
