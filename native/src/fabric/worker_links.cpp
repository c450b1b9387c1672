// SPDX-License-Identifier: Apache-2.0
//
// How links of a worker come, fail and go.
#include <cerrno>
#include <memory>
#include <new>

#include "fabric/worker.h"

namespace verbena::fabric {

using base::Error;
using base::Result;

Result<connect::LinkEnd> Worker::create(Service& service, const connect::NewLink& link) {
  if (Result<void> good = service.judge(link); !good) return good.error();
  std::lock_guard guard(lifeLock_);
  if (dead_) {
    return Error{"create a link with node " + std::to_string(link.peer),
                 domain_->selection.device.name(), ENODEV, deathReason_};
  }
  Link* place = links_.reserve(service);
  if (place == nullptr) return service.noPlace(link);
  Result<connect::LinkEnd> made = makeAt(*place, link);
  if (made) links_.enter(*place);
  return made;
}

/// Leaves the place free if that does not come to its end, for want of memory too.
Result<connect::LinkEnd> Worker::makeAt(Link& place, const connect::NewLink& link) {
  bool made = false;
  auto releaseUnlessMade = [&](Link* at) {
    if (!made) links_.release(*at);
  };
  std::unique_ptr<Link, decltype(releaseUnlessMade)> reserved(&place, releaseUnlessMade);
  TurnHeld turn(place.turn());  // nothing is published here yet
  Result<connect::LinkEnd> end = place.make(link);
  made = end.ok();
  return end;
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

void Worker::endThoseDue() {
  std::span<Link* const> due = endings_.due(dead_);
  if (due.empty()) return;
  // What arrived before their last event is in the receive queues still, and their buffers with it.
  try {
    if (!dead_) drainServices();
  } catch (const std::bad_alloc&) {
    // What it was about has been counted; nobody is told what an ending link had to say.
  }
  for (Link* link : due) end(*link);
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
