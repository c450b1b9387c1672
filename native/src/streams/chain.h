// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "streams/out_stream.h"
#include "streams/slice.h"

namespace verbena::streams {

/// Requests that are posted together. A slice is one send: the slice header, then one piece of its
/// stream's ring, or two at the ring's end. A placed slice is written into the far side's memory by
/// one request, or two at the ring's end, and the send that follows has the header alone. A report
/// is a send without anything.
class Chain {
 public:
  static constexpr uint32_t kLength = 32;
  /// Requests that a placed slice takes at most.
  static constexpr uint32_t kPlacedLength = 3;

  enum class Kind : uint8_t { Report, Slice, Write };

  /// What has to be undone of a request that the device did not take.
  struct Plan {
    Kind kind;
    OutStream* stream;   ///< null of a report
    uint32_t bytes;      ///< of the stream; a placed slice's belong to its send
    uint32_t wireBytes;  ///< in the request's pieces
    uint64_t end;        ///< in the stream
  };

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Sends that take one of the far side's receives, and count in its window.
  uint32_t sends() const { return size_ - writes_; }
  uint32_t payloads() const { return payloads_; }
  uint32_t writes() const { return writes_; }
  const Plan& plan(uint32_t index) const { return plans_[index]; }
  ibv_send_wr* first() { return requests_.data(); }

  /// `header` is registered memory with the key `headerKey`; the stream's position moves on.
  void addSlice(OutStream& stream, uint32_t bytes, SliceHeader* header, uint32_t headerKey) {
    *header = toWire(stream.number, stream.posted, 0);
    ibv_sge* pieces = nextPieces();
    pieces[0] = {reinterpret_cast<uintptr_t>(header), kSliceHeaderBytes, headerKey};
    uint32_t first = stream.untilRingEnd(bytes);
    pieces[1] = stream.piece(stream.posted, first);
    if (first < bytes) pieces[2] = stream.piece(stream.posted + first, bytes - first);
    addSend(stream, bytes, kSliceHeaderBytes + bytes, pieces, first == bytes ? 2 : 3);
  }

  /// How many writes bring a placed slice across before its send.
  static uint32_t writesFor(const OutStream& stream, uint32_t bytes) {
    return stream.untilRingEnd(bytes) == bytes ? 1 : 2;
  }
  void addPlaced(OutStream& stream, uint32_t bytes, SliceHeader* header, uint32_t headerKey) {
    *header = toWire(stream.number, stream.posted, bytes);
    uint32_t first = stream.untilRingEnd(bytes);
    addWrite(stream, stream.posted, first);
    if (first < bytes) addWrite(stream, stream.posted + first, bytes - first);
    ibv_sge* pieces = nextPieces();
    pieces[0] = {reinterpret_cast<uintptr_t>(header), kSliceHeaderBytes, headerKey};
    addSend(stream, bytes, kSliceHeaderBytes, pieces, 1);
  }

  void addReport() { add({Kind::Report, nullptr, 0, 0, 0}, IBV_WR_SEND_WITH_IMM, nullptr, 0); }

  /// What is known only when the whole chain is.
  void finish(uint32_t index, uint32_t immediate, bool signalled, uint32_t maxInline) {
    ibv_send_wr& request = requests_[index];
    const Plan& plan = plans_[index];
    request.imm_data = immediate;
    request.send_flags = (signalled ? unsigned{IBV_SEND_SIGNALED} : 0U) |
                         (plan.wireBytes <= maxInline ? unsigned{IBV_SEND_INLINE} : 0U);
  }

  /// The sends from `first` on were not posted: their streams go back.
  void takeBack(uint32_t first) {
    for (uint32_t i = first; i < size_; i++) {
      if (plans_[i].kind == Kind::Write) writes_--;
      if (plans_[i].kind != Kind::Slice) continue;
      plans_[i].stream->posted -= plans_[i].bytes;
      payloads_--;
    }
    size_ = first;
  }

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < size_; i++) sum += plans_[i].bytes;
    return sum;
  }

 private:
  static constexpr uint32_t kPieces = 3;

  ibv_sge* nextPieces() { return &pieces_[size_t{size_} * kPieces]; }

  void addSend(OutStream& stream, uint32_t bytes, uint32_t wireBytes, ibv_sge* pieces, int count) {
    stream.posted += bytes;
    payloads_++;
    add({Kind::Slice, &stream, bytes, wireBytes, stream.posted}, IBV_WR_SEND_WITH_IMM, pieces,
        count);
  }

  void addWrite(OutStream& stream, uint64_t position, uint32_t bytes) {
    ibv_sge* pieces = nextPieces();
    pieces[0] = stream.piece(position, bytes);
    requests_[size_].wr.rdma = {stream.place->address + (position & stream.mask),
                                stream.place->key};
    writes_++;
    add({Kind::Write, &stream, 0, bytes, position}, IBV_WR_RDMA_WRITE, pieces, 1);
  }

  void add(Plan plan, ibv_wr_opcode opcode, ibv_sge* pieces, int count) {
    // Field by field: a send has no use for the rest, and clearing it takes as long as posting.
    ibv_send_wr& request = requests_[size_];
    request.next = nullptr;
    request.sg_list = pieces;
    request.num_sge = count;
    request.opcode = opcode;
    if (size_ > 0) requests_[size_ - 1].next = &request;
    plans_[size_++] = plan;
  }

  uint32_t size_ = 0;
  uint32_t payloads_ = 0;
  uint32_t writes_ = 0;
  // Not initialized: only what is added is looked at.
  std::array<ibv_send_wr, kLength> requests_;
  std::array<ibv_sge, size_t{kLength} * kPieces> pieces_;
  std::array<Plan, kLength> plans_;
};

}  // namespace verbena::streams
