// SPDX-License-Identifier: Apache-2.0
//
// The life of a connection; connection_pump.cpp has its sends.
#include "streams/connection.h"

#include <algorithm>
#include <cerrno>
#include <random>

#include "base/survive.h"
#include "streams/engine.h"

namespace verbena::streams {
namespace {

using base::Result;

constexpr uint32_t kPsnMask = (1U << 24) - 1;
/// The slice header, and one or two pieces of a ring.
constexpr uint32_t kSendPieces = 3;
/// Of a small message with its header; devices that have less give less.
constexpr uint32_t kInlineBytes[] = {220, 64, 0};
/// 4.096 us * 2^15 and six retries: a peer that has gone is noticed after a second. Of retries,
/// too, rxe takes seven for any number, which the specification says of receives alone.
constexpr uint8_t kTimeout = 15;
constexpr uint8_t kRetries = 6;
/// A receive is missing only if more is under way than there are receives (see kLeastWindow), or
/// nobody polls. 41 ms and six retries: a pause of the whole receiver of up to a quarter of a
/// second does not cost connections, and one that has stopped is noticed.
constexpr uint8_t kRnrTimer = 24;
constexpr uint8_t kRnrRetries = 6;
constexpr uint8_t kReads = 16;

uint32_t randomPsn() {
  thread_local std::random_device source;
  return source() & kPsnMask;
}

}  // namespace

Connection::Connection(Works& works, uint32_t place)
    : works_(works),
      place_(place),
      headers_(reinterpret_cast<SliceHeader*>(works.outgoing(place))),
      control_(works.outgoing(place + 1) - works.options.controlRingBytes,
               works.options.controlRingBytes),
      records_(Works::sendPlaces(works.options)),
      placesMask_(records_.size() - 1) {}

Result<QueuePairEnd> Connection::create(connect::LinkId id, connect::NodeId peer,
                                        uint32_t window) {
  peer_ = peer;
  restart(id);
  if (Result<void> made = makeQueuePair(); !made) {
    queuePair_.reset();
    return made.error();
  }
  const EngineOptions& options = works_.options;
  const verbs::Selection& port = works_.port.selection;
  generation_ = receiveWindow_.open(window);
  near_ = {.qpNum = queuePair_->qpNum(),
           .sendPsn = randomPsn(),
           .gid = port.global ? port.gid.gid : ibv_gid{},
           .lid = port.lid,
           .mtu = static_cast<uint8_t>(port.mtu),
           .maxReadsServed = static_cast<uint8_t>(
               std::min<int>(kReads, works_.port.context.limits().max_qp_rd_atom)),
           .window = static_cast<uint16_t>(window),
           .maxSendBytes = options.bufferBytes * options.buffersPerReceive};
  qpNum_.store(near_.qpNum, std::memory_order_release);
  id_.store(id, std::memory_order_release);
  state_.store(State::Created, std::memory_order_release);
  return near_;
}

void Connection::restart(connect::LinkId id) {
  control_.restart(id);
  streams_.clear();
  streams_.push_back({kControlStream, nullptr, control_.ring(), works_.outgoingMemory.lkey(),
                      control_.mask(), &control_, 0});
  turnOf_ = 0;
  posted_ = lastSignalled_ = reclaimed_ = 0;
  refusedAt_ = UINT64_MAX;
  flushDue_ = everReady_ = false;
  trouble_.clear();
  confirmed_.store(0, std::memory_order_relaxed);
  waiting_.store(false, std::memory_order_relaxed);
  lastReceive_.store(false, std::memory_order_relaxed);
}

Result<void> Connection::makeQueuePair() {
  verbs::QueuePairOptions wanted{.sendWorkRequests = works_.options.sendWorkRequests + 1,
                                 .sendSge = kSendPieces,
                                 .sharedReceiveQueue = &works_.port.receives};
  wanted.receiveWorkRequests = 0;
  for (uint32_t inlineBytes : kInlineBytes) {
    wanted.inlineBytes = inlineBytes;
    Result<verbs::QueuePair> made = verbs::QueuePair::create(works_.port.pd, works_.port.sendQueue,
                                                             works_.port.receiveQueue, wanted);
    if (!made && made.error().code == EINVAL && inlineBytes != 0) continue;
    if (!made) return made.error();
    queuePair_ = std::move(*made);
    break;
  }
  maxInline_ = queuePair_->capacity().max_inline_data;
  const verbs::Selection& port = works_.port.selection;
  // What it may write to is what Replica::grant has said.
  return queuePair_->toInit(
      {.port = port.port, .pkeyIndex = port.pkeyIndex, .remoteAccess = IBV_ACCESS_REMOTE_WRITE});
}

Result<void> Connection::connect(const connect::LinkEnd& bytes) {
  Result<QueuePairEnd> told = QueuePairEnd::of(peer_, bytes);
  if (!told) return told.error();
  const QueuePairEnd& far = *told;
  auto mtu = std::min<uint8_t>(near_.mtu, far.mtu);
  Result<void> moved = queuePair_->toRtr({.path = works_.port.selection.pathTo(far.gid, far.lid),
                                          .mtu = static_cast<ibv_mtu>(mtu),
                                          .remoteQpNum = far.qpNum,
                                          .receivePsn = far.sendPsn,
                                          .maxReadsServed = near_.maxReadsServed,
                                          .minRnrTimer = kRnrTimer});
  if (!moved) return moved;
  int reads =
      std::min<int>({kReads, far.maxReadsServed, works_.port.context.limits().max_qp_init_rd_atom});
  moved = queuePair_->toRts({.sendPsn = near_.sendPsn,
                             .timeout = kTimeout,
                             .retryCount = kRetries,
                             .rnrRetry = kRnrRetries,
                             .maxReadsIssued = static_cast<uint8_t>(reads)});
  if (!moved) return moved;
  everReady_ = true;
  sendWindow_.open(std::min<uint32_t>(far.window, 0x7fff));
  maxSliceBytes_ = std::min<uint32_t>(far.maxSendBytes, 1U << 30) - kSliceHeaderBytes;
  listens_.store(true, std::memory_order_release);
  state_.store(State::Connected, std::memory_order_release);
  return {};
}

void Connection::ready() {
  State expected = State::Connected;
  state_.compare_exchange_strong(expected, State::Ready, std::memory_order_acq_rel);
}

bool Connection::fail() {
  State now = state();
  do {
    if (now == State::Free || now == State::Failed || now == State::Closing) return false;
  } while (!state_.compare_exchange_weak(now, State::Failed, std::memory_order_acq_rel));
  return true;
}

bool Connection::failByNonsense() {
  listens_.store(false, std::memory_order_release);
  return fail();
}

void Connection::beginClose() {
  state_.store(State::Closing, std::memory_order_release);
  listens_.store(false, std::memory_order_release);
  // What cannot be moved to error belongs to a device that has gone, and what cannot be done for
  // want of memory is not done: the wait for its end is bounded.
  base::survive([&] { static_cast<void>(queuePair_->toError()); });
  base::survive([&] {
    retired_.reserve(retired_.size() + streams_.size());
    for (OutStream& stream : streams_) retire(stream);
    streams_.clear();
  });
  base::survive([&] {
    if (everReady_) postLast();
  });
}

/// Sends that report nothing have no completion to wait for if they have left in time. The queue of
/// a queue pair in error still takes requests, only to flush them: when this one comes out, nothing
/// is left before it. There is always a place for it, which sends never take.
void Connection::postLast() {
  Chain chain;
  chain.addReport();
  chain.finish(0, posted_ + 1, 0, true, 0);
  if (!post(chain)) trouble_.clear();
}

bool Connection::areSendsGone() const {
  return confirmed_.load(std::memory_order_acquire) == posted_;
}

bool Connection::isDrained() const {
  return areSendsGone() && (!everReady_ || lastReceive_.load(std::memory_order_relaxed));
}

connect::LinkId Connection::end() {
  queuePair_.reset();
  // Of completions that never came.
  for (uint64_t number = confirmed_.load() + 1; number <= posted_; number++) {
    if (recordOf(number).signalled) works_.signalled.fetch_sub(1, std::memory_order_relaxed);
  }
  streams_.clear();
  retired_.clear();
  receiveWindow_.shut();
  qpNum_.store(0, std::memory_order_release);
  connect::LinkId id = id_.exchange(0, std::memory_order_acq_rel);
  state_.store(State::Free, std::memory_order_release);
  return id;
}

}  // namespace verbena::streams
