// SPDX-License-Identifier: Apache-2.0
//
// How a connection's bytes become sends, and what becomes of these.
#include <algorithm>
#include <cerrno>

#include "base/result.h"
#include "streams/connection.h"
#include "verbs/names.h"

namespace verbena::streams {
namespace {

/// Of one turn; who has more to send waits until the others have had theirs.
constexpr uint32_t kSendsPerTurn = 2 * Chain::kLength;
/// A source is asked for so many slices at once.
constexpr uint64_t kSlicesAsked = 8;
/// From here on one copy less is worth a second request.
constexpr uint32_t kLeastPlaced = 4096;
/// The far side is to work on one slice while the next is written, both of them in a cache.
constexpr uint64_t kMostPlacedAtOnce = 64 * 1024;

}  // namespace

base::Result<void> Connection::openStream(OutStream stream) {
  auto same = [&](const OutStream& open) { return open.number == stream.number; };
  if (std::any_of(streams_.begin(), streams_.end(), same)) {
    return base::Error{"open stream " + std::to_string(stream.number),
                       "connection to node " + std::to_string(peer_), EEXIST, "it is open"};
  }
  streams_.push_back(std::move(stream));
  return {};
}

void Connection::placeStream(uint32_t number, const Place& place) {
  auto found = find(number);
  if (found != streams_.end()) found->place = place;
}

std::vector<OutStream>::iterator Connection::find(uint32_t number) {
  return std::find_if(streams_.begin(), streams_.end(),
                      [&](const OutStream& open) { return open.number == number; });
}

void Connection::closeStream(uint32_t number) {
  auto found = find(number);
  if (found == streams_.end()) return;
  retire(*found);
  streams_.erase(found);
  reclaim();
  // If only sends that report nothing use it still, one that does is due.
  flushDue_ = !retired_.empty();
}

void Connection::retire(OutStream& stream) {
  if (stream.ring == nullptr) return;
  retired_.reserve(retired_.size() + 1);  // before the ring leaves the stream: sends use it
  retired_.push_back({std::move(stream.ring), posted_});
}

Connection::Pumped Connection::pump() {
  counters_.pumps.add();
  reclaim();
  Pumped outcome = Pumped::Done;
  for (uint32_t sends = 0; state() == State::Ready;) {
    Chain chain;
    Stop why = fill(chain);
    if (chain.empty()) addReportIfDue(chain);
    if (!chain.empty()) {
      if (!finishAndPost(chain)) return Pumped::Failed;
      sends += chain.size();
      if (refusedAt_ == reclaimed_) why = Stop::QueueFull;
    }
    if (why == Stop::NothingLeft) break;
    if (why != Stop::ChainFull && waits(why)) {
      outcome = Pumped::Waits;
      break;
    }
    if (sends >= kSendsPerTurn) return Pumped::More;
  }
  awaitRetired();
  return outcome;
}

/// The confirmation that frees the ring of a closed stream brings this connection here again; one
/// that came before the mark is seen by reclaim(), as in waits().
void Connection::awaitRetired() {
  if (retired_.empty()) return;
  waiting_.store(true, std::memory_order_seq_cst);
  reclaim();
}

/// One place is left for the last send of all (postLast()). What a send left behind in its place is
/// cleared away before another one takes it.
uint32_t Connection::roomInQueue() {
  reclaim();
  if (reclaimed_ == refusedAt_) return 0;
  return works_.options.sendWorkRequests - static_cast<uint32_t>(posted_ - reclaimed_);
}

/// The next stream in turn that has something to send.
OutStream* Connection::nextStream(uint32_t sliceBytes) {
  for (size_t asked = 0; asked < streams_.size(); asked++) {
    if (turnOf_ >= streams_.size()) turnOf_ = 0;
    OutStream& stream = streams_[turnOf_++];
    uint64_t wanted = stream.place ? kMostPlacedAtOnce : sliceBytes;
    if (stream.ready(kSlicesAsked * wanted) != 0) return &stream;
  }
  return nullptr;
}

Connection::Stop Connection::fill(Chain& chain) {
  uint32_t room = roomInQueue();
  uint32_t window = sendWindow_.room();
  uint32_t headerKey = works_.outgoingMemory.lkey();
  while (chain.size() < Chain::kLength) {
    if (chain.size() == room) return Stop::QueueFull;
    if (chain.payloads() == window) return Stop::WindowShut;
    OutStream* stream = nextStream(maxSliceBytes_);
    if (stream == nullptr) return Stop::NothingLeft;
    uint64_t ready = stream->ready(maxSliceBytes_);
    if (!stream->place || ready < kLeastPlaced || room - chain.size() < Chain::kPlacedLength) {
      auto bytes = static_cast<uint32_t>(std::min<uint64_t>(ready, maxSliceBytes_));
      chain.addSlice(*stream, bytes, headerOf(posted_ + chain.size() + 1), headerKey);
    } else if (chain.size() + Chain::kPlacedLength <= Chain::kLength) {
      auto bytes = static_cast<uint32_t>(std::min(ready, kMostPlacedAtOnce));
      uint64_t number = posted_ + chain.size() + Chain::writesFor(*stream, bytes) + 1;
      chain.addPlaced(*stream, bytes, headerOf(number), headerKey);
    } else {
      turnOf_--;  // it is the first of the next chain
      return Stop::ChainFull;
    }
  }
  return Stop::ChainFull;
}

/// Reports ride on sends; one of its own is made only when nothing else is there to send.
void Connection::addReportIfDue(Chain& chain) {
  bool due = receiveWindow_.due() || (flushDue_ && lastSignalled_ < posted_);
  if (due && roomInQueue() != 0) chain.addReport();
}

/// Numbers, immediate data, and which of them report their completion: one of so many, those whose
/// memory somebody waits for, and the one that fills the queue, or nobody would hear when there is
/// room again.
bool Connection::finishAndPost(Chain& chain) {
  uint32_t givenBack = receiveWindow_.givenBack();
  uint32_t immediate = Immediate{works_.options.self, static_cast<uint16_t>(givenBack)}.toWire();
  uint64_t full = reclaimed_ + works_.options.sendWorkRequests;
  uint64_t signalled = lastSignalled_;
  for (uint32_t i = 0; i < chain.size(); i++) {
    uint64_t number = posted_ + i + 1;
    const OutStream* stream = chain.plan(i).stream;
    bool awaited = stream == nullptr ? flushDue_ : stream->source == &control_;
    bool reports = awaited || number - signalled >= works_.options.signalEvery || number == full;
    if (reports) signalled = number;
    chain.finish(i, number, immediate, reports, maxInline_);
  }
  bool good = post(chain);
  if (!chain.empty()) receiveWindow_.reported(givenBack);
  return good;
}

/// Afterwards the chain has what was taken; what was not is as if it had never been looked at.
bool Connection::post(Chain& chain) {
  record(chain);
  uint32_t payloads = chain.payloads();
  sendWindow_.reserve(payloads);
  ibv_send_wr* bad = nullptr;
  int code = ibv_post_send(queuePair_->get(), chain.first(), &bad);
  uint32_t taken = code == 0 ? chain.size() : chain.indexOf(bad);
  works_.signalled.fetch_sub(chain.signalledFrom(taken), std::memory_order_relaxed);
  chain.takeBack(taken);
  sendWindow_.takeBack(payloads - chain.payloads());
  for (uint32_t i = 0; i < taken; i++) {
    if (chain.plan(i).signalled) lastSignalled_ = posted_ + i + 1;
  }
  posted_ += taken;
  if (lastSignalled_ == posted_) flushDue_ = false;
  count(chain);
  return code == 0 || refused(code);
}

void Connection::count(const Chain& chain) {
  counters_.posts.add();
  counters_.sends.add(chain.payloads());
  counters_.sendBytes.add(chain.bytes());
  counters_.writes.add(chain.writes());
  counters_.reports.add(chain.size() - chain.payloads() - chain.writes());
}

/// Before the sends are posted: their completions may come before that call returns.
void Connection::record(const Chain& chain) {
  for (uint32_t i = 0; i < chain.size(); i++) {
    const Chain::Plan& plan = chain.plan(i);
    bool control = plan.stream != nullptr && plan.stream->source == &control_;
    recordOf(posted_ + i + 1) = {control ? plan.end : 0, plan.signalled};
    if (plan.kind == Chain::Kind::Slice) plan.stream->source->posting(plan.end);
  }
  uint64_t signalled = chain.signalledFrom(0);
  if (signalled != 0) works_.signalled.fetch_add(signalled, std::memory_order_relaxed);
}

/// The device did not take everything. A queue that is full empties, as long as some completion is
/// still to come; anything else is the connection's end.
bool Connection::refused(int code) {
  counters_.partialPosts.add();
  if ((code == ENOMEM || code == EAGAIN) && lastSignalled_ > reclaimed_) {
    refusedAt_ = reclaimed_;
    return true;
  }
  trouble_ = "cannot post to the send queue of queue pair " + std::to_string(queuePair_->qpNum()) +
             ": " + base::errorName(code);
  return false;
}

/// There is something to send and no room. False if room came up meanwhile: confirm() and report()
/// make room first and look at the mark afterwards, here the mark is set first and room looked for
/// afterwards, all four of them sequentially consistent, so one of both sees the other.
bool Connection::waits(Stop why) {
  waiting_.store(true, std::memory_order_seq_cst);
  bool room = roomInQueue() != 0 && (why == Stop::QueueFull || sendWindow_.room() != 0);
  return !room || !waiting_.exchange(false, std::memory_order_seq_cst);
}

void Connection::wakePump() {
  if (!waiting_.load(std::memory_order_seq_cst)) return;
  if (waiting_.exchange(false, std::memory_order_seq_cst)) works_.showInterest(place_);
}

void Connection::confirm(uint64_t number) {
  uint64_t before = confirmed_.load(std::memory_order_relaxed);
  if (number <= before) return;
  uint64_t signalled = 0;
  for (uint64_t done = before + 1; done <= number; done++) {
    if (recordOf(done).signalled) signalled++;
  }
  works_.signalled.fetch_sub(signalled, std::memory_order_relaxed);
  confirmed_.store(number, std::memory_order_seq_cst);
  wakePump();
}

bool Connection::report(uint16_t count) {
  uint64_t before = sendWindow_.done();
  if (!sendWindow_.report(count)) return false;
  if (sendWindow_.done() != before) wakePump();
  return true;
}

/// What confirmed sends used is free.
void Connection::reclaim() {
  // seq_cst pairs with confirm(): see waits()
  uint64_t confirmed = confirmed_.load(std::memory_order_seq_cst);
  if (reclaimed_ == confirmed && retired_.empty()) return;
  while (reclaimed_ < confirmed) {
    uint64_t controlEnd = recordOf(++reclaimed_).controlEnd;
    if (controlEnd != 0) control_.confirm(controlEnd);
  }
  std::erase_if(retired_, [&](const RetiredRing& ring) { return ring.until <= confirmed; });
}

}  // namespace verbena::streams
