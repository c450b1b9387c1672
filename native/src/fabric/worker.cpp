// SPDX-License-Identifier: Apache-2.0
//
// Posting, rounds and waiting; worker_links.cpp has how links come, fail and go.
#include "fabric/worker.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

/// A thread that is turned away leaves a mark; so many times the one at work looks again itself.
constexpr int kLooks = 4;
/// While links end, and where the device gives no event, somebody looks again after this.
constexpr std::chrono::milliseconds kEndingsTick{5};

bool rests(Link::Pumped outcome) {
  return outcome == Link::Pumped::Done || outcome == Link::Pumped::Waits;
}

}  // namespace

Result<std::unique_ptr<Worker>> Worker::open(std::shared_ptr<const Domain> domain,
                                             const WorkerOptions& options) {
  const verbs::Context& context = domain->context;
  if (Result<void> good = options.check(context); !good) return good.error();
  Result<verbs::AsyncEvents> events = verbs::AsyncEvents::of(context);
  if (!events) return events.error();
  Result<verbs::CompletionChannel> channel = verbs::CompletionChannel::create(context);
  if (!channel) return channel.error();
  Result<verbs::CompletionQueue> queue = verbs::CompletionQueue::create(
      context, static_cast<int>(options.completions()), *channel, nullptr, options.vector);
  if (!queue) return queue.error();
  std::unique_ptr<Worker> worker(new Worker(std::move(domain), options, std::move(*events),
                                            std::move(*channel), std::move(*queue)));
  Result<std::unique_ptr<Waiter>> waiter =
      Waiter::create(worker->channel_, worker->events_, worker->domain_->context.name());
  if (!waiter) return waiter.error();
  worker->waiter_ = std::move(*waiter);
  return worker;
}

Worker::Worker(std::shared_ptr<const Domain> domain, const WorkerOptions& options,
               verbs::AsyncEvents events, verbs::CompletionChannel channel,
               verbs::CompletionQueue sendQueue)
    : domain_(std::move(domain)),
      options_(options),
      events_(std::move(events)),
      channel_(std::move(channel)),
      sendQueue_(std::move(sendQueue)),
      interests_(options.maxLinks),
      links_(options.maxLinks),
      completions_(sendQueue_, events_, links_, reporting_, counters_, *this),
      endings_(options.maxLinks, counters_.lateEndings) {}

Result<void> Worker::add(Service& service, uint32_t links) {
  if (links > options_.maxLinks - places_) {
    return Error{"add a service with " + std::to_string(links) + " links",
                 domain_->selection.device.name(), EINVAL,
                 "maxLinks is " + std::to_string(options_.maxLinks) + ", of which " +
                     std::to_string(places_) + " are other services'"};
  }
  links_.add(service, *this, links);
  services_.push_back(&service);
  places_ += links;
  return {};
}

bool Worker::pump(Link& link) {
  if (!link.turn().enter()) return false;
  auto outcome = Link::Pumped::Done;
  int looks = 0;
  // again() takes the mark away, so it is asked only where another look follows: what is left after
  // the last one leave() finds.
  do {
    outcome = link.pump();
  } while (rests(outcome) && ++looks < kLooks && link.turn().again());
  connect::LinkId id = link.id();
  Trouble trouble = link.trouble();
  bool marked = link.turn().leave();
  if (outcome == Link::Pumped::Failed) failed(id, trouble);
  if (outcome == Link::Pumped::More || marked) leaveToRound(link.place());
  return outcome == Link::Pumped::Waits;
}

size_t Worker::progress() {
  if (!turn_.enter()) return 0;
  auto leave = [this](Turn* turn) {
    // Somebody was turned away who may be about to sleep: that one looks again itself.
    if (turn->leave()) waiter_->wakeIfArmed();
  };
  std::unique_ptr<Turn, decltype(leave)> turn(&turn_, leave);  // also where memory is lacking
  return round();
}

size_t Worker::round() {
  counters_.rounds.add();
  bool due = eventsDue_.load(std::memory_order_relaxed) || !endings_.empty();
  if (due || ++unasked_ >= kRoundsUnasked) {
    unasked_ = 0;
    eventsDue_.store(false, std::memory_order_relaxed);
    completions_.takeEvents();
    completions_.lookUnasked();
  }
  size_t done = 0;
  for (Service* service : services_) done += service->receive();
  done += completions_.take();
  done += serveInterests();  // behind those who show interest
  if (stalled_.load(std::memory_order_relaxed)) failStalled();
  if (!endings_.empty()) endThoseDue();
  return done;
}

size_t Worker::serveInterests() {
  for (size_t served = 0; served < kPumps; served++) {
    std::optional<uint32_t> place = interests_.next();
    if (!place) return served;
    pump(links_.at(*place));
  }
  if (!interests_.empty()) noteWaiting();
  return kPumps;
}

uint64_t Worker::arm(const Service* whose) {
  completions_.lookUnasked();
  uint64_t ticket = waiter_->arm([this] {
    bool armed = armQueues();
    if (!armed) eventsDue_.store(true, std::memory_order_relaxed);
    // For whoever waits on the descriptor: nobody else tells of what was there before.
    if (!armed || !endings_.empty()) waiter_->remindAfter(kEndingsTick);
    return armed;
  });
  if (hasWork(whose)) waiter_->wakeIfArmed();
  return ticket;
}

/// Compared with, and nothing else.
const Service* Worker::nobody() {
  alignas(Service) static const std::byte place{};
  return reinterpret_cast<const Service*>(&place);
}

bool Worker::armQueues() {
  bool all = sendQueue_.arm() == 0;
  for (Service* service : services_) all = service->armArrivals() && all;
  return all;
}

void Worker::wait(std::chrono::nanoseconds timeout, uint64_t ticket, const Service* whose) {
  // What this thread itself has left since arm() wakes nobody.
  if (hasWork(whose)) return waiter_->disarm();
  bool ending = !endings_.empty();
  if (ending && (timeout.count() < 0 || timeout > kEndingsTick)) timeout = kEndingsTick;
  if (dead_.load(std::memory_order_relaxed)) return waiter_->waitForOthers(timeout, ticket);
  if (waiter_->wait(timeout, ticket)) eventsDue_.store(true, std::memory_order_relaxed);
}

bool Worker::hasWork(const Service* whose) const {
  if (!interests_.empty()) return true;
  return std::ranges::any_of(services_, [whose](const Service* each) {
    return (whose == nullptr || each == whose) && each->hasArrivals();
  });
}

void Worker::wake() {
  // seq_cst pairs with Waiter::arm(): what the caller has left comes before the look at the flag
  std::atomic_thread_fence(std::memory_order_seq_cst);
  waiter_->wakeIfArmed();
}

}  // namespace verbena::fabric
