// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>

#include "connect/link.h"
#include "streams/ring.h"

namespace verbena::streams {

/// The stream that every connection has: any thread writes it, and what has been confirmed by the
/// far side's device makes room.
class ControlStream : public Source {
 public:
  ControlStream(std::byte* ring, uint32_t bytes) : ring_(ring), mask_(bytes - 1) {}

  /// A new connection begins. Who still writes for an earlier one is turned away from here on.
  void restart(connect::LinkId owner) {
    std::lock_guard guard(lock_);
    owner_ = owner;
    written_.store(0, std::memory_order_relaxed);
    confirmed_.store(0, std::memory_order_relaxed);
  }

  /// For a connection, which may have ended since the caller found it. Returns how many bytes there
  /// was room for.
  size_t write(connect::LinkId owner, std::span<const std::byte> bytes) {
    std::lock_guard guard(lock_);
    if (owner != owner_) return 0;
    uint64_t from = written_.load(std::memory_order_relaxed);
    // acquire pairs with confirm(): the device reads these bytes no more
    uint64_t used = from - confirmed_.load(std::memory_order_acquire);
    size_t count = std::min<size_t>(bytes.size(), mask_ + 1 - used);
    size_t first = std::min<size_t>(count, mask_ + 1 - (from & mask_));
    if (count == 0) return 0;
    std::memcpy(ring_ + (from & mask_), bytes.data(), first);
    std::memcpy(ring_, bytes.data() + first, count - first);
    written_.store(from + count, std::memory_order_release);  // pairs with publishedEnd()
    return count;
  }

  uint64_t publishedEnd(uint64_t, uint64_t) override {
    return written_.load(std::memory_order_acquire);
  }
  /// By whoever has the connection's turn.
  void confirm(uint64_t position) { confirmed_.store(position, std::memory_order_release); }

  std::byte* ring() const { return ring_; }
  uint64_t mask() const { return mask_; }

 private:
  std::mutex lock_;  // between writers, and with restart(); held for the copy alone
  connect::LinkId owner_ = 0;
  std::byte* ring_;
  uint64_t mask_;
  std::atomic<uint64_t> written_{0};
  std::atomic<uint64_t> confirmed_{0};
};

}  // namespace verbena::streams
