// SPDX-License-Identifier: Apache-2.0
//
// One thread's way to drive links: what completes, which of them want to be pumped, how they end,
// and how to wait. It knows nothing of what the links are for (service.h), nor of how they come
// about: the connection manager asks for them.
//
// Threads: pump() may be called by any thread; one at a time works on a link, and a thread that
// finds another at work leaves a mark and goes. progress() likewise, for the whole worker. Links
// are created, connected and closed by the manager's job thread.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "connect/link.h"
#include "fabric/completions.h"
#include "fabric/domain.h"
#include "fabric/endings.h"
#include "fabric/interests.h"
#include "fabric/link_table.h"
#include "fabric/options.h"
#include "fabric/service.h"
#include "fabric/turn.h"
#include "fabric/waiter.h"

namespace verbena::fabric {

class Worker final : public Failures {
 public:
  static base::Result<std::unique_ptr<Worker>> open(std::shared_ptr<const Domain> domain,
                                                    const WorkerOptions& options);
  /// Every link is closed already, and nobody uses the worker any more.
  ~Worker() override = default;

  // --- before the first link
  /// A service gets so many places for links. Once it has gone, nothing of the worker is used any
  /// more but its destructor. EINVAL: the places of all services are more than maxLinks.
  base::Result<void> add(Service& service, uint32_t links);
  /// Waits end as well when the descriptor, which does not block, is readable; they read what is
  /// there. It lives as long as the worker.
  base::Result<void> listenTo(int descriptor) {
    return waiter_->listenTo(descriptor, domain_->context.name());
  }
  /// Who hears of failed, drained and closed links. The calls come from whatever thread finds out,
  /// inside progress() or pump().
  void report(connect::Lifecycle& to) { lifecycle_ = &to; }
  /// All workers of the domain, this one among them: the device tells one of them what may be about
  /// links of another. They live as long.
  void joinOthers(std::span<const std::unique_ptr<Worker>> all) { all_ = all; }

  // --- by the manager's job thread
  base::Result<connect::LinkEnd> create(Service& service, const connect::NewLink& link);
  base::Result<void> connect(connect::LinkId id, const connect::LinkEnd& far);
  void ready(connect::LinkId id);
  void close(connect::LinkId id);
  /// Lifecycle::drained() has told of it: its queue pair goes. A device may take its time for that,
  /// which is why whoever polls leaves it to the owner.
  void destroy(connect::LinkId id);
  /// Now and then: links whose far side confirms nothing any more fail, and rounds are done for who
  /// is too busy for them. Returns by when it wants to be called again.
  std::chrono::nanoseconds watch(std::chrono::nanoseconds now);

  // --- posting; any thread
  /// Lets a link post what it has, at most a budget's worth: the rest is left to progress(). True
  /// if something is left that waits for room.
  bool pump(Link& link);
  bool pump(connect::LinkId id) {
    Link* link = links_.find(id);
    return link != nullptr && pump(*link);
  }
  /// The link at a place is to be pumped; whoever sleeps gets up for it. Queued once however often.
  void showInterest(uint32_t place) {
    if (interests_.show(place)) waiter_->wakeIfArmed();
  }
  /// The same for what only a round does: where whoever polls is busy the job thread does one.
  void leaveToRound(uint32_t place) {
    showInterest(place);
    noteWaiting();
  }
  void interest(connect::LinkId id) {
    if (Link* link = links_.find(id)) showInterest(link->place());
  }
  /// Does `work` under the turn of a link, if it is (still) there; says whether.
  template <typename Work>
  bool inTurn(connect::LinkId id, Work work);

  /// A link waits for what only a round can bring it.
  void noteWaiting() {
    // seq_cst as the link's own mark, which was set before: see standIn()
    if (someWait_.load(std::memory_order_seq_cst)) return;
    if (!someWait_.exchange(true, std::memory_order_seq_cst) && lifecycle_) lifecycle_->lookSoon();
  }

  // --- rounds
  /// Takes completions, lets services receive, pumps whom interest was shown in. Never blocks. Any
  /// thread; returns 0 if there was nothing to do or another thread does it.
  size_t progress();

  /// Does `work` while nobody else polls, and waits for that. Any thread that does not poll itself.
  template <typename Work>
  void betweenRounds(Work work);

  // --- waiting; any thread
  /// From here on completions, arrivals, interest and wake() end the wait() that gets the ticket.
  /// Look once more whether there is something to do before that one. Of `whose` arrivals the
  /// caller takes what has come already; what others have not taken keeps nobody awake. Null: of
  /// all services.
  uint64_t arm(const Service* whose = nullptr);
  /// For `whose`, of who takes no arrivals: they keep it awake by themselves neither.
  static const Service* nobody();
  /// Blocks until one of them, or the time is over. May return for nothing, and does so whenever
  /// another thread's wait has ended.
  void wait(std::chrono::nanoseconds timeout, uint64_t ticket, const Service* whose = nullptr);
  /// By a thread that waits alone.
  void wait(std::chrono::nanoseconds timeout, const Service* whose = nullptr) {
    wait(timeout, waiter_->ticket(), whose);
  }
  /// For an event loop, instead of blocking: readable from arm() on when wait() would not block.
  /// wait(0) follows then, whatever else the loop does. No other thread waits.
  int descriptor() const { return waiter_->descriptor(); }
  /// Ends the wait whose arm() has been called. Any thread.
  void wake();
  /// As wake(), by who has left something to do with a sequentially consistent store.
  void wakeIfArmed() { waiter_->wakeIfArmed(); }

