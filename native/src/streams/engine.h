// SPDX-License-Identifier: Apache-2.0
//
// Engine msgrc: streams of bytes over reliable connected queue pairs. It knows nothing of messages,
// and nothing of how connections come about: it owns the queue pairs that the connection manager
// asks it for (connect/link.h).
//
//   out   Each stream of a connection is a registered ring. A Source says how far its bytes are
//         published; pump() turns them into sends, zero copy: 16 bytes of slice header, then one
//         piece of the ring, or two at its end.
//         A stream whose far side has said where may be placed: large slices are written there, and
//         the send that follows has the header alone.
//   in    Sends land in the receives of one shared queue and come out of take() as arrivals, in the
//         order of their connection. Whoever has done with a receive gives it back.
//
// Threads: pump() may be called by any thread; one at a time works on a connection, and a thread
// that finds another at work leaves a mark and goes. progress() likewise, for the whole engine.
// take() and the arrivals belong to one thread at a time (the consumer). Connections are created,
// connected and closed by the manager's job thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "connect/link.h"
#include "streams/counters.h"
#include "streams/options.h"
#include "streams/replica.h"
#include "streams/ring.h"
#include "streams/slice.h"
#include "verbs/selection.h"

namespace verbena::fabric {
class Service;
class Worker;
}  // namespace verbena::fabric

namespace verbena::streams {

using connect::LinkId;
using connect::NodeId;

/// The name of the one link that an engine has with each peer.
inline constexpr connect::LinkName kStreams{1, 0};

/// One send that arrived.
struct Arrival {
  LinkId connection;
  uint64_t position;  ///< in the stream, of the first byte
  uint32_t stream;
  uint32_t bytes;       ///< of payload
  uint32_t receive;     ///< for giveBack()
  uint32_t pieceCount;  ///< 0: the far side has written them to where it was allowed to
  struct Piece {
    const std::byte* start;
    uint64_t bytes;
  } pieces[kMaxPieces];
};

class Engine final : public connect::LinkOwner {
 public:
  static base::Result<std::unique_ptr<Engine>> open(const verbs::Selection& device,
                                                    const EngineOptions& options);
  /// On a worker that others use, too, and that is told of the service by whoever has it.
  static base::Result<std::unique_ptr<Engine>> on(fabric::Worker& worker,
                                                  const EngineOptions& options);
  /// Every connection is closed already, and nobody uses the engine any more.
  ~Engine() override;

  fabric::Service& service();

  /// Who hears of failed and closed connections; before the first create(). The calls come from
  /// whatever thread finds out, inside progress() or pump().
  void report(connect::Lifecycle& to);
  EngineMemory memory() const;
  EngineCounters counters() const;
  /// How the receives of all connections stand, by whoever calls progress().
  uint32_t receivesPosted() const;
  uint32_t receivesHeld() const;  ///< have arrived, and have not been seen given back
  /// What the provider calls the device, and its open context; for tests and messages.
  const verbs::Selection& device() const;
  ibv_context* context() const;

  // --- by the manager's job thread
  base::Result<connect::LinkEnd> create(const connect::NewLink& link) override;
  base::Result<void> connect(LinkId id, const connect::LinkEnd& far) override;
  void ready(LinkId id) override;
  void close(LinkId id, const std::string& reason) override;
  void destroy(LinkId id) override;
  std::chrono::nanoseconds watch(std::chrono::nanoseconds now) override;

  // --- out; any thread. A connection that is not there any more is passed over silently: its end
  // is reported elsewhere.
  base::Result<std::shared_ptr<Ring>> allocateRing(uint64_t bytes);
  /// `data` bytes of the ring from `offset` on are the stream's, a power of two; sends begin at
  /// stream position `from`. The source stays valid until closeStream() has returned.
  base::Result<void> openStream(LinkId id, uint32_t stream, std::shared_ptr<Ring> ring,
                                uint64_t offset, uint64_t data, Source& source, uint64_t from);
  /// Large slices of the stream are written to a ring of the same length from there on, which the
  /// far side has exposed (Replica::grant).
  void placeStream(LinkId id, uint32_t stream, uint64_t address, uint32_t key);
  /// Nothing of it is posted any more, and neither source nor ring is looked at, when this returns.
  /// Sends under way keep the ring.
  void closeStream(LinkId id, uint32_t stream);
  /// Posts what is published, as far as the queue and the far side's window allow; what is left
  /// goes on by itself as they open. At most a budget's worth: the rest is left to progress().
  /// True if something is left that waits for room.
  bool pump(LinkId id);
  /// progress() will pump it. Queued once however often it is called.
  void interest(LinkId id);
  /// Puts bytes on the control stream; returns how many there was room for, 0 if the connection is
  /// not there. They are sent by the next pump().
  size_t writeControl(LinkId id, std::span<const std::byte> bytes);

  // --- in
  /// Memory for what a peer sends, which it may be allowed to write itself.
  base::Result<std::shared_ptr<Replica>> allocateReplica(uint64_t bytes);
  /// See Replica::grant. Connections that are there may write with such keys from here on; later
  /// ones may not until a key is granted again.
  base::Result<Replica::Grant> grant(Replica& replica, uint64_t offset);
  /// One round: takes completions, refills the receive queue, pumps whom interest was shown in.
  /// Never blocks. Any thread; returns 0 if there was nothing to do or another thread does it.
  size_t progress();
  /// By the consumer: the next arrivals, in order. Their buffers are the caller's until giveBack(),
  /// also when their connection has ended meanwhile; of one that has ended before, none comes.
  size_t take(std::span<Arrival> arrivals);
  /// Any thread, any order. It may make a report due, which the next progress() sends. Several at
  /// once cost little more than one.
  void giveBack(std::span<const uint32_t> receives);
  void giveBack(uint32_t receive) { giveBack(std::span(&receive, 1)); }

  // --- waiting, by one thread at a time
  /// From here on completions, arrivals, interest and wake() end the next wait(). Look once more
  /// whether there is something to do before that one: progress(), take(), and whatever the threads
  /// that call wake() leave behind.
  void arm();
  /// Blocks until one of them, or the time is over. May return for nothing.
  void wait(std::chrono::nanoseconds timeout);
  /// Ends the wait whose arm() has been called. Any thread.
  void wake();

 private:
  class State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace verbena::streams
