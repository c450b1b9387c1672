// SPDX-License-Identifier: Apache-2.0
//
// What puts with a signal leave at their target besides the bytes: a number each, in order for each
// link. It takes a receive, so each end says how many it has room for (window.h), and reports what
// was taken.
//
// Both arrive in one queue: signals as the immediate data of writes, reports as that of empty
// sends.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "connect/link.h"
#include "fabric/domain.h"
#include "fabric/spsc_ring.h"
#include "verbs/completion.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::fabric {

class Worker;

struct Signal {
  connect::LinkId link;
  connect::NodeId peer;
  uint32_t value;
};

/// Receives of all links of a service, and what has arrived and was not taken yet.
class Signals {
 public:
  /// Besides signals a link may have reports under way to us: one for each half of a window, and
  /// one more.
  static constexpr uint32_t kReportsUnderWay = 3;

  /// The most signals of each of so many links that the device has room for.
  static uint32_t mostEach(const Domain& domain, uint32_t links);
  /// EINVAL, naming the option, if the device has no such long queue.
  static base::Result<std::unique_ptr<Signals>> create(Worker& worker, uint32_t links,
                                                       uint32_t each);

  const verbs::CompletionQueue& arrivals() const { return arrivals_; }
  const verbs::SharedReceiveQueue& receives() const { return receives_; }

  // --- room for what is not taken; any thread
  /// For a link's window: what is left for one at most, with receives for that and for reports. 0:
  /// links that have ended left signals that nobody takes.
  uint32_t reserve();
  void giveBack(uint32_t count) { free_.fetch_add(count, std::memory_order_relaxed); }

  // --- by whoever has the turn to poll
  /// Takes a batch of what has arrived, and hands each to arrived(wc). Returns how many.
  template <typename Arrived>
  size_t take(Arrived arrived);
  /// As many receives as that took.
  void postReceives();
  struct Entry {
    Signal signal;
    uint32_t place;       // of the link
    uint32_t generation;  // of its window
  };
  void push(const Entry& entry) { ring_.push(entry); }
  /// Shows what was pushed.
  void publish() { static_cast<void>(ring_.publish()); }

  // --- by whoever takes them
  std::optional<Entry> next() { return ring_.next(); }
  bool empty() const { return ring_.empty(); }

 private:
  static constexpr size_t kBatch = 64;

  Signals(Worker& worker, uint32_t links, uint32_t each, verbs::CompletionQueue arrivals,
          verbs::SharedReceiveQueue receives);
  int takeBatch();
  /// Posts receives for one more window, as long as there are not those of all links. What a window
  /// leaves behind serves the next, so a link's successor posts only what is still to be posted.
  void cover(uint32_t window);
  /// Posts so many, and counts them down. Returns 0 or the device's error.
  int post(uint32_t& missing);

  Worker& worker_;
  const uint32_t each_;
  const uint32_t total_;  // receives
  verbs::CompletionQueue arrivals_;
  verbs::SharedReceiveQueue receives_;
  SpscRing<Entry> ring_;
  std::atomic<uint32_t> free_;       // places of it that no window may fill
  std::atomic<uint32_t> uncovered_;  // receives that no window has needed yet
  std::atomic<uint32_t> owed_{0};    // those of a window that the device refused
  uint32_t missing_ = 0;             // those that were taken
  std::array<ibv_wc, kBatch> batch_{};
};

template <typename Arrived>
size_t Signals::take(Arrived arrived) {
  int count = takeBatch();
  if (count <= 0) return 0;
  for (const ibv_wc& each : std::span(batch_).first(static_cast<size_t>(count))) arrived(each);
  missing_ += static_cast<uint32_t>(count);
  return static_cast<size_t>(count);
}

}  // namespace verbena::fabric
