// SPDX-License-Identifier: Apache-2.0
//
// Which links want to be pumped: by number, each at most once, first come first served.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace verbena::fabric {

/// Any thread shows interest; one thread at a time serves it. Room is never wanting, because a
/// link is in here at most once.
class Interests {
 public:
  explicit Interests(uint32_t links) : queued_(links), places_(std::bit_ceil(links)) {}

  /// False if the link is in here already: its pump is still to come, and will see what the
  /// caller has published, because the exchange here comes before the one of next() in the order of
  /// all changes of the flag, and that one acquires.
  bool show(uint32_t link) {
    if (queued_[link].flag.exchange(true, std::memory_order_seq_cst)) return false;
    uint64_t ticket = tail_.fetch_add(1, std::memory_order_relaxed);
    // seq_cst is C of Waiter: whoever shows interest looks afterwards whether somebody sleeps. It
    // pairs with the acquire in next(), too.
    place(ticket).store(link + 1, std::memory_order_seq_cst);
    return true;
  }

  /// Takes the next one out. It may be shown again from now on.
  std::optional<uint32_t> next() {
    uint64_t head = head_.load(std::memory_order_relaxed);  // written by who serves alone
    uint32_t found = place(head).load(std::memory_order_acquire);
    if (found == 0) return std::nullopt;
    place(head).store(0, std::memory_order_relaxed);
    head_.store(head + 1, std::memory_order_relaxed);
    queued_[found - 1].flag.exchange(false, std::memory_order_acq_rel);
    return found - 1;
  }

  /// One that is just being shown may be missed: its thread has not come to the wake-up yet. Of
  /// another thread than the one that serves it is a guess.
  bool empty() const {
    return place(head_.load(std::memory_order_relaxed)).load(std::memory_order_seq_cst) == 0;
  }

 private:
  struct alignas(64) Flag {
    std::atomic<bool> flag{false};
  };
  std::atomic<uint32_t>& place(uint64_t ticket) { return places_[ticket & (places_.size() - 1)]; }
  const std::atomic<uint32_t>& place(uint64_t ticket) const {
    return places_[ticket & (places_.size() - 1)];
  }

  std::vector<Flag> queued_;
  std::vector<std::atomic<uint32_t>> places_;  // link + 1; 0: empty
  alignas(64) std::atomic<uint64_t> tail_{0};
  alignas(64) std::atomic<uint64_t> head_{0};
};

}  // namespace verbena::fabric
