// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace verbena::base {

/// How often something happened. Nothing is ordered by it, and any thread may read it.
class Count {
 public:
  /// By whoever has the turn that the count belongs to: a plain addition, because there is nobody
  /// else. Who has the turn next sees it, because turns acquire and release.
  void add(uint64_t more = 1) { count_.store(*this + more, std::memory_order_relaxed); }
  /// Likewise: what it counts begins anew.
  void restart(uint64_t from = 0) { count_.store(from, std::memory_order_relaxed); }
  /// By any thread at any time.
  void addShared(uint64_t count = 1) { count_.fetch_add(count, std::memory_order_relaxed); }
  operator uint64_t() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> count_{0};
};

}  // namespace verbena::base
