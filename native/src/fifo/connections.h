// SPDX-License-Identifier: Apache-2.0
//
// Connections: two channels, one each way, between a node that connects and one that accepts. Who
// connects needs to know where the other listens, and nothing else.
//
// Threads: any thread connects; one at a time accepts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "connect/link.h"
#include "fifo/channels.h"

namespace verbena::fifo {

/// Its ends are two: one thread may write while another one reads.
struct Connection {
  std::unique_ptr<Reader> reader;
  std::unique_ptr<Writer> writer;
};

class Connections {
 public:
  using Clock = Channels::Clock;

  /// The one of `channels`, which outlives it, as connections do. `capacity` is of each ring that
  /// this side reads; those that it writes to have at most sixteen times as much. EADDRINUSE:
  /// `channels` has one.
  static base::Result<std::unique_ptr<Connections>> on(Channels& channels, uint64_t capacity);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// From here on other nodes may connect. When so many wait to be accepted nobody else begins;
  /// there may be as many besides that have begun and are not whole yet. Rings are made now, and
  /// those for the next by accept(). 0: nobody connects any more. EINVAL: it is more than half of
  /// the channels that may be linked.
  base::Result<void> listen(size_t backlog = 8);
  /// A connection that somebody else has made; nothing if there is none now. Does not wait. The
  /// error is of one that could not be taken: there may be others behind it.
  base::Result<std::optional<Connection>> accept();
  base::Result<std::optional<Connection>> accept(std::chrono::nanoseconds timeout);

  /// Connects with the node at an address, "host:port". Waits until it listens; fails at once where
  /// there is no node. ELOOP: it is this node itself.
  base::Result<Connection> connect(const std::string& address, std::chrono::nanoseconds timeout);
  /// Connects with a node that is known.
  base::Result<Connection> connect(connect::NodeId node, std::chrono::nanoseconds timeout);

 private:
  friend class Channels;
  friend struct Openings;

  /// Who opened it, in which life, and which of the opener's it is.
  using Name = std::tuple<connect::NodeId, uint64_t, uint16_t>;
  /// One that another node makes.
  struct Incoming {
    Clock::time_point since = Clock::now();
    std::unique_ptr<Reader> reader{};
    std::unique_ptr<Writer> writer{};

    bool isWhole() const;
    /// It will never be whole.
    bool isHopeless(Clock::time_point now) const;
  };

  Connections(Channels& channels, uint64_t capacity) : channels_(channels), capacity_(capacity) {}

  // --- by Channels and Openings, under the lock of these
  /// Whom a link of a connection is for; null if nobody wants it.
  End* waiting(const connect::NewLink& link, uint16_t number, bool writes);
  /// A link is to be made: whoever connects begins with the one that it writes to.
  void expect(const connect::NewLink& link, uint16_t number, bool writes);
  bool isOurs(const connect::NewLink& link, uint16_t number) const;

  size_t setBacklog(size_t backlog);
  size_t roomFor(size_t backlog) const;
  base::Result<void> refill();
  /// Moves it out if it is whole, or if it never will be.
  std::optional<Incoming> takeIncoming();
  base::Result<uint16_t> newNumber(connect::NodeId peer);
  bool isInUse(connect::NodeId peer, uint16_t number) const;
  base::Result<std::unique_ptr<Writer>> link(connect::NodeId node, uint16_t number,
                                             Clock::time_point deadline);

  Channels& channels_;
  const uint64_t capacity_;

  // Guarded by the lock of Openings.
  size_t backlog_ = 0;
  std::map<std::pair<connect::NodeId, uint16_t>, Reader*> expected_;  // that this node opens
  std::map<Name, Incoming> incoming_;           // of others that nobody has accepted
  std::vector<std::unique_ptr<Reader>> spare_;  // for others to come
};

}  // namespace verbena::fifo
