// SPDX-License-Identifier: Apache-2.0
//
// One connection: its queue pair, its outgoing streams, and how far both have got. Connections are
// places in a table, used again and again; none is freed while the engine lives, so that a thread
// that looks at one too late finds another life of it, or none, but never freed memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/turn.h"
#include "streams/chain.h"
#include "streams/control_stream.h"
#include "streams/queue_pair_end.h"
#include "streams/window.h"
#include "streams/works.h"

namespace verbena::streams {

class Connection {
 public:
  enum class State : uint8_t {
    Free,       ///< nobody's
    Created,    ///< has a queue pair, and nobody to talk to
    Connected,  ///< receives; the far side may not yet
    Ready,      ///< sends
    Failed,     ///< to be closed; what had arrived before is still handed out
    Closing,    ///< the queue pair is in error and drains
  };
  enum class Pumped : uint8_t { Done, More, Waits, Failed };

  Connection(Works& works, uint32_t place);

  uint32_t place() const { return place_; }
  connect::LinkId id() const { return id_.load(std::memory_order_acquire); }
  uint32_t qpNum() const { return qpNum_.load(std::memory_order_acquire); }
  connect::NodeId peer() const { return peer_; }
  State state() const { return state_.load(std::memory_order_acquire); }
  fabric::Turn& turn() { return turn_; }
  const SendCounters& counters() const { return counters_; }

  // --- its life, by the job thread
  base::Result<QueuePairEnd> create(connect::LinkId id, connect::NodeId peer,
                                             uint32_t window);
  base::Result<void> connect(const connect::LinkEnd& far);
  void ready();
  /// Nothing is posted or looked at any more; what is under way is flushed.
  void beginClose();

  // --- its end, by whoever has the turn to poll
  /// True for the first of all who say so while it lives.
  bool fail();
  /// As fail(); what it sends is not listened to any more either.
  bool failByNonsense();
  bool areSendsGone() const;
  bool isDrained() const;
  void noteLastReceive() { lastReceive_.store(true, std::memory_order_relaxed); }
  /// The queue pair goes, then rings. Returns the id it had.
  connect::LinkId end();

  // --- out, under the turn
  base::Result<void> openStream(OutStream stream);
  /// From here on large slices are written there.
  void placeStream(uint32_t stream, const Place& place);
  void closeStream(uint32_t stream);
  Pumped pump();
  std::string takeTrouble() { return std::move(trouble_); }
  // any thread
  size_t writeControl(connect::LinkId id, std::span<const std::byte> bytes) {
    return control_.write(id, bytes);
  }

  // --- completions, by whoever has the turn to poll
  /// All sends up to the one with the number have left.
  void confirm(uint64_t number);
  bool report(uint16_t count);
  /// Whether arrivals are for anybody.
  bool listens() const { return listens_.load(std::memory_order_acquire); }
  ReceiveWindow& receiveWindow() { return receiveWindow_; }
  /// How many sends the far side was promised.
  uint32_t window() const { return near_.window; }
  uint32_t generation() const { return generation_; }

 private:
  enum class Stop : uint8_t { NothingLeft, QueueFull, WindowShut, ChainFull };

  /// What a send in the queue will have done when it is confirmed.
  struct SendRecord {
    uint64_t controlEnd;  ///< of the control stream; 0: not of it
    bool signalled;
  };
  /// Memory of a closed stream that sends up to a number still use.
  struct RetiredRing {
    std::shared_ptr<Ring> ring;
    uint64_t until;
  };

  void restart(connect::LinkId id);
  base::Result<void> makeQueuePair();
  std::vector<OutStream>::iterator find(uint32_t stream);
  void retire(OutStream& stream);
  void postLast();

  uint32_t roomInQueue();
  OutStream* nextStream(uint32_t sliceBytes);
  Stop fill(Chain& chain);
  void addReportIfDue(Chain& chain);
  bool finishAndPost(Chain& chain);
  bool post(Chain& chain);
  void count(const Chain& chain);
  void record(const Chain& chain);
  bool refused(int code);
  bool waits(Stop why);
  void awaitRetired();
  void reclaim();
  void wakePump();
  SendRecord& recordOf(uint64_t number) { return records_[number & placesMask_]; }
  SliceHeader* headerOf(uint64_t number) const { return headers_ + (number & placesMask_); }

  Works& works_;
  const uint32_t place_;
  fabric::Turn turn_;
  std::atomic<State> state_{State::Free};
  std::atomic<connect::LinkId> id_{0};
  std::atomic<uint32_t> qpNum_{0};
  connect::NodeId peer_ = 0;

  // under the turn
  std::optional<verbs::QueuePair> queuePair_;
  QueuePairEnd near_{};
  uint32_t maxInline_ = 0;
  uint32_t maxSliceBytes_ = 0;
  SliceHeader* headers_;
  ControlStream control_;
  std::vector<OutStream> streams_;  // the control stream first
  size_t turnOf_ = 0;               // the stream whose slice comes next
  std::vector<RetiredRing> retired_;
  std::vector<SendRecord> records_;  // by number, in as many places as there are headers
  const uint64_t placesMask_;
  uint64_t posted_ = 0;  // sends; they are numbered from 1
  uint64_t lastSignalled_ = 0;
  uint64_t reclaimed_ = 0;
  uint64_t refusedAt_ = UINT64_MAX;  // what was confirmed when the device took no more
  bool flushDue_ = false;            // a closed stream waits for sends that report nothing
  bool everReady_ = false;           // RTS was reached
  std::string trouble_;
  SendCounters counters_;

  SendWindow sendWindow_;
  ReceiveWindow receiveWindow_;
  uint32_t generation_ = 0;

  // between the turn and completions
  std::atomic<uint64_t> confirmed_{0};
  std::atomic<bool> waiting_{false};
  std::atomic<bool> listens_{false};
  std::atomic<bool> lastReceive_{false};
};

}  // namespace verbena::streams
