// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace verbena::streams {

/// Receives that have arrived and that the consumer has not taken, in order. One thread at a time
/// puts in, one at a time takes out. It has room for every receive there is.
class IncomingRing {
 public:
  explicit IncomingRing(uint32_t receives) : receives_(std::bit_ceil(receives)) {}

  void push(uint32_t receive) { receives_[filled_++ & (receives_.size() - 1)] = receive; }
  /// Shows what was pushed; false if nothing was.
  bool publish() {
    if (shown_.load(std::memory_order_relaxed) == filled_) return false;
    // release pairs with next(); seq_cst for Waiter::wakeIfArmed(), which follows
    shown_.store(filled_, std::memory_order_seq_cst);
    return true;
  }

  std::optional<uint32_t> next() {
    uint64_t taken = taken_.load(std::memory_order_relaxed);
    if (taken == shownSeen_) {
      shownSeen_ = shown_.load(std::memory_order_acquire);
      if (taken == shownSeen_) return std::nullopt;
    }
    uint32_t receive = receives_[taken & (receives_.size() - 1)];
    // The producer need not know: what it puts in has been given back before.
    taken_.store(taken + 1, std::memory_order_relaxed);
    return receive;
  }

  bool empty() const {
    return taken_.load(std::memory_order_relaxed) == shown_.load(std::memory_order_seq_cst);
  }

 private:
  std::vector<uint32_t> receives_;
  alignas(64) uint64_t filled_ = 0;
  std::atomic<uint64_t> shown_{0};
  alignas(64) std::atomic<uint64_t> taken_{0};
  uint64_t shownSeen_ = 0;
};

}  // namespace verbena::streams
