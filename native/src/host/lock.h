// SPDX-License-Identifier: Apache-2.0
//
// The lock of a context: short sections, mostly uncontended, never shared with another process, so
// that a killed peer can never leave it held.
#pragma once

#include <atomic>
#include <cstdint>

#include "host/futex.h"

namespace verbena::host {

/// A mutex that spins for about the length of one section before it sleeps. Meets the standard's
/// Lockable, so std::lock_guard and std::unique_lock work on it.
class Lock {
 public:
  void lock() {
    uint32_t expected = kFree;
    // acquire pairs with the release in unlock()
    if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire)) lockSlowly();
  }

  bool try_lock() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire);
  }

  void unlock() {
    // release pairs with the acquire of the next holder
    if (state_.exchange(kFree, std::memory_order_release) == kContended) futexWake(state_, 1);
  }

  /// Whether somebody sleeps for the lock: a long section gives it up now and then.
  bool contended() const { return state_.load(std::memory_order_relaxed) == kContended; }

 private:
  static constexpr uint32_t kFree = 0;       // nobody holds it
  static constexpr uint32_t kHeld = 1;       // held, nobody sleeps
  static constexpr uint32_t kContended = 2;  // held, and somebody may sleep
  static constexpr int kSpins = 200;

  void lockSlowly() {
    for (int spin = 0; spin < kSpins; spin++) {
      if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
      pause();
    }
    while (state_.exchange(kContended, std::memory_order_acquire) != kFree) {
      futexWait(state_, kContended, kForever);
    }
  }

  std::atomic<uint32_t> state_{kFree};
};

}  // namespace verbena::host
