// SPDX-License-Identifier: Apache-2.0
#include "fifo/connections.h"

#include <algorithm>
#include <cerrno>

#include "fifo/reader.h"
#include "fifo/writer.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;
using connect::NodeId;

/// Whoever connects makes two links. One of which only one came is given up.
constexpr std::chrono::seconds kLongestInHalves{30};

/// The nodes of a pair each count the connections that they open.
uint16_t numberOf(uint16_t count, bool openerIsGreater) {
  return kOfConnection | (openerIsGreater ? kOpenedByGreater : 0) | (count & kMostCount);
}

}  // namespace

bool Connections::Incoming::isWhole() const {
  return reader && writer && reader->hasLinked() && writer->hasLinked();
}

Connections::Connections(Channels& channels, uint64_t capacity)
    : channels_(channels), capacity_(capacity) {
  std::lock_guard guard(channels_.lock_);
  channels_.connections_ = this;
}

Connections::~Connections() {
  std::map<Name, Incoming> incoming;  // go behind the lock, which they take
  std::vector<std::unique_ptr<Reader>> spare;
  std::lock_guard guard(channels_.lock_);
  channels_.connections_ = nullptr;
  incoming.swap(incoming_);
  spare.swap(spare_);
}

// ------------------------------------------------------------------ accepting

Result<void> Connections::listen(size_t backlog) {
  backlog_ = backlog;
  return refill();
}

/// Rings are made ahead: the thread that makes links for all has no time for it.
Result<void> Connections::refill() {
  for (;;) {
    {
      std::lock_guard guard(channels_.lock_);
      if (spare_.size() >= backlog_) return {};
    }
    auto made = Reader::make(channels_, kOfConnection, capacity_);
    if (!made) return made.error();
    std::lock_guard guard(channels_.lock_);
    spare_.push_back(std::move(*made));
  }
}

Result<std::optional<Connection>> Connections::accept() {
  channels_.drive();
  while (std::optional<Incoming> taken = takeIncoming()) {
    if (!taken->isWhole()) continue;
    if (auto filled = refill(); !filled) return filled.error();
    if (auto begun = taken->writer->begin(); !begun) return begun.error();
    return std::optional(Connection{std::move(taken->reader), std::move(taken->writer)});
  }
  if (auto filled = refill(); !filled) return filled.error();
  return std::optional<Connection>();
}

std::optional<Connections::Incoming> Connections::takeIncoming() {
  auto now = Clock::now();
  std::lock_guard guard(channels_.lock_);
  auto taken = std::ranges::find_if(incoming_, [&](const auto& each) {
    return each.second.isWhole() || now - each.second.since > kLongestInHalves;
  });
  if (taken == incoming_.end()) return std::nullopt;
  return std::move(incoming_.extract(taken).mapped());
}

Result<std::optional<Connection>> Connections::accept(std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds kLongestSleep = std::chrono::milliseconds(256);
  auto deadline = Clock::now() + std::min<std::chrono::nanoseconds>(timeout, Channels::kLongest);
  fabric::Worker& worker = channels_.node_.worker();
  for (;;) {
    uint64_t ticket = worker.arm();
    auto accepted = accept();
    std::chrono::nanoseconds left = deadline - Clock::now();
    if (!accepted || accepted->has_value() || left <= left.zero()) return accepted;
    worker.wait(std::min(left, kLongestSleep), ticket);
  }
}

// ------------------------------------------------------------------ connecting

Result<Connection> Connections::connect(const std::string& address,
                                        std::chrono::nanoseconds timeout) {
  auto deadline = Clock::now() + std::min<std::chrono::nanoseconds>(timeout, Channels::kLongest);
  auto found = channels_.node_.manager().addPeerAt(address, timeout);
  if (!found) return found.error();
  return connect(*found, deadline - Clock::now());
}

Result<Connection> Connections::connect(NodeId node, std::chrono::nanoseconds timeout) {
  auto deadline = Clock::now() + std::min<std::chrono::nanoseconds>(timeout, Channels::kLongest);
  NodeId self = channels_.options_.owner.node;
  uint16_t number = nextNumber(node);
  auto reader = Reader::make(channels_, number, capacity_);
  if (!reader) return reader.error();
  {
    std::lock_guard guard(channels_.lock_);
    expected_.emplace(Name{node, number}, reader->get());
  }
  auto writer = channels_.makeWriter(node, number, timeout);
  std::optional<Error> failed;
  if (!writer) {
    failed = writer.error();
  } else {
    auto linked =
        channels_.node_.manager().get(node, channels_.nameOf(self, node, number),
                                      deadline - Clock::now(), [this] { channels_.drive(); });
    if (!linked) failed = linked.error();
  }
  {
    std::lock_guard guard(channels_.lock_);
    expected_.erase(Name{node, number});
  }
  if (failed) return *failed;
  return Connection{std::move(*reader), std::move(*writer)};
}

uint16_t Connections::nextNumber(NodeId peer) {
  std::lock_guard guard(channels_.lock_);
  return numberOf(lastNumber_++, channels_.options_.owner.node > peer);
}

// ------------------------------------------------------------------ links

End* Connections::waiting(const connect::NewLink& link, uint16_t number, bool writes) {
  bool openerIsGreater = (number & kOpenedByGreater) != 0;
  bool isOurs = (channels_.options_.owner.node > link.peer) == openerIsGreater;
  if (!isOurs) return incoming(link.peer, number, writes);
  auto found = expected_.find({link.peer, number});
  return writes || found == expected_.end() ? nullptr : found->second;
}

End* Connections::incoming(NodeId opener, uint16_t number, bool writes) {
  if (backlog_ == 0) return nullptr;
  Incoming& one = incoming_[{opener, number}];
  if (writes) {
    if (!one.writer) one.writer.reset(new Writer(channels_, opener, number));
    return one.writer.get();
  }
  if (!one.reader && !spare_.empty()) {
    one.reader = std::move(spare_.back());
    one.reader->number_ = number;
    spare_.pop_back();
  }
  return one.reader.get();
}

}  // namespace verbena::fifo
