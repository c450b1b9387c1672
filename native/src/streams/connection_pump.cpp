// SPDX-License-Identifier: Apache-2.0
//
// How a connection's bytes become sends, and what becomes of these.
#include <algorithm>
#include <cerrno>

#include "streams/connection.h"

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
                       "connection to node " + std::to_string(peer()), EEXIST, "it is open"};
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
  retired_.push_back({std::move(stream.ring), requests().posted()});
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
      if (requests().isRefused()) why = Stop::QueueFull;
    }
    if (why == Stop::NothingLeft) break;
    if (why != Stop::ChainFull && waitsFor(why)) {
      outcome = Pumped::Waits;
      break;
    }
    if (sends >= kSendsPerTurn) return Pumped::More;
  }
  awaitRetired();
  return outcome;
}

/// The confirmation that frees the ring of a closed stream brings this connection here again.
void Connection::awaitRetired() {
  if (retired_.empty()) return;
  waits([this] {
    reclaim();
    return retired_.empty();
  });
}

/// What a send left behind in its place is cleared away before another one takes it.
uint32_t Connection::roomInQueue() {
  reclaim();
  return requests().room();
}

/// The next stream in turn that has something to send. One that has had nothing is not asked again
/// for the same chain: whoever publishes on it meanwhile pumps afterwards.
OutStream* Connection::nextStream() {
  size_t count = streams_.size();
  for (size_t asked = 0; asked < count; asked++) {
    if (turnOf_ >= count) turnOf_ = 0;
    OutStream& stream = streams_[turnOf_++];
    if (stream.quietIn == chains_) continue;
    uint64_t wanted = stream.place ? kMostPlacedAtOnce : maxSliceBytes_;
    if (stream.ready(kSlicesAsked * wanted) != 0) return &stream;
    stream.quietIn = chains_;
  }
  return nullptr;
}

Connection::Stop Connection::fill(Chain& chain) {
  uint32_t room = roomInQueue();
  uint32_t window = roomForPayload();
  uint32_t headerKey = works_.outgoingMemory.lkey();
  chains_++;
  while (chain.size() < Chain::kLength) {
    if (chain.size() == room) return Stop::QueueFull;
    if (chain.payloads() == window) {
      waits_ = hasMore();
      return Stop::WindowShut;
    }
    OutStream* stream = nextStream();
    if (stream == nullptr) return Stop::NothingLeft;
    uint64_t ready = stream->ready(maxSliceBytes_);
    if (!stream->place || ready < kLeastPlaced || room - chain.size() < Chain::kPlacedLength) {
      auto bytes = static_cast<uint32_t>(std::min<uint64_t>(ready, maxSliceBytes_));
      chain.addSlice(*stream, bytes, headerOf(requests().posted() + chain.size() + 1), headerKey);
    } else if (chain.size() + Chain::kPlacedLength <= Chain::kLength) {
      auto bytes = static_cast<uint32_t>(std::min(ready, kMostPlacedAtOnce));
      uint64_t number = requests().posted() + chain.size() + Chain::writesFor(*stream, bytes) + 1;
      chain.addPlaced(*stream, bytes, headerOf(number), headerKey);
    } else {
      turnOf_--;  // it is the first of the next chain
      return Stop::ChainFull;
    }
  }
  return Stop::ChainFull;
}

bool Connection::hasMore() {
  return std::ranges::any_of(streams_, [](OutStream& stream) { return stream.ready(1) != 0; });
}

/// The last receive of the far side's window is for a report: ends that have sent each other all
/// they may can still say that they are done with it. So no end stays without any for long: the one
/// that takes the last has reported two or more, and the far side's next send gives it back.
uint32_t Connection::roomForPayload() const {
  uint32_t room = sendWindow_.room();
  return room == 0 ? 0 : room - 1;
}

/// Reports ride on sends; one of its own is made only when nothing else is there to send.
void Connection::addReportIfDue(Chain& chain) {
  bool flush = flushDue_ && requests().lastReporting() < requests().posted();
  bool mayBe = hasRoomForReport() || (flush && roomForPayload() != 0);
  if (mayBe && roomInQueue() != 0) chain.addReport();
}

/// Immediate data, and which of them report their completion: one of so many, those whose memory
/// somebody waits for, the one that fills the queue, and the one that shuts the window: if the far
/// side takes none of them, the link's watch is to see it.
bool Connection::finishAndPost(Chain& chain) {
  uint32_t givenBack = receiveWindow_.givenBack();
  Immediate said{works_.options.self, static_cast<uint16_t>(givenBack), waits_};
  uint32_t immediate = said.toWire();
  bool shuts = chain.sends() >= roomForPayload();
  uint64_t reporting = requests().lastReporting();
  for (uint32_t i = 0; i < chain.size(); i++) {
    uint64_t number = requests().posted() + i + 1;
    const OutStream* stream = chain.plan(i).stream;
    bool awaited = stream == nullptr ? flushDue_ : stream->source == &control_;
    bool reports = awaited || number - reporting >= works_.options.signalEvery ||
                   number == requests().filling() || (shuts && i + 1 == chain.size());
    if (reports) reporting = number;
    chain.finish(i, immediate, reports, maxInline());
  }
  bool good = postChain(chain);
  if (chain.empty()) return good;
  receiveWindow_.reported(givenBack);
  waits_ = false;
  return good;
}

/// Afterwards the chain has what was taken; what was not is as if it had never been looked at.
bool Connection::postChain(Chain& chain) {
  record(chain);
  uint32_t sends = chain.sends();
  sendWindow_.reserve(sends);
  uint32_t wanted = chain.size();
  uint32_t taken = 0;
  bool good = post(chain.first(), taken);
  chain.takeBack(taken);
  sendWindow_.takeBack(sends - chain.sends());
  if (requests().lastReporting() == requests().posted()) flushDue_ = false;
  if (taken < wanted) counters_.partialPosts.add();
  count(chain);
  return good;
}

void Connection::count(const Chain& chain) {
  counters_.posts.add();
  counters_.sends.add(chain.payloads());
  counters_.sendBytes.add(chain.bytes());
  counters_.writes.add(chain.writes());
  counters_.reports.add(chain.sends() - chain.payloads());
}

/// Before the sends are posted: their completions may come before that call returns.
void Connection::record(const Chain& chain) {
  for (uint32_t i = 0; i < chain.size(); i++) {
    const Chain::Plan& plan = chain.plan(i);
    bool control = plan.stream != nullptr && plan.stream->source == &control_;
    controlEnds_[requests().place(requests().posted() + i + 1)] = control ? plan.end : 0;
    if (plan.kind == Chain::Kind::Slice) plan.stream->source->posting(plan.end);
  }
}

bool Connection::waitsFor(Stop why) {
  return waits([&] {
    if (roomInQueue() == 0) return false;
    return why == Stop::QueueFull || roomForPayload() != 0 || hasRoomForReport();
  });
}

void Connection::hearReport(uint64_t done) {
  if (done <= sendWindow_.done()) return;
  sendWindow_.hear(done);
  roomCame();
}

/// What confirmed sends used is free.
void Connection::reclaim() {
  requests().reclaim([&](uint64_t number) {
    uint64_t controlEnd = controlEnds_[requests().place(number)];
    if (controlEnd != 0) control_.confirm(controlEnd);
  });
  if (retired_.empty()) return;
  uint64_t confirmed = requests().confirmed();
  std::erase_if(retired_, [&](const RetiredRing& ring) { return ring.until <= confirmed; });
}

}  // namespace verbena::streams
