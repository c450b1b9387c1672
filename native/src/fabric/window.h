// SPDX-License-Identifier: Apache-2.0
//
// Flow control between the two ends of a link. The receiving end tells how many requests that take
// a receive and are kept by their consumer may be under way to it, its window, and reports how many
// of them it has done with: a cumulative count, so that a report that came twice does no harm. A
// window that grows by some is reported as if so many had been sent and were done.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace verbena::fabric {

/// The sending end. reserve() and takeBack() belong to whoever has the link's turn, report() to
/// whoever takes completions.
class SendWindow {
 public:
  void open(uint32_t farWindow) { open(farWindow, farWindow); }
  /// One that may grow.
  void open(uint32_t farWindow, uint32_t mostFarWindow) {
    size_ = farWindow;
    growth_ = mostFarWindow - farWindow;
    sent_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }

  /// How many more the far side has room for.
  uint32_t room() const {
    // seq_cst pairs with hear(), see there
    uint64_t done = done_.load(std::memory_order_seq_cst);
    return size_ - static_cast<uint32_t>(sent_.load(std::memory_order_relaxed) - done);
  }

  /// Before they are posted: their report may come before the call that posts them returns.
  void reserve(uint32_t sends) {
    // release pairs with report()
    sent_.store(sent_.load(std::memory_order_relaxed) + sends, std::memory_order_release);
  }
  /// Of sends that were not posted after all.
  void takeBack(uint32_t sends) {
    sent_.store(sent_.load(std::memory_order_relaxed) - sends, std::memory_order_release);
  }

  /// The far side's count has come in. False if it claims to be done with more than was sent,
  /// beyond what its window may grow by.
  bool report(uint16_t count) {
    std::optional<uint64_t> done = read(count);
    if (done) hear(*done);
    return done.has_value();
  }
  /// The same in two steps: what the count means now, of which the mask's bits are told, and making
  /// room, in any order.
  std::optional<uint64_t> read(uint16_t count, uint16_t mask = UINT16_MAX) const {
    uint64_t done = done_.load(std::memory_order_relaxed);
    // No more are under way or to be added, so the lower bits tell all of it.
    uint64_t more = (count - done) & mask;
    // Signed: a window that has grown lets more be done than was sent.
    auto underWay = static_cast<int64_t>(sent_.load(std::memory_order_acquire) - done);
    if (static_cast<int64_t>(more) > underWay + growth_) return std::nullopt;
    return done + more;
  }
  void hear(uint64_t done) {
    // seq_cst pairs with Link::waits(): either the report sees that a pump waits for room,
    // or the pump sees the room
    if (done > this->done()) done_.store(done, std::memory_order_seq_cst);
  }

  uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }
  uint64_t done() const { return done_.load(std::memory_order_relaxed); }

 private:
  uint32_t size_ = 0;
  int64_t growth_ = 0;  // at most
  std::atomic<uint64_t> sent_{0};
  std::atomic<uint64_t> done_{0};
};

/// The receiving end: what was given back, by any thread, and how much of that has been reported,
/// by whoever has the link's turn. A place for a link is used again and again, and what came over
/// an earlier one may be given back late: it carries that one's generation, and counts for nobody.
class ReceiveWindow {
 public:
  /// Starts a new life; returns its generation.
  uint32_t open(uint32_t window) {
    window_.store(window, std::memory_order_relaxed);
    received_ = 0;
    reported_.store(0, std::memory_order_relaxed);
    grownAt_.store(0, std::memory_order_relaxed);
    uint32_t generation = generationOf(account_.load(std::memory_order_relaxed)) + 1;
    account_.store(uint64_t{generation} << 32, std::memory_order_release);
    return generation;
  }

  /// Nothing counts any more. Returns how many the consumer still has.
  uint32_t shut() {
    window_.store(0, std::memory_order_relaxed);
    uint64_t next = uint64_t{generationOf(account_.load(std::memory_order_relaxed)) + 1} << 32;
    // One change ends the counting, so that each is given back either before it or after it.
    uint64_t last = account_.exchange(next, std::memory_order_acq_rel);
    return received_ - static_cast<uint32_t>(last);
  }

  /// One has come. False if the far side had no right to it.
  bool receive() {
    if (received_ - givenBack() >= window_.load(std::memory_order_relaxed)) return false;
    received_++;
    return true;
  }

  /// So many more may be under way, for which there are receives; a report is due. By whoever takes
  /// completions.
  void grow(uint32_t more) {
    received_ += more;
    window_.store(size() + more, std::memory_order_relaxed);
    uint64_t account = account_.load(std::memory_order_relaxed);
    // release as in giveBack()
    while (
        !account_.compare_exchange_weak(account, bump(account, more), std::memory_order_acq_rel)) {
    }
    grownAt_.store(kGrown | static_cast<uint32_t>(bump(account, more)), std::memory_order_release);
  }
  uint32_t size() const { return window_.load(std::memory_order_relaxed); }

  enum class GivenBack : uint8_t {
    Late,     ///< of an earlier life
    Counted,  ///< the far side need not hear of it yet
    ReportDue,
  };
  /// Several at once of one generation.
  GivenBack giveBack(uint32_t generation, uint32_t count = 1) {
    uint64_t account = account_.load(std::memory_order_relaxed);
    uint64_t next;
    do {
      if (generationOf(account) != generation) return GivenBack::Late;
      next = bump(account, count);
      // release pairs with givenBack(): whoever reports the count has the buffer's end behind him
    } while (!account_.compare_exchange_weak(account, next, std::memory_order_acq_rel));
    return due(static_cast<uint32_t>(next)) ? GivenBack::ReportDue : GivenBack::Counted;
  }

  uint32_t givenBack() const {
    return static_cast<uint32_t>(account_.load(std::memory_order_acquire));
  }
  /// More than half a window is not reported: the far side may be about to stand still. Or the
  /// window has grown.
  bool due() const { return grownAt_.load(std::memory_order_acquire) != 0 || due(givenBack()); }
  void reported(uint32_t count) {
    reported_.store(count, std::memory_order_relaxed);
    uint64_t grownAt = grownAt_.load(std::memory_order_relaxed);
    bool heard = grownAt != 0 && static_cast<int32_t>(count - static_cast<uint32_t>(grownAt)) >= 0;
    if (heard) grownAt_.compare_exchange_strong(grownAt, 0, std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t kGrown = uint64_t{1} << 32;

  static uint32_t generationOf(uint64_t account) { return static_cast<uint32_t>(account >> 32); }
  static uint64_t bump(uint64_t account, uint32_t count) {
    return (account & ~uint64_t{UINT32_MAX}) | static_cast<uint32_t>(account + count);
  }
  /// An old view of what was reported makes a report due once too often, never once too rarely.
  bool due(uint32_t count) const {
    uint32_t owed = count - reported_.load(std::memory_order_relaxed);
    return owed > window_.load(std::memory_order_relaxed) / 2;
  }

  std::atomic<uint32_t> window_{0};
  std::atomic<uint64_t> account_{0};  // generation, and how many of it were given back
  std::atomic<uint32_t> reported_{0};
  std::atomic<uint64_t> grownAt_{0};  // kGrown and the count that tells of it; 0: it was told
  uint32_t received_ = 0;             // by whoever takes completions
};

}  // namespace verbena::fabric
