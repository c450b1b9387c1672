// SPDX-License-Identifier: Apache-2.0
#include "queue.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "failure.h"
#include "network.h"
#include "words.h"

namespace verbena::ip {

using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 20ms;  // with one peer that has no room
constexpr auto kBetweenLooks = 10ms;
constexpr auto kBetweenReaders = 1s;  // tries to make those that could not be made
constexpr int kFrames = 64;           // read in a row, before what peers have written is looked at
constexpr int kSoonMs = 1;            // to what waits for room, or for a device
constexpr int kNextLookMs = 10;       // to channels that are opened, and to peers that are away
constexpr int kLongestMs = 1'000;     // a link may end without a word
constexpr size_t kErrands = 8;        // of a round: rings are made by them

template <typename T>
void addOnce(std::vector<T>& to, const T& one) {
  if (std::ranges::find(to, one) == to.end()) to.push_back(one);
}

}  // namespace

Queue::Queue(Network& network, uint32_t number)
    : network_(network), number_(number), incoming_(network.peers().size()) {
  for (Peer& peer : network.peers()) {
    outgoing_.emplace_back(network.fabric(), peer, channelOf(network.options().node, number),
                           number);
    places_.push_back(&outgoing_.back());
    // Others are read when they ask for it.
    if (number == 0) openReader(places_.size() - 1, 0);
  }
}

bool Queue::leave(Errand errand) {
  if (!errands_.leave(std::move(errand))) return false;
  hasErrands_.store(true, std::memory_order_release);
  vbn_worker_wake(network_.fabric().get(), number_);
  return true;
}

// ------------------------------------------------------------------ rounds

void Queue::run() {
  while (!network_.isStopping()) {
    if (!round()) sleep();
  }
}

bool Queue::round() {
  now_ = Clock::now();
  tend();
  bool came = fromPeers();
  return fromKernel() || came;
}

/// Nobody is missed: the far ends nudge, and what is asked again and again has a time.
void Queue::sleep() {
  armedReaders_.clear();
  for (Incoming& each : readers_) armedReaders_.push_back(each.reader());
  vbn_writer* full = held_ ? held_->to->writer() : nullptr;
  vbn_fabric* fabric = network_.fabric().get();
  auto readers = static_cast<uint32_t>(armedReaders_.size());
  uint32_t writers = full == nullptr ? 0 : 1;
  vbn_worker_arm_channels(fabric, number_, armedReaders_.data(), readers, &full, writers);
  if (!hasCome(full)) {
    short fromKernel = held_ ? 0 : POLLIN;
    std::array<pollfd, 3> waits{{{vbn_worker_descriptor(fabric, number_), POLLIN, 0},
                                 {network_.stopDescriptor(), POLLIN, 0},
                                 {network_.tap().queue(number_), fromKernel, 0}}};
    poll(waits.data(), waits.size(), timeout());
    if (waits[0].revents != 0) nextLook_ = {};  // it may be that a link has ended, or come up
    if ((waits[2].revents & POLLERR) != 0) isGone();
  }
  vbn_worker_disarm_channels(fabric, number_, armedReaders_.data(), readers, &full, writers);
}

void Queue::isGone() const {
  fail("read", network_.options().tap.name, ENODEV, "somebody has removed the interface");
}

/// Looks and takes nothing: the ends are armed.
bool Queue::hasCome(vbn_writer* full) {
  if (hasErrands_.load(std::memory_order_acquire)) return true;
  void* at = nullptr;
  if (full != nullptr &&
      vbn_writer_claim(full, placeOfEntry(held_->bytes), 0, &at) != VBN_CHANNEL_WOULD_BLOCK) {
    return true;
  }
  for (Incoming& each : readers_) each.look();
  return std::ranges::any_of(readers_, [](Incoming& each) { return each.hasCome(); });
}

