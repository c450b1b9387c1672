// SPDX-License-Identifier: Apache-2.0
#include "fifo/connections.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "fifo/opening.h"
#include "fifo/openings.h"
#include "fifo/reader.h"
#include "fifo/writer.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;
using connect::NodeId;

/// A ring by the device takes as much memory here as at its reader.
constexpr uint64_t kMostTimesOurs = 16;
constexpr size_t kLinksOfOne = 2;
/// Whoever connects makes two links. One of which only one came is given up.
constexpr std::chrono::seconds kLongestInHalves{30};

/// The nodes of a pair each count the connections that they open.
uint16_t numberOf(uint16_t count, bool openerIsGreater) {
  return kOfConnection | (openerIsGreater ? kOpenedByGreater : 0) | (count & kMostCount);
}

}  // namespace

bool Connections::Incoming::isWhole() const {
  return writer && reader->hasLinked() && writer->hasLinked();
}

bool Connections::Incoming::isHopeless(Clock::time_point now) const {
  return reader->isOver() || now - since > kLongestInHalves;
}

Result<std::unique_ptr<Connections>> Connections::on(Channels& channels, uint64_t capacity) {
  if (auto good = checkCapacity("open connections", capacity); !good) return good.error();
  std::unique_ptr<Connections> connections(new Connections(channels, capacity));
  std::lock_guard guard(channels.openings_->lock);
  if (channels.openings_->connections != nullptr) {
    return Error{"open connections", "", EADDRINUSE,
                 "the channels of this node have connections already: use those, or free them"};
  }
  channels.openings_->connections = connections.get();
  return connections;
}

Connections::~Connections() {
  std::map<Name, Incoming> incoming;  // go behind the lock, which they take
  std::vector<std::unique_ptr<Reader>> spare;
  std::lock_guard guard(channels_.openings_->lock);
  if (channels_.openings_->connections == this) channels_.openings_->connections = nullptr;
  incoming.swap(incoming_);
  spare.swap(spare_);
}

// ------------------------------------------------------------------ accepting

Result<void> Connections::listen(size_t backlog) {
  size_t most = channels_.options_.channels / kLinksOfOne;
  if (backlog > most) {
    return Error{"listen for " + std::to_string(backlog) + " connections at a time", "", EINVAL,
                 "each takes two of the " + std::to_string(channels_.options_.channels) +
                     " channels that may be linked at a time: " + std::to_string(most) +
                     " are possible"};
  }
  size_t before = setBacklog(backlog);
  Result<void> filled = refill();
  if (!filled) setBacklog(before);
  return filled;
}

/// Returns what it was. Rings that are too many then go.
size_t Connections::setBacklog(size_t backlog) {
  std::vector<std::unique_ptr<Reader>> surplus;  // goes behind the lock, which they take
  std::lock_guard guard(channels_.openings_->lock);
  for (size_t kept = roomFor(backlog); spare_.size() > kept; spare_.pop_back()) {
    surplus.push_back(std::move(spare_.back()));
  }
  return std::exchange(backlog_, backlog);
}

/// Under the lock: how many more may come before somebody accepts. One that is never whole keeps
/// nobody out at first.
size_t Connections::roomFor(size_t backlog) const {
  auto whole = static_cast<size_t>(
      std::ranges::count_if(incoming_, [](const auto& each) { return each.second.isWhole(); }));
  return std::min(backlog - std::min(backlog, whole),
                  2 * backlog - std::min(2 * backlog, incoming_.size()));
}

/// Rings are made ahead: the thread that makes links for all has no time for it.
Result<void> Connections::refill() {
  for (;;) {
    {
      std::lock_guard guard(channels_.openings_->lock);
      if (spare_.size() >= roomFor(backlog_)) return {};
    }
    auto made = Reader::make(channels_, kOfConnection, capacity_);
    if (!made) return made.error();
    std::lock_guard guard(channels_.openings_->lock);  // goes before the ring, which takes it
    if (spare_.size() < roomFor(backlog_)) spare_.push_back(std::move(*made));
  }
}

Result<std::optional<Connection>> Connections::accept() {
  channels_.drive();
  while (std::optional<Incoming> taken = takeIncoming()) {
    if (!taken->isWhole()) continue;
    if (auto begun = taken->writer->begin(); !begun) return begun.error();
    static_cast<void>(refill());  // what fails is told by a call that takes none
    return std::optional(Connection{std::move(taken->reader), std::move(taken->writer)});
  }
  if (auto filled = refill(); !filled) return filled.error();
  return std::optional<Connection>();
}

std::optional<Connections::Incoming> Connections::takeIncoming() {
  auto now = Clock::now();
  std::lock_guard guard(channels_.openings_->lock);
  auto taken = std::ranges::find_if(incoming_, [&](const auto& each) {
    return each.second.isWhole() || each.second.isHopeless(now);
  });
  if (taken == incoming_.end()) return std::nullopt;
  return std::move(incoming_.extract(taken).mapped());
}

