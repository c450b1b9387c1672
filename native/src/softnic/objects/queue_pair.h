// SPDX-License-Identifier: Apache-2.0
//
// A queue pair: its two queues, what it knows of the far side, and its place between messages.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "softnic/memory/memory.h"
#include "softnic/objects/completion_queue.h"
#include "softnic/objects/work_queue.h"
#include "softnic/wire/link.h"

namespace verbena::softnic {

struct Context;
struct QueuePair;

struct SharedReceiveQueue : ibv_srq {
  SharedReceiveQueue(uint32_t capacity, uint32_t maxSge)
      : ibv_srq{}, queue(capacity, maxSge, ReceiveQueue::Next::Latest) {}
  /// Its port: that of the first queue pair which uses it. Changes under the lock of the former
  /// one.
  std::atomic<Context*> home{nullptr};
  SharedUse use;
  ReceiveQueue queue;
  uint32_t limit = 0;  // an event is due when fewer requests wait; 0: none
  std::atomic<uint32_t> users{0};
  uint32_t asyncEventsTaken = 0;
};

struct AddressHandle : ibv_ah {
  /// An address names a host or a network; which of its ports is meant shows in the queue pair
  /// number of a datagram. The ways that were found are kept, for each port of ours that sends.
  struct Route {
    const Context* from;
    uint32_t slot;
    std::shared_ptr<Link> link;
  };
  ibv_ah_attr attributes{};
  ibv_gid peerGid{};
  mutable host::Lock lock;  // guards them
  mutable std::vector<Route> routes;
};

/// A READ or atomic that has been accepted and not fully answered.
struct PendingResponse {
  uint32_t psn;
  bool isAtomic;
  RdmaHeader read;    // of a READ
  uint64_t original;  // of an atomic
  uint32_t sentBytes;
};

/// The sending half of an RC queue pair (requester.h).
struct RequesterState {
  uint32_t firstPsn = 0;         // of request 0 of `indexOfFirstPsn`
  uint64_t indexOfFirstPsn = 0;  // send queue index that carries firstPsn
  uint64_t fragmentOffset = 0;   // bytes of request `sent` already on the wire
  bool midMessage = false;       // fragmentOffset belongs to a message begun (it may be 0 bytes)
  uint64_t begun = 0;            // requests before this have been on the wire, perhaps refused
  uint32_t responsesAwaited = 0;
  uint64_t pausedUntilNs = 0;  // after a refusal; 0: not paused
  bool pausedByDrop = false;   // the pause stands for an acknowledgement that never came
  uint64_t lastProgressNs = 0;
  uint8_t retriesLeft = 0;
  uint8_t rnrRetriesLeft = 0;
};

/// The receiving half of an RC queue pair (responder.h).
struct ResponderState {
  uint32_t expectedPsn = 0;
  bool refusing = false;   // expectedPsn has been refused; what follows it is ignored
  bool inMessage = false;  // between the first and the last packet of expectedPsn
  PacketKind kind{};       // of the message in progress
  bool acksDue = false;    // messages have been executed and not acknowledged
  bool nakDue = false;     // likewise refused
  uint32_t nakImmediate = 0;
  uint32_t nakPsn = 0;
  uint64_t messageOffset = 0;
  RdmaHeader write{};  // of the WRITE in progress
  /// A few: at most kMaxReads.
  std::vector<PendingResponse> responses;
};

/// A direct operation that is made without the port's lock (long_copy.h).
struct LongCopy {
  bool due = false;       // in Context::copiesDue
  bool running = false;   // a thread makes it
  bool unwanted = false;  // that thread is to end it after the piece
  uint64_t index = 0;     // of its request
  /// Whether nothing else may go out.
  bool blocks() const { return due || running || unwanted; }
};

/// A receive request that a message is being written into.
struct CurrentReceive {
  std::span<const ibv_sge> list() const { return {sges.data(), sgeCount}; }

  bool taken = false;
  uint64_t wrId = 0;
  uint32_t sgeCount = 0;
  std::array<ibv_sge, kMaxSge> sges;  // the first ones of them
};

struct QueuePair : ibv_qp {
  QueuePair(const ibv_qp_cap& cap, bool ownReceives)
      : ibv_qp{},
        sends(cap.max_send_wr, cap.max_send_sge, cap.max_inline_data),
        receives(ownReceives ? cap.max_recv_wr : 0, ownReceives ? cap.max_recv_sge : 0) {}

  Context& owner() const { return *home; }
  CompletionQueue& sendCq() const { return *static_cast<CompletionQueue*>(send_cq); }
  CompletionQueue& recvCq() const { return *static_cast<CompletionQueue*>(recv_cq); }
  SharedReceiveQueue* shared() const { return static_cast<SharedReceiveQueue*>(srq); }
  bool canReceive() const {
    return state == IBV_QPS_RTR || state == IBV_QPS_RTS || state == IBV_QPS_SQD ||
           state == IBV_QPS_SQE;
  }

  Context* home = nullptr;  // its port
  uint64_t shutNs = 0;      // since when it has not received; 0: it does, or never did
  SendQueue sends;
  ReceiveQueue receives;
  CurrentReceive current;
  RequesterState requester;
  LongCopy copy;
  ResponderState responder;

  uint32_t index = 0;  // in the port's tables
  ibv_qp_attr attributes{};
  ibv_qp_init_attr initial{};
  std::shared_ptr<Link> link;  // of a connected RC queue pair
  bool pending = false;        // in link->pending
  bool active = false;         // in Context::active
  bool established = false;
  bool lastWqeReported = false;
  bool drainReported = false;
  uint32_t asyncEventsTaken = 0;
  FaultCounts faultCounts;
  /// A datagram that the fault script sends behind the next one.
  std::shared_ptr<Link> heldBy;
  std::vector<std::byte> held;
};

/// Completes with the fields that both directions share; an overrun of the queue takes the queue
/// pair down with it.
void complete(QueuePair& qp, CompletionQueue& cq, const ibv_wc& completion, bool solicited);

/// Moves to ERR: whatever is posted completes flushed. If it is there already, completes what an
/// earlier try that ran out of memory has left.
void enterError(QueuePair& qp);

/// Lets the port's tables say what the queue pair does now. When it stops receiving, peers may be
/// in the middle of a direct operation: whoever asked for that waits for them
/// (letInitiatorsLeave()).
void publishState(QueuePair& qp);

/// Takes the oldest receive request into qp.current. False if there is none.
bool takeReceive(QueuePair& qp);
/// The same if it has room for so many bytes.
bool takeReceive(QueuePair& qp, uint64_t bytes);

/// Completes every receive request that is left with IBV_WC_WR_FLUSH_ERR, but for those of a shared
/// queue.
void flushReceives(QueuePair& qp);

/// Puts the queue pair on its link's list of those with something to send.
void deferSend(QueuePair& qp);
/// The same for an acknowledgement, which may wait for the application's next call.
void deferAck(QueuePair& qp);

}  // namespace verbena::softnic