int Queue::timeout() const {
  auto isDue = [](auto& each) { return each.isDue(); };
  if (held_ || std::ranges::any_of(outgoing_, isDue) || std::ranges::any_of(readers_, isDue)) {
    return kSoonMs;
  }
  auto isOpening = [](auto& each) { return each.state() == Outgoing::State::opening; };
  auto isClosed = [](auto& each) { return each.state() == Outgoing::State::closed; };
  bool isWanted = std::ranges::any_of(outgoing_, isOpening) || !unread_.empty() ||
                  !unsaid_.empty() || (number_ == 0 && std::ranges::any_of(outgoing_, isClosed));
  return isWanted ? kNextLookMs : kLongestMs;
}

/// Work that no frame brings.
void Queue::tend() {
  if (hasErrands_.load(std::memory_order_relaxed)) doErrands();
  bool looks = now_ >= nextLook_;
  if (looks) look();
  for (Outgoing& each : outgoing_) {
    if (looks) each.look();
    if (each.proceed(looks || held_)) cameUp(each);
    if (number_ != 0) continue;
    if (each.wasLost()) each.peer().away(each.takeLoss());
    if (each.state() == Outgoing::State::closed) each.open(now_);
  }
}

/// Rounds find links that have come up or ended. A node that means harm may send signals, which
/// keep this thread awake until they are taken.
void Queue::look() {
  nextLook_ = now_ + kBetweenLooks;
  std::array<vbn_signal, 64> signals;
  vbn_worker_signals(network_.fabric().get(), number_, signals.data(), signals.size());
  for (Incoming& each : readers_) each.look();
  if (!unread_.empty() && now_ >= nextReaders_) {
    nextReaders_ = now_ + kBetweenReaders;
    for (auto [peer, queue] : std::vector(unread_)) openReader(peer, queue);
  }
  // The peer is told once there is room, unless it has gone: then it is asked anew.
  std::erase_if(unsaid_, [this](auto& each) {
    Outgoing& to = *places_[each.peer];
    return to.state() != Outgoing::State::up ||
           to.say(ReadFrom{static_cast<uint16_t>(each.queue)}.bytes());
  });
}

// ------------------------------------------------------------------ from peers

bool Queue::fromPeers() {
  bool came = false;
  int tap = network_.tap().queue(number_);
  for (auto each = readers_.begin(); each != readers_.end();) {
    auto current = each++;
    Peer& peer = current->peer();
    Traffic& traffic = incoming_[static_cast<size_t>(network_.placeOf(peer.node()))];
    auto found = current->take(tap, network_.mac(), traffic, [&](auto word) { heard(peer, word); });
    if (found != Incoming::Found::nothing) came = true;
    if (found == Incoming::Found::theEnd) forgetLost(current);
  }
  return came;
}

/// A peer's first queue is read anew, and any other when the peer asks for it.
void Queue::forgetLost(std::list<Incoming>::iterator lost) {
  auto place = static_cast<size_t>(network_.placeOf(lost->peer().node()));
  bool isFirst = lost->queue() == 0;
  readers_.erase(lost);
  readerCount_.store(static_cast<uint32_t>(readers_.size()), std::memory_order_relaxed);
  if (isFirst) openReader(place, 0);
}

void Queue::heard(Peer& peer, std::span<const std::byte> word) {
  auto place = static_cast<size_t>(network_.placeOf(peer.node()));
  if (auto hello = helloIn(word)) {
    if (hello->version != Hello::kVersion || hello->mac != peer.mac()) {
      return peer.trouble("it is of another version: " + std::to_string(hello->version));
    }
    if (!hello->takesUdpSuperFrames) network_.tap().leaveOutUdpSuperFrames();
    return peer.says(hello->mtu);
  }
  auto wish = readFromIn(word);
  if (!wish || wish->queue == 0 || wish->queue >= kMostQueues) {
    return incoming_[place].dropped(Drop::noBatch);
  }
  if (!peer.asks(wish->queue)) return;
  // Any could; so they have their share.
  auto reading = static_cast<uint32_t>(wish->queue % network_.queues().size());
  Errand errand{.kind = Errand::Kind::read, .peer = place, .queue = wish->queue};
  if (!network_.queue(reading).leave(std::move(errand))) peer.answered(wish->queue);
}

