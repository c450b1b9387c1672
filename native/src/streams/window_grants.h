// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "streams/options.h"

namespace verbena::streams {

/// How large a window each connection gets. All of them together fit into the receives that are
/// configured as long as these last. After that connections still get a small one, for which there
/// are more receives. Any thread: links are made by one and end by another.
class WindowGrants {
 public:
  explicit WindowGrants(const EngineOptions& options)
      : receives_(options.receiveWorkRequests), most_(options.window) {}

  /// Receives that all of them may need at most.
  static uint64_t most(const EngineOptions& options) {
    uint64_t each = std::min(kLeast, options.window) + kReportsUnderWay;
    return uint64_t{options.receiveWorkRequests} + options.maxConnections * each;
  }

  /// Receives that open connections may need.
  uint64_t promised() const { return granted_.load(std::memory_order_relaxed); }
  uint32_t take() {
    std::lock_guard guard(lock_);
    uint64_t left = receives_ - std::min(receives_, promised());
    uint32_t window =
        static_cast<uint32_t>(std::clamp<uint64_t>(left / kShare, std::min(kLeast, most_), most_));
    granted_.store(promised() + window + kReportsUnderWay, std::memory_order_relaxed);
    return window;
  }
  void giveBack(uint32_t window) {
    std::lock_guard guard(lock_);
    granted_.store(promised() - window - kReportsUnderWay, std::memory_order_relaxed);
  }

 private:
  /// Besides the sends of its window a connection may have reports under way to us: one for what it
  /// got back last, one for what it got back before, and one that flushes.
  static constexpr uint32_t kReportsUnderWay = 3;
  /// Even when receives are short a connection gets so many sends, so that it can go on while a
  /// report travels.
  static constexpr uint32_t kLeast = 4;
  /// One connection gets at most this part of the receives that are not promised to another.
  static constexpr uint64_t kShare = 4;

  const uint64_t receives_;
  const uint32_t most_;
  std::mutex lock_;
  std::atomic<uint64_t> granted_{0};  // changes under the lock
};

}  // namespace verbena::streams
