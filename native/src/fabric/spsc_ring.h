// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "base/zeroed.h"

namespace verbena::fabric {

/// What one thread at a time puts in, and one at a time takes out, in order. Whoever fills it keeps
/// count of what is in it: there is always room.
template <typename T>
class SpscRing {
 public:
  explicit SpscRing(uint64_t most) : places_(std::bit_ceil(most)) {}

  uint64_t room() const { return places_.size(); }

  void push(const T& value) { at(filled_++) = value; }
  /// Shows what was pushed; false if nothing was.
  bool publish() {
    if (shown_.load(std::memory_order_relaxed) == filled_) return false;
    // release pairs with take() and next(); seq_cst for Waiter::wakeIfArmed(), which follows
    shown_.store(filled_, std::memory_order_seq_cst);
    return true;
  }

  std::optional<T> next() {
    T value;
    return take(std::span(&value, 1)) == 0 ? std::nullopt : std::optional(value);
  }
  size_t take(std::span<T> values) {
    uint64_t taken = taken_.load(std::memory_order_relaxed);  // written by who takes alone
    if (shownSeen_ - taken < values.size()) shownSeen_ = shown_.load(std::memory_order_acquire);
    size_t count = std::min<uint64_t>(values.size(), shownSeen_ - taken);
    for (size_t i = 0; i < count; i++) values[i] = at(taken + i);
    // Who fills it need not know: it counts what it may put in otherwise.
    taken_.store(taken + count, std::memory_order_relaxed);
    return count;
  }

  bool empty() const {
    return taken_.load(std::memory_order_relaxed) == shown_.load(std::memory_order_seq_cst);
  }

 private:
  T& at(uint64_t number) { return places_[number & (places_.size() - 1)]; }

  base::Zeroed<T> places_;
  alignas(64) uint64_t filled_ = 0;
  std::atomic<uint64_t> shown_{0};
  alignas(64) std::atomic<uint64_t> taken_{0};
  uint64_t shownSeen_ = 0;
};

}  // namespace verbena::fabric
