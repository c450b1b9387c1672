// SPDX-License-Identifier: Apache-2.0
#include "fabric/one_sided.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "fabric/quiet.h"
#include "fabric/worker.h"

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

/// Two words: what flushes of others read, and what our own bring.
constexpr uint64_t kWordsBytes = 16;
constexpr uint64_t kFlushedBytes = 8;

}  // namespace

Result<std::unique_ptr<OneSided>> OneSided::on(Worker& worker, const OneSidedOptions& options) {
  Result<std::unique_ptr<Signals>> signals =
      Signals::create(worker, options.links, options.signals);
  if (!signals) return signals.error();
  Result<Registered> words = Registered::allocate(worker.domain(), kWordsBytes);
  if (!words) return words.error();
  Result<verbs::MemoryRegion> flushed = verbs::MemoryRegion::registerRange(
      worker.domain().pd, std::span(words->start(), kFlushedBytes), IBV_ACCESS_REMOTE_READ);
  if (!flushed) return flushed.error();
  // Now: links are made by a thread that others wait for.
  if (options.mapping) static_cast<void>(worker.domain().lending().lender());
  return std::unique_ptr<OneSided>(
      new OneSided(worker, options, std::move(*signals), std::move(*words), std::move(*flushed)));
}

OneSided::OneSided(Worker& worker, const OneSidedOptions& options, std::unique_ptr<Signals> signals,
                   Registered words, verbs::MemoryRegion flushed)
    : worker_(worker),
      options_(options),
      signals_(std::move(signals)),
      words_(std::move(words)),
      flushed_(std::move(flushed)),
      done_(worker.options().completions()) {}

std::unique_ptr<Link> OneSided::newLink(Worker& worker, uint32_t place) {
  return std::make_unique<OneSidedLink>(*this, worker, place);
}

Result<void> OneSided::judge(const connect::NewLink& link) const {
  if (link.offered == nullptr) return {};
  if (isRetired_.load(std::memory_order_relaxed)) {
    return Error{"link to the memory of this node", "", ECONNREFUSED, "its fabric is closed"};
  }
  Result<OneSidedLink::Far> far = OneSidedLink::judged(link.peer, *link.offered);
  return far ? Result<void>() : Result<void>(far.error());
}

Error OneSided::noPlace(const connect::NewLink& link) const {
  return {"link to the memory of node " + std::to_string(link.peer),
          worker_.domain().selection.device.name(), ENOSPC,
          "all " + std::to_string(options_.links) +
              " places for links of one-sided memory are in use; give it more, or close some"};
}

uint32_t OneSided::faceFor(const connect::NewLink& link, uint32_t faces) const {
  return options_.user == nullptr ? Service::faceFor(link, faces) : options_.user->faceFor(link);
}

void OneSided::down(connect::LinkId link, const std::string& reason) {
  if (options_.user != nullptr) options_.user->down(link, reason);
}

void OneSided::notUp(connect::LinkId link, const std::string& reason) {
  if (options_.user != nullptr) options_.user->notUp(link, reason);
}

// ------------------------------------------------------------------ posting

Result<uint32_t> OneSided::post(connect::LinkId link, std::span<const Request> all) {
  uint32_t posted = 0;
  while (posted < all.size()) {
    Result<uint32_t> taken = postChain(link, all.subspan(posted));
    if (!taken && posted == 0) return taken;
    if (!taken || *taken == 0) break;
    posted += *taken;
  }
  return posted;
}

/// The turn is given up after each chain: others post, or close the link.
Result<uint32_t> OneSided::postChain(connect::LinkId id, std::span<const Request> all) {
  std::optional<Result<uint32_t>> taken;
  Trouble trouble;
  bool lost = false;
  worker_.inTurn(id, [&](Link& link) {
    if (&link.service() != this || link.state() != Link::State::Ready) return;
    auto& own = static_cast<OneSidedLink&>(link);
    taken = own.post(all);
    trouble = own.trouble();
    lost = own.wasLost();
  });
  if (trouble.code != 0) worker_.failed(id, trouble);
  if (lost)
    worker_.failed(id, "the target has taken its memory away while this process stood still");
  if (taken) return std::move(*taken);
  return Error{"post to link " + std::to_string(id), "", ENOTCONN,
               "it is not up (any more); ask for a new one"};
}

std::optional<Way> OneSided::way(connect::LinkId id) {
  std::optional<Way> found;
  worker_.inTurn(id, [&](Link& link) {
    if (&link.service() == this) found = static_cast<OneSidedLink&>(link).way();
  });
  return found;
}

