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
  /// `room`: the most receives that can be posted. What windows get beyond the smallest never takes
  /// the room of connections that are still to come.
  WindowGrants(const EngineOptions& options, uint64_t room)
      : most_(options.window),
        least_(leastWithin(options, room)),
        receives_(std::min<uint64_t>(options.receiveWorkRequests, leftBeside(options, room))) {}

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
    auto window = static_cast<uint32_t>(std::clamp<uint64_t>(left / kShare, least_, most_));
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

  /// Smaller still where there is no room for so many connections otherwise.
  static uint32_t leastWithin(const EngineOptions& options, uint64_t room) {
    uint64_t each = std::max<uint64_t>(room / options.maxConnections, kReportsUnderWay + 1);
    return static_cast<uint32_t>(
        std::min<uint64_t>({kLeast, options.window, each - kReportsUnderWay}));
  }
  uint64_t leftBeside(const EngineOptions& options, uint64_t room) const {
    uint64_t promised = uint64_t{options.maxConnections} * (least_ + kReportsUnderWay);
    return room - std::min(room, promised);
  }

  const uint32_t most_;
  const uint32_t least_;
  const uint64_t receives_;  // that are shared out beside the smallest windows
  std::mutex lock_;
  std::atomic<uint64_t> granted_{0};  // changes under the lock
};

}  // namespace verbena::streams
