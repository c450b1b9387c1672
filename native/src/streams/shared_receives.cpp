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
      requests_(limits.most),
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

void SharedReceives::add(fabric::Registered slab) {
  uint32_t first = capacity();
  memory_.add(std::move(slab));
  for (uint32_t receive = first; receive < capacity(); receive++) describe(receive);
}

void SharedReceives::describe(uint32_t receive) {
  Request& made = requests_[receive];
  uint32_t lkey = memory_.lkey(receive);
  int count = 0;
  if (memory_.headBytes() != 0) {
    made.pieces[count++] = {reinterpret_cast<uintptr_t>(memory_.head(receive)), memory_.headBytes(),
                            lkey};
  }
  made.pieces[count++] = {reinterpret_cast<uintptr_t>(memory_.body(receive)), memory_.bodyBytes(),
                          lkey};
  made.request = {receive, nullptr, made.pieces, count};
}

int SharedReceives::postChain(uint32_t length) {
  ibv_recv_wr* first = nullptr;
  for (uint32_t i = 0; i < length; i++) {
    ibv_recv_wr& request = requests_[free_.back()].request;
    free_.pop_back();
    request.next = first;
    first = &request;
  }
  ibv_recv_wr* refused = nullptr;
  int code = ibv_post_srq_recv(queue_.get(), first, &refused);
  counters_.refills.add();
  uint32_t taken = length;
  for (; code != 0 && refused != nullptr; refused = refused->next, taken--) {
    discard(static_cast<uint32_t>(refused->wr_id));
  }
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