std::optional<LinkCounts> OneSided::counts(connect::LinkId id) const {
  const Link* link = worker_.links().find(id);
  if (link == nullptr || &link->service() != this) return std::nullopt;
  LinkCounts counts = static_cast<const OneSidedLink*>(link)->counts();
  // Its place may have become another's meanwhile. The look comes behind the counters.
  std::atomic_thread_fence(std::memory_order_acquire);
  return link->id() == id ? std::optional(counts) : std::nullopt;
}

size_t OneSided::links(std::span<connect::LinkId> up) const {
  size_t count = 0;
  worker_.links().forEach([&](const Link& link) {
    bool isUp = &link.service() == this && link.state() == Link::State::Ready;
    connect::LinkId id = link.id();
    if (isUp && id != 0 && count < up.size()) up[count++] = id;
  });
  return count;
}

uint32_t OneSided::reserve(uint32_t wanted) {
  uint64_t open = open_.load(std::memory_order_relaxed);
  uint64_t granted = 0;
  do {
    granted = std::min<uint64_t>(wanted, done_.room() - open);
    // acquire pairs with giveBack()
  } while (!open_.compare_exchange_weak(open, open + granted, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  return static_cast<uint32_t>(granted);
}

// ------------------------------------------------------------------ what is done

void OneSided::tell(std::span<const Done> done) {
  if (done.empty()) return;
  done_.push(done);
  worker_.wakeIfArmed();
}

size_t OneSided::poll(std::span<Done> done) {
  size_t count = done_.take(done);
  if (count != 0) giveBack(static_cast<uint32_t>(count));
  return count;
}

// ------------------------------------------------------------------ quiet

namespace {

using Clock = std::chrono::steady_clock;

/// Before a thread sleeps: about what it costs to be woken.
constexpr std::chrono::microseconds kBusily{50};
/// A thread that does the rounds meanwhile may take the last completion without a word to us.
constexpr std::chrono::nanoseconds kLongestSleep = std::chrono::milliseconds(1);
constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24 * 365);

}  // namespace

bool OneSided::quiet(std::chrono::nanoseconds timeout, const std::function<void()>& round) {
  Quiet quiet(*this);
  auto begin = Clock::now();
  auto deadline = begin + std::min(timeout, kLongest);
  while (!quiet.isOver()) {
    round ? round() : static_cast<void>(worker_.progress());
    if (quiet.isOver()) break;
    auto now = Clock::now();
    if (now >= deadline) return false;
    if (now - begin < kBusily) continue;
    uint64_t ticket = worker_.arm(Worker::nobody());
    round ? round() : static_cast<void>(worker_.progress());
    if (quiet.isOver()) break;
    std::chrono::nanoseconds left = deadline - now;
    worker_.wait(std::min(left, kLongestSleep), ticket, Worker::nobody());
  }
  return true;
}

// ------------------------------------------------------------------ signals

size_t OneSided::receive() {
  size_t taken = signals_->take([this](const ibv_wc& each) { arrived(each); });
  if (taken != 0) handOut();
  return taken;
}

void OneSided::drain() {
  while (signals_->take([this](const ibv_wc& each) { arrived(each); }) != 0) {
  }
  handOut();
}

/// Also of a report somebody hears who waits for room.
void OneSided::handOut() {
  signals_->publish();
  worker_.wakeIfArmed();
  signals_->postReceives();
}

/// Of whom an arrival is, its queue pair says and nothing else.
void OneSided::arrived(const ibv_wc& done) {
  Link* whose = worker_.links().findByQpNum(done.qp_num);
  // The device may have given another service the number of a queue pair that has ended.
  if (whose == nullptr || &whose->service() != this) return;
  auto* link = static_cast<OneSidedLink*>(whose);
  if (done.status != IBV_WC_SUCCESS) return worker_.failedReceive(*link, done);
  if (!link->listensToTheEnd()) return;
  if (!link->hear(done)) worker_.nonsense(*link, "a signal without room for it, or no signal");
}

size_t OneSided::takeSignals(std::span<Signal> taken) {
  size_t count = 0;
  while (count < taken.size()) {
    std::optional<Signals::Entry> next = signals_->next();
    if (!next) break;
    taken[count++] = next->signal;
    auto& link = static_cast<OneSidedLink&>(worker_.links().at(next->place));
    switch (link.signalsIn().giveBack(next->generation)) {
      case ReceiveWindow::GivenBack::Late: signals_->giveBack(1); break;
      case ReceiveWindow::GivenBack::Counted: break;
      case ReceiveWindow::GivenBack::ReportDue: worker_.leaveToRound(link.place()); break;
    }
  }
  return count;
}

}  // namespace verbena::fabric
