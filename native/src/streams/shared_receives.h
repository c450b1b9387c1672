// SPDX-License-Identifier: Apache-2.0
//
// The receives of all connections: memory posted to the shared receive queue, and what has arrived
// in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/zeroed.h"
#include "fabric/return_stack.h"
#include "streams/counters.h"
#include "streams/options.h"
#include "streams/receive_memory.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::streams {

/// One receive: posted, or arrived and on its way to the consumer and back, or free.
struct Receive {
  uint32_t bytes = 0;       ///< of what has arrived, slice header included
  uint32_t connection = 0;  ///< its place in the table
  uint32_t generation = 0;  ///< of that place's window
  connect::LinkId id = 0;
  uint32_t stream = 0;
  uint64_t position = 0;
  uint32_t placed = 0;  ///< bytes that were written elsewhere before
  /// From completion until giveBack(), so that one that is given back twice counts once.
  std::atomic<bool> held{false};
};

/// What has come back of one life of a connection.
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
  /// So many can be posted at a time with the memory that is there. Any thread.
  uint32_t capacity() const { return std::min(most(), memory_.receives()); }
  /// What memory makes it larger, by so many. Any thread.
  uint64_t slabBytes() const { return memory_.slabBytes(); }
  uint32_t slabReceives() const { return memory_.slabReceives(); }
  uint64_t bytes() const { return memory_.slabs() * slabBytes(); }
  void add(fabric::Registered slab);
  /// So many have to be there from the next refill() on. No more than capacity().
  void need(uint32_t receives) { needed_ = receives; }
  /// Whether they are.
  bool areThere() const { return active() >= needed_; }

  /// Takes in what was given back, and posts what is missing. Returns 0 or the device's error.
  int refill();
  /// What the last refill() has taken in. Peers may hear of it now: it is posted again.
  std::span<const Returned> returned() const { return taken_; }
  /// Whether something was given back that refill() has not seen. Any thread.
  bool hasReturned() const { return !returned_.empty(); }

  /// A posted receive has completed with `bytes` in it.
  Receive& arrived(uint32_t receive, uint32_t bytes);
  /// What has arrived is of no interest.
  void discard(uint32_t receive) { free_.push_back(receive); }
  /// Any thread: the consumer has done with them. Returns how many of them nobody held.
  uint32_t giveBack(std::span<const uint32_t> receives);

  Receive& at(uint32_t receive) { return receives_[receive]; }
  /// Where what has arrived begins.
  const std::byte* start(uint32_t receive) const {
    return memory_.headBytes() != 0 ? memory_.head(receive) : memory_.body(receive);
  }
  const ReceiveMemory& memory() const { return memory_; }
  uint32_t posted() const { return posted_.load(std::memory_order_relaxed); }
  /// Have arrived, and refill() has not seen them given back.
  uint32_t held() const { return active() - posted(); }

 private:
  /// Posted at once: short chains cost as much as long ones.
  static constexpr uint32_t kChain = 32;

  /// To be posted: its head and its body, always the same.
  struct Request {
    ibv_recv_wr request;
    ibv_sge pieces[2];
  };

  void takeReturned();
  void note(const Receive& returned);
  uint32_t active() const { return most() - static_cast<uint32_t>(free_.size()); }
  uint32_t due() const;
  int postChain(uint32_t length);
  void describe(uint32_t receive);

  const verbs::SharedReceiveQueue& queue_;
  Counters& counters_;
  ReceiveMemory memory_;
  std::vector<Receive> receives_;
  base::Zeroed<Request> requests_;  // of those that have memory
  std::vector<uint32_t> free_;
  fabric::ReturnStack returned_;
  std::vector<Returned> taken_;
  uint32_t needed_ = 0;
  std::atomic<uint32_t> posted_{0};  // written under the turn
};

}  // namespace verbena::streams
