// SPDX-License-Identifier: Apache-2.0
//
// How links of a worker come, fail and go.
#include <cerrno>
#include <memory>
#include <new>
#include <optional>

#include "fabric/worker.h"

namespace verbena::fabric {

using base::Error;
using base::Result;

namespace {

std::chrono::nanoseconds nowOnClock() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace

/// Nothing is locked while the device makes the queue pair: links end meanwhile.
Result<connect::LinkEnd> Worker::create(Service& service, const connect::NewLink& link) {
  if (Result<void> may = mayLink(link.peer); !may) return may.error();
  if (Result<void> good = service.judge(link); !good) return good.error();
  Result<Link*> place = reserve(service, link);
  if (!place) return place.error();
  Result<connect::LinkEnd> made = makeAt(**place, link);
  if (made) enter(**place);
  return made;
}

Result<void> Worker::mayLink(connect::NodeId peer) const {
  std::chrono::nanoseconds pause = domain_->wrongKeys->pause(peer, nowOnClock());
  if (pause.count() <= 0) return {};
  auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(pause).count();
  return Error{"link with node " + std::to_string(peer), domain_->selection.device.name(),
               ECONNREFUSED,
               "it has used more than " + std::to_string(WrongKeys::kAtOnce) +
                   " wrong keys lately; try again in " + std::to_string(milliseconds) + " ms"};
}

Result<Link*> Worker::reserve(Service& service, const connect::NewLink& link) {
  std::lock_guard guard(lifeLock_);
  if (dead_) {
    return Error{"create a link with node " + std::to_string(link.peer),
                 domain_->selection.device.name(), ENODEV, deathReason_};
  }
  Link* place = links_.reserve(service);
  if (place == nullptr) return service.noPlace(link);
  return place;
}

/// Leaves the place free if that does not come to its end, for want of memory too.
Result<connect::LinkEnd> Worker::makeAt(Link& place, const connect::NewLink& link) {
  bool made = false;
  auto releaseUnlessMade = [&](Link* at) {
    std::lock_guard guard(lifeLock_);
    if (!made) links_.release(*at);
  };
  std::unique_ptr<Link, decltype(releaseUnlessMade)> reserved(&place, releaseUnlessMade);
  TurnHeld turn(place.turn());  // nothing is published here yet
  Result<connect::LinkEnd> end = place.make(link);
  made = end.ok();
  return end;
}

/// A device that fails from here on takes the link with it; one that failed while it was made did
/// not see it.
void Worker::enter(Link& made) {
  bool late = false;
  {
    std::lock_guard guard(lifeLock_);
    links_.enter(made);
    late = dead_;
  }
  if (late) failed(made, deathReason_);
}

Result<void> Worker::connect(connect::LinkId id, const connect::LinkEnd& far) {
  Result<void> result =
      Error{"connect", "link " + std::to_string(id), ENOTCONN, "it is not there any more"};
  inTurn(id, [&](Link& link) { result = link.connect(far); });
  return result;
}

void Worker::ready(connect::LinkId id) {
  if (inTurn(id, [](Link& link) { link.ready(); })) interest(id);
}

/// The queue pair is moved to error before its turn is taken: a thread that is at a long copy on it
/// stops at the next piece and leaves. What is found stays there meanwhile: it ends only after it
/// was added to the endings.
void Worker::close(connect::LinkId id) {
  Link* found = links_.find(id);
  if (found == nullptr || !found->breakOff()) return;
  inTurn(id, [&](Link& link) {
    link.beginClose();
    endings_.add(link);
  });
  waiter_->wakeIfArmed();
}

std::chrono::nanoseconds Worker::watch(std::chrono::nanoseconds now) {
  constexpr std::chrono::milliseconds kEvery{100};
  if (now >= watchAt_) {
    watchAt_ = now + kEvery;
    for (Service* service : services_) service->tend();
    lookForStalls(now);
  }
  return standIn(now);
}

void Worker::lookForStalls(std::chrono::nanoseconds now) {
  bool some = false;
  links_.forEach([&](Link& link) { some |= link.hasStalled(now); });
  if (!some) return;
  stalled_.store(true, std::memory_order_seq_cst);
  waiter_->wakeIfArmed();
}

/// Links that wait go on when somebody does rounds. Whoever polls may be busy with what it has
/// taken, as the handler of a message may be for as long as it likes: then this thread does rounds.
std::chrono::nanoseconds Worker::standIn(std::chrono::nanoseconds now) {
  constexpr std::chrono::milliseconds kPatience{20};
  constexpr std::chrono::milliseconds kEvery{1};
  using connect::LinkOwner;
  if (!someWait_.load(std::memory_order_seq_cst)) return standInAt_ = LinkOwner::kNoHurry;
  if (standInAt_ == LinkOwner::kNoHurry) {
    roundsSeen_ = counters_.rounds;
    return standInAt_ = now + kPatience;
  }
  if (now < standInAt_) return standInAt_;
  // The mark goes before the look: a link that has waited since sets it again.
  someWait_.store(false, std::memory_order_seq_cst);
  if (interests_.empty() && !someLinkWaits()) return standInAt_ = LinkOwner::kNoHurry;
  someWait_.store(true, std::memory_order_seq_cst);
  bool isAway = counters_.rounds == roundsSeen_;
  if (isAway) progress();
  roundsSeen_ = counters_.rounds;
  // Who has armed may sleep, and is woken by what comes; or has found work in its last look.
  return standInAt_ = now + (isAway && !waiter_->isArmed() ? kEvery : kPatience);
}

bool Worker::someLinkWaits() const {
  bool some = false;
  links_.forEach([&](const Link& link) { some |= link.isWaiting(); });
  return some;
}

/// A completion that lies in the queue still is a confirmation.
void Worker::failStalled() {
  stalled_.store(false, std::memory_order_relaxed);
  completions_.lookUnasked();
  while (completions_.take() != 0) {
  }
  links_.forEach([&](Link& link) {
    if (link.isStill()) failed(link, link.stall());
  });
}

void Worker::endThoseDue() {
  std::span<Link* const> due = endings_.due(dead_);
  // What arrived before their last event is in the receive queues still, and their buffers with it.
  try {
    if (!due.empty() && !dead_) drainServices();
  } catch (const std::bad_alloc&) {
    // What it was about has been counted; nobody is told what an ending link had to say.
  }
  for (Link* link : due) destroyLater(*link);
  for (Link* link : endings_.destroyed()) end(*link);
}

/// What the device still says of it is about nobody: another queue pair may have its number soon.
void Worker::destroyLater(Link& link) {
  {
    std::lock_guard guard(lifeLock_);
    links_.leaveQueuePair(link);
  }
  link.drained();
  connect::LinkId id = link.id();
  if (lifecycle_ == nullptr || !lifecycle_->drained(id)) destroy(id);
}

void Worker::destroy(connect::LinkId id) {
  Link* drained = nullptr;
  std::optional<verbs::QueuePair> queuePair;
  inTurn(id, [&](Link& link) {
    queuePair = link.takeQueuePair();
    if (queuePair) drained = &link;
  });
  if (drained == nullptr) return;
  queuePair.reset();  // outside of the turn: a device may take its time
  endings_.addDestroyed(*drained);
  waiter_->wakeIfArmed();
}

void Worker::drainServices() {
  for (Service* service : services_) service->drain();
}

void Worker::end(Link& link) {
  connect::LinkId id = 0;
  {
    std::lock_guard guard(lifeLock_);
    links_.remove(link);
    link.turn().lock();
    id = link.end();
    static_cast<void>(link.turn().leave());  // a mark was for what has ended
    links_.release(link);
  }
  if (lifecycle_ != nullptr) lifecycle_->closed(id);
}

void Worker::failed(Link& link, const std::string& reason) {
  connect::LinkId id = link.id();
  if (!link.fail()) return;
  counters_.linksFailed.addShared();
  if (lifecycle_ != nullptr) lifecycle_->failed(id, reason);
}

void Worker::failed(connect::LinkId id, const std::string& reason) {
  if (Link* link = links_.find(id)) failed(*link, reason);
}

void Worker::nonsense(Link& link, const std::string& reason) {
  connect::LinkId id = link.id();
  if (!link.failByNonsense()) return;
  counters_.nonsense.add();
  counters_.linksFailed.addShared();
  if (lifecycle_ != nullptr) {
    lifecycle_->failed(id, "node " + std::to_string(link.peer()) + " talks nonsense: " + reason);
  }
}

void Worker::heard(const verbs::AsyncEvent& event) {
  if (all_.empty()) return completions_.heard(event);
  for (const std::unique_ptr<Worker>& each : all_) {
    each->completions_.heard(event);
    if (each.get() != this) each->waiter_->wakeIfArmed();
  }
}

void Worker::usedWrongKey(const Link& link) {
  domain_->wrongKeys->note(link.peer(), nowOnClock());
}

void Worker::deviceFailed(const std::string& reason) {
  {
    std::lock_guard guard(lifeLock_);
    if (dead_) return;
    deathReason_ = domain_->context.name() + " cannot be used any more: " + reason;
    dead_ = true;
  }
  links_.forEach([&](Link& link) { failed(link, deathReason_); });
}

}  // namespace verbena::fabric