  // --- what goes wrong
  void failed(Link& link, const std::string& reason) override;
  void nonsense(Link& link, const std::string& reason) override;
  void deviceFailed(const std::string& reason) override;
  void heard(const verbs::AsyncEvent& event) override;
  void usedWrongKey(const Link& link) override;
  /// A receive of a link has failed.
  void failedReceive(Link& link, const ibv_wc& done) {
    completions_.failed(link, done, "a receive");
  }
  /// A link cannot post any more; by whoever has found that, without its turn.
  void failed(connect::LinkId id, const Trouble& trouble) { failed(id, trouble.sentence()); }
  void failed(connect::LinkId id, const std::string& reason);

  const Domain& domain() const { return *domain_; }
  const std::shared_ptr<const Domain>& sharedDomain() const { return domain_; }
  const WorkerOptions& options() const { return options_; }
  const verbs::CompletionQueue& sendQueue() const { return sendQueue_; }
  const verbs::CompletionChannel& channel() const { return channel_; }
  /// How many requests will report. While there are none their queue is not polled.
  std::atomic<uint64_t>& reporting() { return reporting_; }
  LinkTable& links() { return links_; }
  const Counters& counters() const { return counters_; }

 private:
  /// Links pumped in one round.
  static constexpr size_t kPumps = 64;
  /// Rounds after which the device is asked for events without any sign of one.
  static constexpr uint32_t kRoundsUnasked = 4096;

  Worker(std::shared_ptr<const Domain> domain, const WorkerOptions& options,
         verbs::AsyncEvents events, verbs::CompletionChannel channel,
         verbs::CompletionQueue sendQueue);

  base::Result<connect::LinkEnd> makeAt(Link& place, const connect::NewLink& link);
  size_t round();
  size_t serveInterests();
  bool armQueues();
  bool hasWork(const Service* whose) const;
  base::Result<void> mayLink(connect::NodeId peer) const;
  base::Result<Link*> reserve(Service& service, const connect::NewLink& link);
  void enter(Link& made);
  void lookForStalls(std::chrono::nanoseconds now);
  std::chrono::nanoseconds standIn(std::chrono::nanoseconds now);
  bool someLinkWaits() const;
  void failStalled();
  void endThoseDue();
  void destroyLater(Link& link);
  void drainServices();
  void end(Link& link);

  const std::shared_ptr<const Domain> domain_;
  const WorkerOptions options_;
  verbs::AsyncEvents events_;
  verbs::CompletionChannel channel_;
  verbs::CompletionQueue sendQueue_;
  std::atomic<uint64_t> reporting_{0};
  Counters counters_;
  std::unique_ptr<Waiter> waiter_;
  Interests interests_;
  std::vector<Service*> services_;
  uint32_t places_ = 0;  // of all of them
  LinkTable links_;
  Completions completions_;
  Endings endings_;
  connect::Lifecycle* lifecycle_ = nullptr;
  std::span<const std::unique_ptr<Worker>> all_;  // empty: there is no other

  Turn turn_;  // to poll
  uint32_t unasked_ = 0;
  std::atomic<bool> eventsDue_{false};
  std::atomic<bool> stalled_{false};     // some link may have
  std::chrono::nanoseconds watchAt_{0};  // of the job thread, as the next two
  std::chrono::nanoseconds standInAt_ = connect::LinkOwner::kNoHurry;
  uint64_t roundsSeen_ = 0;
  std::atomic<bool> someWait_{false};  // some link may; the job thread looks
  std::atomic<bool> dead_{false};
  std::mutex lifeLock_;  // guards what follows, and changes of the table; held for moments only
  std::string deathReason_;
};

template <typename Work>
void Worker::betweenRounds(Work work) {
  TurnHeld turn(turn_);
  work();
  // Somebody was turned away who may be about to sleep.
  if (turn.leave()) waiter_->wakeIfArmed();
}

template <typename Work>
bool Worker::inTurn(connect::LinkId id, Work work) {
  Link* link = links_.find(id);
  if (link == nullptr) return false;
  TurnHeld turn(link->turn());
  // It may have ended, and its place may be another's, since it was found.
  bool there = link->id() == id;
  if (there) work(*link);
  if (turn.leave()) showInterest(link->place());
  return there;
}

}  // namespace verbena::fabric
