// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/zeroed.h"

namespace verbena::fabric {

/// What many threads put in, and one at a time takes out: in the order in which they began to put
/// it in. Whoever fills it keeps count of what is in it, with a number that is changed with
/// acquire and release: there is always room.
template <typename T>
class MpscRing {
 public:
  explicit MpscRing(uint64_t most) : places_(std::bit_ceil(most)) {}

  uint64_t room() const { return places_.size(); }

  void push(std::span<const T> values) {
    // acq_rel: who has had room made for him, which some thread that came before us has, has seen
    // that the place was read
    uint64_t first = filled_.fetch_add(values.size(), std::memory_order_acq_rel);
    for (size_t i = 0; i < values.size(); i++) {
      Place& place = at(first + i);
      place.value = values[i];
      // pairs with take(); the last one is seq_cst for Waiter::wakeIfArmed(), which follows
      bool last = i + 1 == values.size();
      place.filled.store(first + i + 1,
                         last ? std::memory_order_seq_cst : std::memory_order_release);
    }
  }

  size_t take(std::span<T> values) {
    uint64_t taken = taken_.load(std::memory_order_relaxed);  // written by who takes alone
    size_t count = 0;
    for (; count < values.size(); count++) {
      Place& place = at(taken + count);
      if (place.filled.load(std::memory_order_acquire) != taken + count + 1) break;
      values[count] = place.value;
    }
    // Who fills it need not know: it counts what it may put in otherwise.
    if (count != 0) taken_.store(taken + count, std::memory_order_relaxed);
    return count;
  }

  /// Whether nothing can be taken.
  bool empty() const {
    uint64_t taken = taken_.load(std::memory_order_relaxed);
    return at(taken).filled.load(std::memory_order_seq_cst) != taken + 1;
  }

 private:
  struct alignas(64) Place {
    std::atomic<uint64_t> filled;  // the number of what is here, from 1; 0: nothing yet
    T value;
  };
  Place& at(uint64_t number) { return places_[number & (places_.size() - 1)]; }
  const Place& at(uint64_t number) const { return places_[number & (places_.size() - 1)]; }

  base::Zeroed<Place> places_;
  alignas(64) std::atomic<uint64_t> filled_{0};
  alignas(64) std::atomic<uint64_t> taken_{0};
};

}  // namespace verbena::fabric
