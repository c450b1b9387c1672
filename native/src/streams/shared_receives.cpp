// SPDX-License-Identifier: Apache-2.0
#include "streams/shared_receives.h"

#include <algorithm>

namespace verbena::streams {

SharedReceives::SharedReceives(const verbs::SharedReceiveQueue& queue, const EngineOptions& options,
                               BufferPool pool, Counters& counters)
    : queue_(queue),
      counters_(counters),
      capacity_(options.receiveWorkRequests),
      pieces_(options.buffersPerReceive),
      pool_(std::move(pool)),
      receives_(pool_.total()),
      returned_(pool_.total()) {
  free_.reserve(count());
  for (uint32_t receive = count(); receive > 0; receive--) free_.push_back(receive - 1);
}

int SharedReceives::refill() {
  takeReturned();
  // Short chains cost as much as long ones: as long as enough are posted, wait for a long one.
  while (uint32_t length = preparable()) {
    if (length < kChain && !isLow()) return 0;
    if (int code = postChain(length); code != 0) return code;
  }
  return 0;
}

void SharedReceives::takeReturned() {
  returned_.takeAll([this](uint32_t receive) { discard(receive); });
}

void SharedReceives::discard(uint32_t receive) {
  release(receive, 0);
  free_.push_back(receive);
}

/// Gives all buffers but the first `kept` back to the pool.
void SharedReceives::release(uint32_t receive, uint32_t kept) {
  Receive& released = receives_[receive];
  while (released.bufferCount > kept) pool_.put(released.buffers[--released.bufferCount]);
}

uint32_t SharedReceives::preparable() const {
  uint32_t missing = capacity_ - posted();
  return std::min({kChain, missing, pool_.free() / pieces_, static_cast<uint32_t>(free_.size())});
}

int SharedReceives::postChain(uint32_t length) {
  std::array<ibv_recv_wr, kChain> chain;
  std::array<ibv_sge, kChain * kMaxPieces> list;
  for (uint32_t i = 0; i < length; i++) {
    uint32_t number = free_.back();
    free_.pop_back();
    Receive& receive = receives_[number];
    ibv_sge* pieces = &list[i * kMaxPieces];
    for (; receive.bufferCount < pieces_; receive.bufferCount++) {
      uint32_t buffer = receive.buffers[receive.bufferCount] = pool_.take();
      pieces[receive.bufferCount] = {reinterpret_cast<uintptr_t>(pool_.start(buffer)),
                                     pool_.bufferBytes(), pool_.lkey()};
    }
    chain[i] = {number, i + 1 < length ? &chain[i + 1] : nullptr, pieces,
                static_cast<int>(pieces_)};
  }
  ibv_recv_wr* refused = nullptr;
  int code = ibv_post_srq_recv(queue_.get(), chain.data(), &refused);
  counters_.refills.add();
  auto taken = code == 0 ? length : static_cast<uint32_t>(refused - chain.data());
  for (uint32_t i = taken; i < length; i++) discard(static_cast<uint32_t>(chain[i].wr_id));
  posted_.store(posted() + taken, std::memory_order_relaxed);
  return code;
}

Receive& SharedReceives::arrived(uint32_t number, uint32_t bytes) {
  posted_.store(posted() - 1, std::memory_order_relaxed);
  Receive& receive = receives_[number];
  receive.bytes = bytes;
  release(number, pool_.buffersFor(bytes));
  return receive;
}

bool SharedReceives::giveBack(uint32_t receive) {
  // acq_rel pairs with the store in Completions: the record is the arrival's
  if (receive >= count() || !receives_[receive].held.exchange(false, std::memory_order_acq_rel)) {
    return false;
  }
  returned_.push(receive);
  return true;
}

}  // namespace verbena::streams
