// SPDX-License-Identifier: Apache-2.0
//
// One link: its queue pair, whose turn it is to post on it, how far its requests are done, and its
// end. A service derives its own links from it (service.h). Links are places in a table, used again
// and again; none is freed while the worker lives, so that a thread that looks at one too late
// finds another life of it, or none, but never freed memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "connect/link.h"
#include "fabric/domain.h"
#include "fabric/queue_pair_end.h"
#include "fabric/send_queue.h"
#include "fabric/turn.h"
#include "verbs/queue_pair.h"

namespace verbena::fabric {

class Service;
class Worker;

/// Why requests cannot be posted any more. Its sentence is made when no turn is held.
struct Trouble {
  int code = 0;
  uint32_t qpNum = 0;

  std::string sentence() const;
};

/// What a service asks of a link's queue pair.
struct LinkNeeds {
  uint32_t sendPieces;                        ///< of memory in one request
  const verbs::CompletionQueue& arrivals;     ///< where receives complete
  const verbs::SharedReceiveQueue* receives;  ///< null: the far side sends nothing that takes one
  int remoteAccess;                           ///< IBV_ACCESS_REMOTE_*, from the beginning
  /// How long its requests may wait for the far side's confirmation: longer than the largest takes.
  std::chrono::nanoseconds patience = std::chrono::seconds(30);
};

class Link {
 public:
  enum class State : uint8_t {
    Free,       ///< nobody's
    Created,    ///< has a queue pair, and nobody to talk to
    Connected,  ///< receives; the far side may not yet
    Ready,      ///< sends
    Failed,     ///< to be closed; what had arrived before is still handed out
    Closing,    ///< the queue pair is in error and drains
    Drained,    ///< the queue pair is to be destroyed
    Destroyed,  ///< it has gone, and its end is still to be told
  };
  enum class Pumped : uint8_t {
    Done,    ///< nothing is left
    More,    ///< others have their turn first
    Waits,   ///< for room; it goes on by itself
    Failed,  ///< trouble() says why
  };

  Link(Worker& worker, const Service& service, uint32_t place);
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Whose it is: links of one worker are of several kinds.
  const Service& service() const { return service_; }
  uint32_t place() const { return place_; }
  connect::LinkId id() const { return id_.load(std::memory_order_acquire); }
  uint32_t qpNum() const { return qpNum_.load(std::memory_order_acquire); }
  connect::NodeId peer() const { return peer_; }
  State state() const { return state_.load(std::memory_order_acquire); }
  Turn& turn() { return turn_; }

  // --- its life, by the job thread, under the turn
  /// Makes the queue pair and says what the far side has to know. If it fails nothing is left.
  virtual base::Result<connect::LinkEnd> make(const connect::NewLink& link) = 0;
  virtual base::Result<void> connect(const connect::LinkEnd& far) = 0;
  void ready();
  /// The far side may use its keys for this, IBV_ACCESS_REMOTE_*, from here on. Links that do not
  /// receive yet, or no more, are let pass.
  base::Result<void> allow(int remoteAccess);
  /// Nothing is posted or looked at any more, what is under way is flushed, and the far side can do
  /// nothing here any more. Without the turn: whoever posts may be at a long copy. False if that
  /// was done before.
  bool breakOff();
  /// Behind breakOff().
  void beginClose();

  // --- posting, under the turn
  /// Posts what there is, as far as there is room.
  virtual Pumped pump() = 0;
  const Trouble& trouble() const { return trouble_; }

  // --- its end, by whoever has the turn to poll
  /// Whether a reason for it was given already, or none is wanted.
  static bool isOver(State state) { return state == State::Failed || state >= State::Closing; }
  /// True for the first of all who say so while it lives.
  bool fail();
  /// As fail(); what it sends is not listened to any more either.
  bool failByNonsense();
  /// Whether arrivals are for anybody.
  bool listens() const { return listens_.load(std::memory_order_acquire); }
  /// As listens(), and also of what came before the link began to end.
  bool listensToTheEnd() const { return !talksNonsense_.load(std::memory_order_acquire); }
  bool areRequestsDone() const { return requests_.isEmpty(); }
  bool isDrained() const;
  /// Behind breakOff(): whether the far side has ended what it had begun here besides the queue
  /// pair, or counts as left behind, as it does after a bounded time.
  virtual bool isLeft() const { return true; }
  /// Whether it waits for something that a round may bring. Any thread.
  bool isWaiting() const {
    return waiting_.load(std::memory_order_seq_cst) && state() == State::Ready;
  }
  void noteLastReceive() { lastReceive_.store(true, std::memory_order_relaxed); }
  /// Nothing is heard of it any more: its queue pair can go.
  void drained() { state_.store(State::Drained, std::memory_order_release); }
  /// By whoever destroys the queue pair, under the turn; none but the first after drained() gets
  /// it.
  std::optional<verbs::QueuePair> takeQueuePair();
  /// Behind the queue pair's end, under the turn: what its requests used goes. Returns the id it
  /// had.
  connect::LinkId end();

