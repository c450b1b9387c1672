// SPDX-License-Identifier: Apache-2.0
#include "fabric/link.h"

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

#include "base/survive.h"
#include "fabric/worker.h"

namespace verbena::fabric {
namespace {

using base::Result;

constexpr uint32_t kPsnMask = (1U << 24) - 1;
/// 4.096 us * 2^15 and six retries: a peer that has gone is noticed after a second. Of retries,
/// too, rxe takes seven for any number, which the specification says of receives alone.
constexpr uint8_t kTimeout = 15;
constexpr uint8_t kRetries = 6;
/// A receive is missing only for moments: what peers may send is posted before they hear that they
/// may. So the device tries again after 0.32 ms, and without end; that a receiver has stopped is
/// noticed by hasStalled().
constexpr uint8_t kRnrTimer = 10;
constexpr uint8_t kRnrRetries = 7;
constexpr uint8_t kReads = 16;
/// What a small request carries itself; devices that have less room in one give less.
constexpr uint32_t kInlineBytes[] = {220, 64, 0};

uint32_t randomPsn() {
  thread_local std::random_device source;
  return source() & kPsnMask;
}

uint8_t readsServedBy(const Domain& domain) {
  return static_cast<uint8_t>(std::min<int>(kReads, domain.context.limits().max_qp_rd_atom));
}

}  // namespace

std::string Trouble::sentence() const {
  return "cannot post to the send queue of queue pair " + std::to_string(qpNum) + ": " +
         base::errorName(code);
}

Link::Link(Worker& worker, const Service& service, uint32_t place)
    : worker_(worker),
      service_(service),
      place_(place),
      requests_(worker.options().sendWorkRequests, worker.reporting()) {}

void Link::restart() {
  requests_.restart();
  everReady_ = false;
  trouble_ = {};
  waiting_.store(false, std::memory_order_relaxed);
  lastReceive_.store(false, std::memory_order_relaxed);
  last_.store(0, std::memory_order_relaxed);
  suspected_.store(0, std::memory_order_relaxed);
  looked_.store(0, std::memory_order_relaxed);
}

Result<QueuePairEnd> Link::makeQueuePair(const connect::NewLink& link, const LinkNeeds& needs) {
  peer_ = link.peer;
  restart();
  const Domain& domain = worker_.domain();
  const verbs::Selection& port = domain.selection;
  patience_ = needs.patience;
  allowed_ = needs.remoteAccess;
  receives_ = needs.receives != nullptr;
  Result<verbs::QueuePair> made = createQueuePair(needs);
  if (!made) return made.error();
  Result<void> moved = made->toInit(
      {.port = port.port, .pkeyIndex = port.pkeyIndex, .remoteAccess = needs.remoteAccess});
  if (!moved) return moved.error();
  queuePair_ = std::move(*made);
  maxInline_ = queuePair_->capacity().max_inline_data;
  near_ = {.qpNum = queuePair_->qpNum(),
           .sendPsn = randomPsn(),
           .gid = port.global ? port.gid.gid : ibv_gid{},
           .lid = port.lid,
           .mtu = static_cast<uint8_t>(port.mtu),
           .maxReadsServed = readsServedBy(domain)};
  qpNum_.store(near_.qpNum, std::memory_order_release);
  id_.store(link.id, std::memory_order_release);
  state_.store(State::Created, std::memory_order_release);
  return near_;
}

Result<verbs::QueuePair> Link::createQueuePair(const LinkNeeds& needs) const {
  verbs::QueuePairOptions wanted{.sendWorkRequests = worker_.options().sendWorkRequests + 1,
                                 .receiveWorkRequests = 0,
                                 .sendSge = needs.sendPieces,
                                 .sharedReceiveQueue = needs.receives};
  for (const uint32_t* inlineBytes = kInlineBytes;; inlineBytes++) {
    wanted.inlineBytes = *inlineBytes;
    Result<verbs::QueuePair> made =
        verbs::QueuePair::create(worker_.domain().pd, worker_.sendQueue(), needs.arrivals, wanted);
    if (made || made.error().code != EINVAL || *inlineBytes == 0) return made;
  }
}

Result<void> Link::connectTo(const QueuePairEnd& far) {
  const Domain& domain = worker_.domain();
  auto mtu = std::min<uint8_t>(near_.mtu, far.mtu);
  Result<void> moved = queuePair_->toRtr({.path = domain.selection.pathTo(far.gid, far.lid),
                                          .mtu = static_cast<ibv_mtu>(mtu),
                                          .remoteQpNum = far.qpNum,
                                          .receivePsn = far.sendPsn,
                                          .maxReadsServed = near_.maxReadsServed,
                                          .minRnrTimer = kRnrTimer});
  if (!moved) return moved;
  int reads =
      std::min<int>({kReads, far.maxReadsServed, domain.context.limits().max_qp_init_rd_atom});
  moved = queuePair_->toRts({.sendPsn = near_.sendPsn,
                             .timeout = kTimeout,
                             .retryCount = kRetries,
                             .rnrRetry = kRnrRetries,
                             .maxReadsIssued = static_cast<uint8_t>(reads)});
  if (moved) everReady_ = true;
  return moved;
}

void Link::listen() {
  talksNonsense_.store(false, std::memory_order_release);
  listens_.store(true, std::memory_order_release);
  state_.store(State::Connected, std::memory_order_release);
}

void Link::ready() {
  State expected = State::Connected;
  state_.compare_exchange_strong(expected, State::Ready, std::memory_order_acq_rel);
}

/// A queue pair that has left RTS meanwhile is about to end: then it does not matter.
Result<void> Link::allow(int remoteAccess) {
  State now = state();
  bool receives = now == State::Connected || now == State::Ready;
  if (!receives || (allowed_ & remoteAccess) == remoteAccess) return {};
  Result<void> changed = queuePair_->allow(allowed_ | remoteAccess);
  if (changed) allowed_ |= remoteAccess;
  Result<ibv_qp_state> there = changed ? Result<ibv_qp_state>(IBV_QPS_RTS) : queuePair_->state();
  return there && *there == IBV_QPS_RTS ? changed : Result<void>();
}

bool Link::fail() {
  State now = state();
  do {
    if (now == State::Free || isOver(now)) return false;
  } while (!state_.compare_exchange_weak(now, State::Failed, std::memory_order_acq_rel));
  return true;
}

bool Link::failByNonsense() {
  talksNonsense_.store(true, std::memory_order_release);
  listens_.store(false, std::memory_order_release);
  return fail();
}

/// What cannot be moved to error belongs to a device that has gone, and what cannot be done for
/// want of memory is not done: the wait for its end is bounded.
bool Link::breakOff() {
  // First: what is flushed is not taken for a failure.
  State now = state();
  do {
    if (now == State::Free || now >= State::Closing) return false;
  } while (!state_.compare_exchange_weak(now, State::Closing, std::memory_order_acq_rel));
  listens_.store(false, std::memory_order_release);
  base::survive([&] { static_cast<void>(queuePair_->toError()); });
  base::survive([&] { shutOut(); });
  return true;
}

void Link::beginClose() {
  base::survive([&] { letGo(); });
  base::survive([&] {
    if (everReady_) postLast();
  });
}

/// Requests that report nothing have no completion to wait for if they have left in time. The queue
/// of a queue pair in error still takes requests, only to flush them: when this one comes out,
/// nothing is left before it. There is always a place for it, which no other request takes.
void Link::postLast() {
  ibv_send_wr last{};
  last.opcode = IBV_WR_SEND;
  last.send_flags = IBV_SEND_SIGNALED;
  // release pairs with confirm(): whoever sees that request done knows that it was the last
  last_.store(requests_.posted() + 1, std::memory_order_release);
  static_cast<void>(requests_.post(queuePair_->get(), &last));
}

bool Link::hasStalled(std::chrono::nanoseconds now) {
  uint64_t done = requests_.confirmed();
  bool waits = state() == State::Ready && requests_.lastReporting() > done;
  if (!waits || done != watched_.done || id() != watched_.id) watched_ = {id(), done, now};
  if (now - watched_.since < patience_) return false;
  // release pairs with isStill(): what it was about comes first
  suspected_.store(done + 1, std::memory_order_release);
  return true;
}

bool Link::isStill() {
  uint64_t suspected = suspected_.exchange(0, std::memory_order_acquire);
  if (suspected == 0) return false;
  bool isStill = suspected == requests_.confirmed() + 1 && requests_.lastReporting() >= suspected;
  // After a pause of this process its device may be behind, too: one look is not enough.
  uint64_t before = looked_.exchange(isStill ? suspected : 0, std::memory_order_relaxed);
  return isStill && before == suspected;
}

std::string Link::stall() const {
  auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(patience_);
  return "the far side has confirmed no request for " + std::to_string(waited.count()) +
         " ms: it posts no receives (receiver-not-ready), or has stopped";
}

bool Link::isDrained() const {
  bool awaitsLast = everReady_ && receives_;
  return areRequestsDone() && (!awaitsLast || lastReceive_.load(std::memory_order_relaxed));
}

std::optional<verbs::QueuePair> Link::takeQueuePair() {
  if (state() != State::Drained) return std::nullopt;
  state_.store(State::Destroyed, std::memory_order_release);
  return std::exchange(queuePair_, std::nullopt);
}

connect::LinkId Link::end() {
  requests_.abandon();
  uint64_t last = last_.load(std::memory_order_relaxed);
  ended(last != 0 ? last - 1 : requests_.posted());
  qpNum_.store(0, std::memory_order_release);
  connect::LinkId id = id_.exchange(0, std::memory_order_acq_rel);
  state_.store(State::Free, std::memory_order_release);
  return id;
}

bool Link::post(ibv_send_wr* first, uint32_t& taken) {
  SendQueue::Posted posted = requests_.post(queuePair_->get(), first);
  taken = posted.count;
  if (posted.code == 0 || requests_.fillsUp(posted.code)) return true;
  trouble_ = {posted.code, queuePair_->qpNum()};
  return false;
}

void Link::confirm(uint64_t number, ibv_wc_status status) {
  // acquire pairs with postLast()
  bool isLast = number == last_.load(std::memory_order_acquire);
  // What comes before the last one was flushed, too, and told of, or is done.
  completed(isLast ? number - 1 : number, isLast ? IBV_WC_SUCCESS : status);
  if (requests_.confirm(number)) roomCame();
  reclaimable();
}

void Link::awaitRoom() {
  waiting_.store(true, std::memory_order_seq_cst);
  worker_.noteWaiting();
}

void Link::roomCame() {
  if (!waiting_.load(std::memory_order_seq_cst)) return;
  if (waiting_.exchange(false, std::memory_order_seq_cst)) worker_.leaveToRound(place_);
}

}  // namespace verbena::fabric
