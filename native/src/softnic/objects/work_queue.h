// SPDX-License-Identifier: Apache-2.0
//
// Posted work requests, copied out of the caller's structures.
//
// A queue is a ring with 64-bit counts that never go back; slots are found by masking. Nothing is
// written to a slot before it is used: a queue that is long in case of need costs no memory, and no
// time to make.
#pragma once

#include <infiniband/verbs.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "softnic/objects/faults.h"

namespace verbena::softnic {

struct AddressHandle;

/// Most pieces of memory in one request.
inline constexpr uint32_t kMaxSge = 32;

struct SendRequest {
  uint64_t wrId;
  ibv_wr_opcode opcode;
  uint32_t flags;  // IBV_SEND_*
  uint32_t immediate;
  uint32_t sgeCount;
  uint64_t lengthBytes;  // sum of the scatter-gather list; more than 32 bits until checked
  uint64_t remoteAddress;
  uint64_t compareAdd;
  uint64_t swap;
  uint32_t rkey;
  uint32_t remoteQpn;
  uint32_t remoteQkey;
  uint64_t answeredBytes;  // of a READ's or atomic's response
  bool answered;           // the response is complete
  bool placed;             // of a WRITE: its data is in the peer's memory already
  const AddressHandle* destination;
  bool faultChosen;  // whether the fault script has been asked
  Fault fault;

  bool has(unsigned flag) const { return (flags & flag) != 0; }
  bool isAtomic() const {
    return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  }
  /// Completed by a response with data instead of an acknowledgement.
  bool hasResponse() const { return opcode == IBV_WR_RDMA_READ || isAtomic(); }
  bool hasImmediate() const {
    return opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  }
};

/// done <= sent <= posted: the requests between `sent` and `posted` wait for their turn, those
/// between `done` and `sent` for their acknowledgement.
class SendQueue {
 public:
  SendQueue(uint32_t capacity, uint32_t maxSge, uint32_t maxInline)
      : capacity_(capacity),
        mask_(std::bit_ceil(std::max(capacity, 1U)) - 1),
        maxSge_(maxSge),
        maxInline_(maxInline),
        requests_(std::make_unique_for_overwrite<SendRequest[]>(mask_ + 1)),
        sges_(std::make_unique_for_overwrite<ibv_sge[]>((mask_ + 1) * maxSge)),
        inline_(std::make_unique_for_overwrite<std::byte[]>((mask_ + 1) * maxInline)) {}

  uint64_t done = 0;
  uint64_t sent = 0;
  uint64_t posted = 0;

  bool full() const { return posted - done >= capacity_; }
  bool idle() const { return done == posted; }
  uint32_t capacity() const { return capacity_; }
  uint32_t maxSge() const { return maxSge_; }
  uint32_t maxInline() const { return maxInline_; }
  SendRequest& at(uint64_t index) { return requests_[index & mask_]; }
  ibv_sge* sges(uint64_t index) { return sges_.get() + (index & mask_) * maxSge_; }
  std::byte* inlineData(uint64_t index) { return inline_.get() + (index & mask_) * maxInline_; }

 private:
  uint32_t capacity_;
  uint64_t mask_;
  uint32_t maxSge_;
  uint32_t maxInline_;
  std::unique_ptr<SendRequest[]> requests_;
  std::unique_ptr<ibv_sge[]> sges_;
  std::unique_ptr<std::byte[]> inline_;
};

/// The receive queue of a queue pair, or a shared one.
class ReceiveQueue {
 public:
  /// Which request is next. A shared queue's has no order that verbs speak of: completions tell
  /// which one it was. The latest is in the caches, however many are posted for those who may send.
  enum class Next : uint8_t { Oldest, Latest };

  ReceiveQueue(uint32_t capacity, uint32_t maxSge, Next next = Next::Oldest)
      : next_(next),
        capacity_(capacity),
        mask_(std::bit_ceil(std::max(capacity, 1U)) - 1),
        maxSge_(maxSge),
        heads_(std::make_unique_for_overwrite<Head[]>(mask_ + 1)),
        sges_(std::make_unique_for_overwrite<ibv_sge[]>((mask_ + 1) * maxSge)) {}

  bool full() const { return posted_ - taken_ >= capacity_; }
  bool empty() const { return posted_ == taken_; }
  uint32_t waiting() const { return static_cast<uint32_t>(posted_ - taken_); }
  uint32_t capacity() const { return capacity_; }
  uint32_t maxSge() const { return maxSge_; }

  void post(const ibv_recv_wr& request) {
    auto count = static_cast<uint32_t>(request.num_sge);
    heads_[posted_ & mask_] = {request.wr_id, count};
    std::copy_n(request.sg_list, count, sges_.get() + (posted_ & mask_) * maxSge_);
    posted_++;
  }

  /// The next request, whose scatter list stays readable until the next post().
  struct Taken {
    uint64_t wrId;
    std::span<const ibv_sge> sges;
  };
  Taken take() {
    uint64_t at = front();
    if (next_ == Next::Oldest) {
      taken_++;
    } else {
      posted_--;
    }
    return {heads_[at].wrId, {sges_.get() + at * maxSge_, heads_[at].sgeCount}};
  }
  /// The room in the next request; 0 if there is none.
  uint64_t frontBytes() const {
    if (empty()) return 0;
    const ibv_sge* sges = sges_.get() + front() * maxSge_;
    uint64_t total = 0;
    for (uint32_t i = 0; i < heads_[front()].sgeCount; i++) total += sges[i].length;
    return total;
  }
  void clear() { taken_ = posted_; }

 private:
  struct Head {
    uint64_t wrId;
    uint32_t sgeCount;
  };
  uint64_t front() const { return (next_ == Next::Oldest ? taken_ : posted_ - 1) & mask_; }

  Next next_;
  uint32_t capacity_;
  uint64_t mask_;
  uint32_t maxSge_;
  uint64_t posted_ = 0;
  uint64_t taken_ = 0;
  std::unique_ptr<Head[]> heads_;
  std::unique_ptr<ibv_sge[]> sges_;
};

}  // namespace verbena::softnic