/// In the place of a former one, whose writer has gone. A reader that cannot be made now is tried
/// again.
void Queue::openReader(size_t peer, uint32_t queue) {
  Peer& from = places_[peer]->peer();
  std::erase(unread_, PeersQueue{peer, queue});
  std::erase_if(readers_,
                [&](Incoming& each) { return &each.peer() == &from && each.queue() == queue; });
  try {
    readers_.emplace_back(network_.fabric(), from, queue, number_, network_.options().ringBytes);
  } catch (const std::exception& failure) {
    from.trouble(failure.what());
    unread_.push_back({peer, queue});
  }
  readerCount_.store(static_cast<uint32_t>(readers_.size()), std::memory_order_relaxed);
}

void Queue::cameUp(Outgoing& to) {
  if (number_ != 0) return;
  Hello hello{.takesUdpSuperFrames = network_.tap().takesUdpSuperFrames(),
              .mtu = network_.options().tap.mtu,
              .mac = network_.mac()};
  if (!to.say(hello.bytes())) return;
  std::string way = to.way();
  to.peer().up(way.substr(0, way.find(',')));  // what follows counts
}

void Queue::doErrands() {
  if (waiting_.empty()) {
    hasErrands_.store(false, std::memory_order_relaxed);
    std::ranges::move(errands_.take(), std::back_inserter(waiting_));
  }
  for (size_t i = 0; i < kErrands && !waiting_.empty(); i++) {
    Errand errand = std::move(waiting_.front());
    waiting_.pop_front();
    switch (errand.kind) {
      case Errand::Kind::sendToAll: sendToAll(errand.frame); break;
      case Errand::Kind::askToRead: addOnce(unsaid_, {errand.peer, errand.queue}); break;
      case Errand::Kind::read:
        openReader(errand.peer, errand.queue);
        places_[errand.peer]->peer().answered(errand.queue);
        break;
    }
  }
  publishAll();
  if (!unsaid_.empty()) nextLook_ = {};
  if (!waiting_.empty()) hasErrands_.store(true, std::memory_order_relaxed);
}

// ------------------------------------------------------------------ from the kernel

bool Queue::fromKernel() {
  if (held_ && !placeHeld()) return false;
  int frames = 0;
  while (frames < kFrames && !held_ && readOne()) frames++;
  publishAll();
  return frames > 0;
}

/// Into the ring of the peer that got the last one, where it has room.
bool Queue::readOne() {
  std::span<std::byte> place;
  if (last_ != nullptr) place = last_->place(kMostPlace);
  bool isInLast = !place.empty();
  if (!isInLast) place = scratch_;
  auto inside = insideOf(place).first(kHeaderBytes + kMostFrame);
  ssize_t got = ::read(network_.tap().queue(number_), inside.data(), inside.size());
  if (got < 0 && errno == EBADFD) isGone();
  if (got <= 0) return false;
  send(place, static_cast<size_t>(got), isInLast);
  return true;
}

void Queue::send(std::span<std::byte> place, size_t bytes, bool isInLast) {
  if (bytes < kHeaderBytes + kEthernetBytes) return refused_.dropped(Drop::tooShort);
  auto entry = insideOf(place).first(bytes);
  Heading heading = Heading::of(entry, entry.subspan(kHeaderBytes));
  Drop fault = heading.fault(bytes - kHeaderBytes);
  if (fault == Drop::none && heading.source != network_.mac()) fault = Drop::foreignSource;
  if (fault != Drop::none) return refused_.dropped(fault);
  if (isForMany(heading.destination)) {
    if (number_ == 0) return sendToAll(entry);
    bool left = network_.queue(0).leave(
        {.kind = Errand::Kind::sendToAll, .frame = {entry.begin(), entry.end()}});
    if (!left) refused_.dropped(Drop::noRoom);
    return;
  }
  Outgoing* to = peerOf(heading.destination);
  if (to == nullptr) return refused_.dropped(Drop::otherNode);
  sendTo(*to, place, bytes, isInLast);
}

