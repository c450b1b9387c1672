// SPDX-License-Identifier: Apache-2.0
//
// The requests of one queue pair: numbered from 1 as they are posted, and done in that order. Some
// of them report that they are done, which tells it of all before them.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace verbena::fabric {

/// Belongs to whoever has the link's turn, but for confirm() and confirmed().
class SendQueue {
 public:
  /// Places for what belongs to one request each: for the whole queue, the last one of all too, and
  /// a power of two. The place of a request is its number modulo that.
  static uint64_t places(uint32_t workRequests) {
    return std::bit_ceil(uint64_t{workRequests} + 1);
  }

  /// `reporting` counts the requests of all queues that will report.
  SendQueue(uint32_t workRequests, std::atomic<uint64_t>& reporting)
      : workRequests_(workRequests),
        reporting_(reporting),
        reports_(places(workRequests)),
        mask_(reports_.size() - 1) {}

  /// A new queue pair.
  void restart() {
    posted_ = reclaimed_ = 0;
    lastReporting_.store(0, std::memory_order_relaxed);
    refusedAt_ = kNever;
    confirmed_.store(0, std::memory_order_relaxed);
  }

  // --- posting
  struct Posted {
    uint32_t count;  ///< so many from the first on were taken
    int code;        ///< 0, or why the device took no more
  };
  /// Numbers the requests of a list and posts them. Those that are signalled report.
  Posted post(ibv_qp* queuePair, ibv_send_wr* first);

  /// How many more there is room for. One more is always possible, to be the last of the queue
  /// pair.
  uint32_t room() const {
    if (reclaimed_ == refusedAt_) return 0;
    return workRequests_ - static_cast<uint32_t>(posted_ - reclaimed_);
  }
  /// The device took no more: there is no room until another request is done. False if none is to
  /// be heard of, or the device means something else than a full queue.
  bool fillsUp(int code) {
    bool full = code == ENOMEM || code == EAGAIN;
    if (!full || lastReporting() <= reclaimed_) return false;
    refusedAt_ = reclaimed_;
    return true;
  }
  bool isRefused() const { return refusedAt_ == reclaimed_; }

  /// The number of the latest, and of the latest that reports; this one any thread may ask for.
  uint64_t posted() const { return posted_; }
  uint64_t lastReporting() const { return lastReporting_.load(std::memory_order_relaxed); }
  /// The number that leaves no room. If it does not report nobody hears when there is room again.
  uint64_t filling() const { return reclaimed_ + workRequests_; }
  uint64_t place(uint64_t number) const { return number & mask_; }

  // --- what is done
  /// Calls done(number) for each request that is done since the last call, whose place is free
  /// then.
  template <typename Done>
  void reclaim(Done done) {
    uint64_t confirmed = this->confirmed();
    while (reclaimed_ < confirmed) done(++reclaimed_);
  }
  /// By whoever polls: all requests up to that one are done. False if that was known.
  bool confirm(uint64_t number);
  /// Any thread; seq_cst pairs with confirm(), see Link::waits().
  uint64_t confirmed() const { return confirmed_.load(std::memory_order_seq_cst); }
  bool isEmpty() const { return confirmed() == posted_; }
  /// The queue pair has gone: what has not reported will not.
  void abandon() { forget(confirmed(), posted_); }

 private:
  static constexpr uint64_t kNever = UINT64_MAX;

  /// Those of (after, until] report no more.
  void forget(uint64_t after, uint64_t until);
  uint64_t reportsWithin(uint64_t after, uint64_t until) const;

  const uint32_t workRequests_;
  std::atomic<uint64_t>& reporting_;
  std::vector<uint8_t> reports_;  // by place; one byte each, as two threads look at neighbours
  const uint64_t mask_;
  uint64_t posted_ = 0;
  std::atomic<uint64_t> lastReporting_{0};
  uint64_t reclaimed_ = 0;
  uint64_t refusedAt_ = kNever;  // what was reclaimed when the device took no more
  std::atomic<uint64_t> confirmed_{0};
};

}  // namespace verbena::fabric
