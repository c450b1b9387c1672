// SPDX-License-Identifier: Apache-2.0
#include "streams/shared_receives.h"

#include <algorithm>
#include <bit>

namespace verbena::streams {
namespace {

/// A slab is about so large, and has at least a few receives.
constexpr uint64_t kSlabBytes = 1 << 20;
constexpr uint64_t kLeastOfSlab = 4;
constexpr uint64_t kMostOfSlab = 32;

ReceiveMemory::Sizes sizesOf(const EngineOptions& options, uint32_t headBytes) {
  uint64_t receives =
      std::bit_floor(std::clamp(kSlabBytes / options.receiveBytes(), kLeastOfSlab, kMostOfSlab));
  return {.headBytes = headBytes,
          .bodyBytes = options.receiveBytes() - headBytes,
          .slabReceives = static_cast<uint32_t>(receives)};
}

}  // namespace

SharedReceives::SharedReceives(const verbs::SharedReceiveQueue& queue, const EngineOptions& options,
                               const Limits& limits, Counters& counters)
    : queue_(queue),
      counters_(counters),
      memory_(sizesOf(options, limits.headBytes), limits.most),
      receives_(limits.most),
      returned_(limits.most) {
  free_.reserve(most());
  taken_.reserve(most());
  // The lowest ones, which have memory first, are taken first.
  for (uint32_t receive = most(); receive > 0; receive--) free_.push_back(receive - 1);
}

int SharedReceives::refill() {
  takeReturned();
  while (uint32_t length = due()) {
    if (int code = postChain(length); code != 0) return code;
  }
  return 0;
}

void SharedReceives::takeReturned() {
  taken_.clear();
  returned_.takeAll([this](uint32_t receive) {
    note(receives_[receive]);
    discard(receive);
  });
}

/// Mostly several of one connection come together.
void SharedReceives::note(const Receive& returned) {
  bool same = !taken_.empty() && taken_.back().connection == returned.connection &&
              taken_.back().generation == returned.generation;
  if (same) {
    taken_.back().count++;
  } else {
    taken_.push_back({returned.connection, returned.generation, 1});
  }
}

/// What goes beyond the need is there to be used up before the next chain has to be posted.
uint32_t SharedReceives::due() const {
  if (active() > needed_) return 0;
  return std::min(kChain, std::min(needed_ + kChain, capacity()) - active());
}

int SharedReceives::describe(uint32_t receive, ibv_sge* pieces) const {
  uint32_t lkey = memory_.lkey(receive);
  int count = 0;
  if (memory_.headBytes() != 0) {
    pieces[count++] = {reinterpret_cast<uintptr_t>(memory_.head(receive)), memory_.headBytes(),
                       lkey};
  }
  pieces[count++] = {reinterpret_cast<uintptr_t>(memory_.body(receive)), memory_.bodyBytes(), lkey};
  return count;
}

int SharedReceives::postChain(uint32_t length) {
  std::array<ibv_recv_wr, kChain> chain;
  std::array<ibv_sge, kChain * kPieces> list;
  for (uint32_t i = 0; i < length; i++) {
    uint32_t number = free_.back();
    free_.pop_back();
    ibv_sge* pieces = &list[i * kPieces];
    chain[i] = {number, i + 1 < length ? &chain[i + 1] : nullptr, pieces, describe(number, pieces)};
  }
  ibv_recv_wr* refused = nullptr;
  int code = ibv_post_srq_recv(queue_.get(), chain.data(), &refused);
  counters_.refills.add();
  auto taken = code == 0 ? length : static_cast<uint32_t>(refused - chain.data());
  for (uint32_t i = length; i > taken; i--) discard(static_cast<uint32_t>(chain[i - 1].wr_id));
  posted_.store(posted() + taken, std::memory_order_relaxed);
  return code;
}

Receive& SharedReceives::arrived(uint32_t number, uint32_t bytes) {
  posted_.store(posted() - 1, std::memory_order_relaxed);
  Receive& receive = receives_[number];
  receive.bytes = bytes;
  return receive;
}

uint32_t SharedReceives::giveBack(std::span<const uint32_t> receives) {
  fabric::ReturnStack::Chain chain(returned_);
  uint32_t unheld = 0;
  for (uint32_t receive : receives) {
    // acq_rel pairs with the store in StreamService: the record is the arrival's
    bool held =
        receive < most() && receives_[receive].held.exchange(false, std::memory_order_acq_rel);
    if (held) {
      chain.add(receive);
    } else {
      unheld++;
    }
  }
  chain.push();
  return unheld;
}

}  // namespace verbena::streams