void Queue::sendTo(Outgoing& to, std::span<std::byte> place, size_t bytes, bool isInLast) {
  if (isInLast && &to == last_) {
    to.setSlow(false);
    to.fill(closePlace(place, bytes));
    return passed(to, place, bytes);
  }
  if (put(to, place, bytes)) {
    if (last_ != nullptr) to.counters().copied.add();
    last_ = &to;
    return;
  }
  if (to.neverHas(placeOfEntry(bytes))) return to.counters().out.dropped(Drop::noRoom);
  if (number_ != 0) ask(to);
  if (!mayWaitFor(to)) {
    bool isAway = to.state() == Outgoing::State::closed;
    return to.counters().out.dropped(isAway ? Drop::peerIsAway : Drop::peerIsSlow);
  }
  to.counters().stops.add();
  if (place.data() != scratch_.data()) {
    std::ranges::copy(insideOf(place).first(bytes), insideOf(scratch_).begin());
  }
  held_ = Held{&to, bytes, now_};
}

/// Opens a channel that is not there: its peer has to read it first.
void Queue::ask(Outgoing& to) {
  if (to.state() != Outgoing::State::closed || !to.peer().isUp()) return;
  to.open(now_);
  if (to.state() != Outgoing::State::opening) return;  // that came to nothing a moment ago
  auto place = static_cast<size_t>(network_.placeOf(to.peer().node()));
  network_.queue(0).leave({.kind = Errand::Kind::askToRead, .peer = place, .queue = number_});
}

bool Queue::mayWaitFor(const Outgoing& to) const {
  return network_.options().stopsWhenFull && !to.isSlow() && to.state() != Outgoing::State::closed;
}

/// Copies it. False: there is no room.
bool Queue::put(Outgoing& to, std::span<const std::byte> place, size_t bytes) {
  auto at = to.place(placeOfEntry(bytes));
  if (at.empty()) return false;
  std::memcpy(insideOf(at).data(), place.data() + kLengthBytes, bytes);
  to.fill(closePlace(at, bytes));
  to.setSlow(false);
  passed(to, at, bytes);
  return true;
}

void Queue::passed(Outgoing& to, std::span<const std::byte> place, size_t bytes) {
  auto entry = place.subspan(kLengthBytes, bytes);
  to.counters().out.passed(Heading::of(entry, entry.subspan(kHeaderBytes)), bytes - kHeaderBytes);
  addOnce(touched_, &to);
}

/// True: the queue goes on.
bool Queue::placeHeld() {
  Outgoing& to = *held_->to;
  if (!put(to, scratch_, held_->bytes)) {
    bool isGone = to.state() == Outgoing::State::closed;
    now_ = Clock::now();
    if (!isGone && now_ - held_->since < kPatience) return false;
    to.setSlow(true);
    to.counters().out.dropped(isGone ? Drop::peerIsAway : Drop::peerIsSlow);
  } else {
    last_ = &to;
  }
  held_.reset();
  return true;
}

void Queue::sendToAll(std::span<const std::byte> entry) {
  for (Outgoing& each : outgoing_) {
    auto at = each.place(placeOfEntry(entry.size()));
    if (at.empty()) {
      bool isUp = each.state() == Outgoing::State::up;
      each.counters().out.dropped(isUp ? Drop::noRoom : Drop::peerIsAway);
      continue;
    }
    std::ranges::copy(entry, insideOf(at).begin());
    each.fill(closePlace(at, entry.size()));
    passed(each, at, entry.size());
  }
}

void Queue::publishAll() {
  for (Outgoing* each : touched_) each->publish();
  touched_.clear();
}

Outgoing* Queue::peerOf(const Mac& mac) {
  int place = network_.placeOf(static_cast<uint32_t>(mac[4]) << 8 | mac[5]);
  if (place < 0) return nullptr;
  Outgoing* found = places_[static_cast<size_t>(place)];
  return found->peer().mac() == mac ? found : nullptr;
}

}  // namespace verbena::ip
