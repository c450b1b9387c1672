// SPDX-License-Identifier: Apache-2.0
//
// The receives of all connections: buffers posted to the shared receive queue, and what has arrived
// in them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/return_stack.h"
#include "streams/buffer_pool.h"
#include "streams/counters.h"
#include "streams/options.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::streams {

/// One receive: posted, or arrived and on its way to the consumer and back, or free. While it is
/// not free it has buffers: all it could need while it is posted, those with bytes in them
/// afterwards. There are as many receives as buffers, so that a consumer that holds many small
/// arrivals does not keep the rest of their buffers from being posted.
struct Receive {
  std::array<uint32_t, kMaxPieces> buffers{};
  uint32_t bufferCount = 0;
  // of what has arrived, slice header included
  uint32_t bytes = 0;
  uint32_t connection = 0;  // its place in the table
  uint32_t generation = 0;  // of that place's window
  connect::LinkId id = 0;
  uint32_t stream = 0;
  uint64_t position = 0;
  uint32_t placed = 0;  // bytes that were written elsewhere before
  /// From completion until giveBack(), so that one that is given back twice counts once.
  std::atomic<bool> held{false};
};

/// Everything but giveBack() belongs to whoever has the turn to poll.
class SharedReceives {
 public:
  SharedReceives(const verbs::SharedReceiveQueue& queue, const EngineOptions& options,
                 BufferPool pool, Counters& counters);

  /// Posts as many receives as are missing and have buffers. Returns 0 or the device's error.
  int refill();
  /// Whether so many are missing that a wait must end.
  bool isLow() const { return posted_.load(std::memory_order_relaxed) <= capacity_ / 2; }

  /// A posted receive has completed with `bytes` in it: the buffers it did not need are free.
  Receive& arrived(uint32_t receive, uint32_t bytes);
  /// What has arrived is of no interest.
  void discard(uint32_t receive);
  /// Any thread: the consumer has done with it. False if nobody held it.
  bool giveBack(uint32_t receive);

  Receive& at(uint32_t receive) { return receives_[receive]; }
  uint32_t count() const { return static_cast<uint32_t>(receives_.size()); }
  const BufferPool& pool() const { return pool_; }
  uint32_t posted() const { return posted_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kChain = 32;

  void takeReturned();
  void release(uint32_t receive, uint32_t kept);
  uint32_t preparable() const;
  int postChain(uint32_t length);

  const verbs::SharedReceiveQueue& queue_;
  Counters& counters_;
  uint32_t capacity_;  // of the queue
  uint32_t pieces_;
  BufferPool pool_;
  std::vector<Receive> receives_;
  std::vector<uint32_t> free_;
  fabric::ReturnStack returned_;
  std::atomic<uint32_t> posted_{0};  // written under the turn
};

}  // namespace verbena::streams