  // --- the watch over its oldest request, which the device tries again without end
  /// By the job thread, now and then: whether a request that reports has not been confirmed for
  /// longer than patience. Whoever polls may have seen no completions meanwhile, so it has to ask
  /// isStill() behind a look at them.
  bool hasStalled(std::chrono::nanoseconds now);
  /// By whoever polls: whether hasStalled() was so, and nothing was confirmed since.
  bool isStill();
  std::string stall() const;

  // --- completions, by whoever has the turn to poll
  /// The device reports a request. All before it are done, too.
  void confirm(uint64_t number, ibv_wc_status status);

 protected:
  /// Of make(): a queue pair that is ready to be connected.
  base::Result<QueuePairEnd> makeQueuePair(const connect::NewLink& link, const LinkNeeds& needs);
  /// Of connect(): the queue pair knows its far side. listen() follows when the service does, too.
  base::Result<void> connectTo(const QueuePairEnd& far);
  void listen();

  /// The requests up to a number have ended, the last one of them with the status; those before it
  /// are done. By whoever has the turn to poll, in order. Their places are still theirs.
  virtual void completed(uint64_t /*number*/, ibv_wc_status /*status*/) {}
  /// There is room for others in their places.
  virtual void reclaimable() {}
  /// It breaks off: the far side begins nothing here any more besides the queue pair. By the job
  /// thread, without the turn, and all that it keeps alive waits: it must not.
  virtual void shutOut() {}
  /// It closes: what the requests under way do not use can be let go.
  virtual void letGo() = 0;
  /// The queue pair has gone, and nothing more is heard of requests up to the number.
  virtual void ended(uint64_t number) = 0;

  /// There is something to post and no room. False if room came up meanwhile: who makes room does
  /// so first and looks at the mark afterwards (roomCame()), here the mark is set first and room
  /// looked for afterwards, all four of them sequentially consistent, so one of both sees the
  /// other.
  template <typename HasRoom>
  bool waits(HasRoom hasRoom) {
    awaitRoom();
    return !hasRoom() || !waiting_.exchange(false, std::memory_order_seq_cst);
  }
  /// The next request that is done brings this link here again.
  void awaitRoom();
  /// By whoever made room, with a sequentially consistent store: a pump that waits goes on.
  void roomCame();

  /// Posts requests; false is the link's end, and trouble() says why.
  bool post(ibv_send_wr* first, uint32_t& taken);

  Worker& worker() const { return worker_; }
  SendQueue& requests() { return requests_; }
  uint32_t maxInline() const { return maxInline_; }

 private:
  void restart();
  base::Result<verbs::QueuePair> createQueuePair(const LinkNeeds& needs) const;
  void postLast();

  Worker& worker_;
  const Service& service_;
  const uint32_t place_;
  Turn turn_;
  std::atomic<State> state_{State::Free};
  std::atomic<connect::LinkId> id_{0};
  std::atomic<uint32_t> qpNum_{0};
  connect::NodeId peer_ = 0;

  // under the turn
  std::optional<verbs::QueuePair> queuePair_;
  QueuePairEnd near_{};
  uint32_t maxInline_ = 0;
  SendQueue requests_;
  bool everReady_ = false;  // RTS was reached
  bool receives_ = false;
  int allowed_ = 0;  // IBV_ACCESS_REMOTE_*
  Trouble trouble_;

  // of the job thread
  struct Watched {
    connect::LinkId id;
    uint64_t done;
    std::chrono::nanoseconds since;
  };
  Watched watched_{};
  std::chrono::nanoseconds patience_{};
  std::atomic<uint64_t> suspected_{0};  // what was confirmed when it stalled, and 1; 0: it has not

  std::atomic<uint64_t> looked_{0};  // by whoever polls: as suspected_, when it looked last

  // between the turn and completions
  std::atomic<bool> waiting_{false};
  std::atomic<bool> listens_{false};
  std::atomic<bool> talksNonsense_{false};
  std::atomic<bool> lastReceive_{false};
  std::atomic<uint64_t> last_{0};  // the number of the request that ends the queue; 0: none yet
};

}  // namespace verbena::fabric