Result<std::optional<Connection>> Connections::accept(std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds kLongestSleep = std::chrono::milliseconds(256);
  auto deadline = Channels::deadlineOf(timeout);
  fabric::Worker& worker = channels_.worker_;
  for (;;) {
    uint64_t ticket = worker.arm(channels_.memory_.get());
    auto accepted = accept();
    std::chrono::nanoseconds left = deadline - Clock::now();
    if (!accepted || accepted->has_value() || left <= left.zero()) return accepted;
    worker.wait(std::min(left, kLongestSleep), ticket, channels_.memory_.get());
  }
}

// ------------------------------------------------------------------ connecting

Result<Connection> Connections::connect(const std::string& address,
                                        std::chrono::nanoseconds timeout) {
  auto deadline = Channels::deadlineOf(timeout);
  auto found = channels_.node_.manager().addPeerAt(address, timeout);
  if (!found) return found.error();
  return connect(*found, deadline - Clock::now());
}

Result<Connection> Connections::connect(NodeId node, std::chrono::nanoseconds timeout) {
  auto deadline = Channels::deadlineOf(timeout);
  Result<uint16_t> number = newNumber(node);
  if (!number) return number.error();
  auto reader = Reader::make(channels_, *number, capacity_);
  if (!reader) return reader.error();
  {
    std::lock_guard guard(channels_.openings_->lock);
    expected_.emplace(std::pair{node, *number}, reader->get());
  }
  auto writer = link(node, *number, deadline);
  {
    std::lock_guard guard(channels_.openings_->lock);
    expected_.erase({node, *number});  // before the reader may go
  }
  if (!writer) return writer.error();
  return Connection{std::move(*reader), std::move(*writer)};
}

/// First the link that is written to, by which the far side knows the connection.
Result<std::unique_ptr<Writer>> Connections::link(NodeId node, uint16_t number,
                                                  Clock::time_point deadline) {
  NodeId self = channels_.options_.owner.node;
  auto opening = channels_.open(node, number, deadline - Clock::now());
  if (!opening) return opening.error();
  auto writer = (*opening)->await();
  if (!writer) return writer.error();
  auto linked =
      channels_.node_.manager().get(node, channels_.nameOf(self, node, number),
                                    deadline - Clock::now(), [this] { channels_.driveAll(); });
  if (!linked) return linked.error();
  return writer;
}

/// A connection whose ends live, or are ending, keeps its number.
Result<uint16_t> Connections::newNumber(NodeId peer) {
  bool isGreater = channels_.options_.owner.node > peer;
  for (unsigned tries = 0; tries <= kMostCount; tries++) {
    uint16_t number = 0;
    {
      std::lock_guard guard(channels_.openings_->lock);
      number = numberOf(channels_.openings_->lastConnection++, isGreater);
    }
    if (!isInUse(peer, number)) return number;
  }
  return Error{"connect with node " + std::to_string(peer), "", EADDRINUSE,
               "this node has " + std::to_string(kMostCount + 1) + " connections with it"};
}

bool Connections::isInUse(NodeId peer, uint16_t number) const {
  NodeId self = channels_.options_.owner.node;
  const connect::Manager& manager = channels_.node_.manager();
  return manager.find(peer, channels_.nameOf(self, peer, number)) != 0 ||
         manager.find(peer, channels_.nameOf(peer, self, number)) != 0;
}

// ------------------------------------------------------------------ links

bool Connections::isOurs(const connect::NewLink& link, uint16_t number) const {
  bool openerIsGreater = (number & kOpenedByGreater) != 0;
  return (channels_.options_.owner.node > link.peer) == openerIsGreater;
}

End* Connections::waiting(const connect::NewLink& link, uint16_t number, bool writes) {
  if (isOurs(link, number)) {
    auto found = expected_.find({link.peer, number});
    return writes || found == expected_.end() ? nullptr : found->second;
  }
  auto found = incoming_.find({link.peer, link.incarnation, number});
  if (found == incoming_.end()) return nullptr;
  if (writes) return found->second.writer.get();
  return found->second.reader.get();
}

void Connections::expect(const connect::NewLink& link, uint16_t number, bool writes) {
  if (isOurs(link, number)) return;
  auto found = incoming_.find({link.peer, link.incarnation, number});
  bool isNew = found == incoming_.end() && !writes && !spare_.empty();
  if (isNew) {
    Incoming& one = incoming_[{link.peer, link.incarnation, number}];
    one.reader = std::move(spare_.back());
    one.reader->number_ = number;
    spare_.pop_back();
  } else if (found != incoming_.end() && writes && !found->second.writer) {
    found->second.writer.reset(new Writer(channels_, link.peer, number));
    found->second.writer->mostCapacity_ = kMostTimesOurs * capacity_;
  }
}

}  // namespace verbena::fifo
