// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "streams/options.h"
#include "streams/terms.h"

namespace verbena::streams {

/// How large a window each connection gets: a small one first, and more when it has used that up
/// quickly. What all of them have grown by fits into the receives that are configured; for the
/// first windows there are more receives. Any thread: links are made by one, and grow and end by
/// another.
class WindowGrants {
 public:
  /// `room`: the most receives that can be posted. What windows grow by never takes the room of
  /// connections that are still to come.
  WindowGrants(const EngineOptions& options, uint64_t room)
      : most_(mostOf(options)),
        first_(firstWithin(options, room)),
        receives_(std::min<uint64_t>(options.receiveWorkRequests, leftBeside(options, room))) {}

  /// Receives that all of them may need at most.
  static uint64_t most(const EngineOptions& options) {
    return uint64_t{options.receiveWorkRequests} + options.maxConnections * options.firstWindow;
  }

  uint32_t first() const { return first_; }
  /// What a window may grow to. Its sends with payload leave one for a report.
  uint32_t most() const { return most_; }

  /// Receives that open connections may need.
  uint64_t promised() const { return granted_.load(std::memory_order_relaxed); }
  /// A first window.
  uint32_t take() {
    std::lock_guard guard(lock_);
    granted_.store(promised() + first_, std::memory_order_relaxed);
    return first_;
  }
  /// What a window of so many grows by, so that no more than `capacity` are promised: about as much
  /// as it has. 0 if there is too little left for it.
  uint32_t grow(uint32_t window, uint64_t capacity) {
    std::lock_guard guard(lock_);
    uint64_t left = receives_ - grown_;
    uint64_t there = capacity - std::min(capacity, promised());
    uint64_t wanted = std::min(window, most_ - window);
    if (most_ - window - wanted < kLeastGrowth) wanted = most_ - window;
    uint64_t more = std::min({wanted, left / kShare, there});
    if (more < kLeastGrowth) return 0;
    grown_ += more;
    granted_.store(promised() + more, std::memory_order_relaxed);
    return static_cast<uint32_t>(more);
  }
  /// What grow() has given is not used after all.
  void shrink(uint32_t more) {
    std::lock_guard guard(lock_);
    grown_ -= more;
    granted_.store(promised() - more, std::memory_order_relaxed);
  }
  void giveBack(uint32_t window) {
    std::lock_guard guard(lock_);
    grown_ -= window - first_;
    granted_.store(promised() - window, std::memory_order_relaxed);
  }

 private:
  /// A report of it lets the far side answer with a send that reports, too.
  static constexpr uint64_t kLeastGrowth = 2;
  /// One connection gets at most this part of what is left.
  static constexpr uint64_t kShare = 4;

  static uint32_t mostOf(const EngineOptions& options) {
    return std::max(options.window + 1, kLeastWindow);
  }
  /// Smaller where there is no room for so many connections otherwise.
  static uint32_t firstWithin(const EngineOptions& options, uint64_t room) {
    uint64_t each = std::max<uint64_t>(room / options.maxConnections, kLeastWindow);
    return static_cast<uint32_t>(std::min<uint64_t>({options.firstWindow, mostOf(options), each}));
  }
  uint64_t leftBeside(const EngineOptions& options, uint64_t room) const {
    uint64_t promised = uint64_t{options.maxConnections} * first_;
    return room - std::min(room, promised);
  }

  const uint32_t most_;
  const uint32_t first_;
  const uint64_t receives_;  // that windows may grow by, all together
  std::mutex lock_;
  uint64_t grown_ = 0;                // so far
  std::atomic<uint64_t> granted_{0};  // changes under the lock
};

}  // namespace verbena::streams
