// SPDX-License-Identifier: Apache-2.0
//
// The receives of all connections: buffers posted to the shared receive queue, and what has arrived
// in them.
#pragma once

#include <algorithm>
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
/// afterwards.
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

/// What consumers have given back of one life of a connection.
struct Returned {
  uint32_t connection;
  uint32_t generation;
  uint32_t count;
};

/// As many receives are posted, or held by the consumer, as are needed: what peers may send without
/// asking. Everything but giveBack() and what is said of a method belongs to whoever has the turn
/// to poll.
class SharedReceives {
 public:
  struct Limits {
    uint32_t most;       ///< that the queue takes
    uint32_t headBytes;  ///< 0: its receives have no room for one piece more
  };

  SharedReceives(const verbs::SharedReceiveQueue& queue, const EngineOptions& options,
                 const Limits& limits, Counters& counters);

  /// The most there can be. Any thread.
  uint32_t most() const { return static_cast<uint32_t>(receives_.size()); }
  /// So many can be posted at a time with the buffers that are there. Any thread.
  uint32_t capacity() const { return std::min(most(), pool_.slabs() * pool_.slabReceives()); }
  /// What memory makes it larger, by so many. Any thread.
  uint64_t slabBytes() const { return pool_.slabBytes(); }
  uint32_t slabReceives() const { return pool_.slabReceives(); }
  uint64_t bytes() const { return pool_.slabs() * slabBytes(); }
  void add(fabric::Registered slab) { pool_.add(std::move(slab)); }
  /// So many have to be there from the next refill() on. No more than capacity().
  void need(uint32_t receives) { needed_ = receives; }

  /// Takes in what was given back, and posts what is missing. Returns 0 or the device's error.
  int refill();
  /// What the last refill() has taken in. Peers may hear of it now: it is posted again.
  std::span<const Returned> returned() const { return taken_; }
  /// Whether something was given back that refill() has not seen. Any thread.
  bool hasReturned() const { return !returned_.empty(); }

  /// A posted receive has completed with `bytes` in it: the buffers it did not need are free.
  Receive& arrived(uint32_t receive, uint32_t bytes);
  /// What has arrived is of no interest.
  void discard(uint32_t receive);
  /// Any thread: the consumer has done with them. Returns how many of them nobody held.
  uint32_t giveBack(std::span<const uint32_t> receives);

  Receive& at(uint32_t receive) { return receives_[receive]; }
  /// Where what has arrived begins.
  const std::byte* start(uint32_t receive) const {
    return pool_.headBytes() != 0 ? pool_.head(receive)
                                  : pool_.start(receives_[receive].buffers[0]);
  }
  const BufferPool& pool() const { return pool_; }
  uint32_t posted() const { return posted_.load(std::memory_order_relaxed); }

 private:
  /// Posted at once: short chains cost as much as long ones.
  static constexpr uint32_t kChain = 32;

  void takeReturned();
  void note(const Receive& returned);
  void release(uint32_t receive, uint32_t kept);
  uint32_t active() const { return most() - static_cast<uint32_t>(free_.size()); }
  uint32_t due() const;
  int postChain(uint32_t length);
  int describe(uint32_t receive, ibv_sge* pieces);

  const verbs::SharedReceiveQueue& queue_;
  Counters& counters_;
  const uint32_t pieces_;
  BufferPool pool_;
  std::vector<Receive> receives_;
  std::vector<uint32_t> free_;
  fabric::ReturnStack returned_;
  std::vector<Returned> taken_;
  uint32_t needed_ = 0;
  std::atomic<uint32_t> posted_{0};  // written under the turn
};

}  // namespace verbena::streams
