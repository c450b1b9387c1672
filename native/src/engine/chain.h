// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "engine/out_stream.h"
#include "engine/slice.h"

namespace verbena::engine {

/// Sends that are posted together. Each has the slice header, then one piece of its stream's ring,
/// or two at the ring's end; a report has none of them.
class Chain {
 public:
  static constexpr uint32_t kLength = 32;

  /// What has to be undone of a send that the device did not take.
  struct Plan {
    OutStream* stream;  ///< null of a report
    uint32_t bytes;
    uint64_t end;  ///< in the stream
    bool signalled;
  };

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  uint32_t payloads() const { return payloads_; }
  const Plan& plan(uint32_t index) const { return plans_[index]; }
  ibv_send_wr* first() { return requests_.data(); }
  uint32_t indexOf(const ibv_send_wr* request) const {
    return static_cast<uint32_t>(request - requests_.data());
  }

  /// `header` is registered memory with the key `headerKey`; the stream's position moves on.
  void addSlice(OutStream& stream, uint32_t bytes, SliceHeader* header, uint32_t headerKey) {
    *header = toWire(stream.number, stream.posted);
    ibv_sge* pieces = &pieces_[size_t{size_} * kPieces];
    pieces[0] = {reinterpret_cast<uintptr_t>(header), kSliceHeaderBytes, headerKey};
    uint64_t offset = stream.posted & stream.mask;
    auto first = static_cast<uint32_t>(std::min<uint64_t>(bytes, stream.mask + 1 - offset));
    pieces[1] = {reinterpret_cast<uintptr_t>(stream.data + offset), first, stream.lkey};
    pieces[2] = {reinterpret_cast<uintptr_t>(stream.data), bytes - first, stream.lkey};
    stream.posted += bytes;
    payloads_++;
    add({&stream, bytes, stream.posted, false}, pieces, first == bytes ? 2 : 3);
  }

  void addReport() { add({nullptr, 0, 0, false}, nullptr, 0); }

  /// What is known only when the whole chain is.
  void finish(uint32_t index, uint64_t number, uint32_t immediate, bool signalled,
              uint32_t maxInline) {
    ibv_send_wr& request = requests_[index];
    Plan& plan = plans_[index];
    plan.signalled = signalled;
    request.wr_id = number;
    request.imm_data = immediate;
    uint32_t total = plan.stream == nullptr ? 0 : plan.bytes + kSliceHeaderBytes;
    request.send_flags = (signalled ? unsigned{IBV_SEND_SIGNALED} : 0U) |
                         (total <= maxInline ? unsigned{IBV_SEND_INLINE} : 0U);
  }

  /// The sends from `first` on were not posted: their streams go back.
  void takeBack(uint32_t first) {
    for (uint32_t i = first; i < size_; i++) {
      if (plans_[i].stream == nullptr) continue;
      plans_[i].stream->posted -= plans_[i].bytes;
      payloads_--;
    }
    size_ = first;
  }

  uint32_t signalledFrom(uint32_t first) const {
    uint32_t count = 0;
    for (uint32_t i = first; i < size_; i++) count += plans_[i].signalled ? 1 : 0;
    return count;
  }

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < size_; i++) sum += plans_[i].bytes;
    return sum;
  }

 private:
  static constexpr uint32_t kPieces = 3;

  void add(Plan plan, ibv_sge* pieces, int count) {
    // Field by field: a send has no use for the rest, and clearing it takes as long as posting.
    ibv_send_wr& request = requests_[size_];
    request.next = nullptr;
    request.sg_list = pieces;
    request.num_sge = count;
    request.opcode = IBV_WR_SEND_WITH_IMM;
    if (size_ > 0) requests_[size_ - 1].next = &request;
    plans_[size_++] = plan;
  }

  uint32_t size_ = 0;
  uint32_t payloads_ = 0;
  // Not initialized: only what is added is looked at.
  std::array<ibv_send_wr, kLength> requests_;
  std::array<ibv_sge, size_t{kLength} * kPieces> pieces_;
  std::array<Plan, kLength> plans_;
};

}  // namespace verbena::engine
