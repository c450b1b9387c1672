// SPDX-License-Identifier: Apache-2.0
//
// A port of an open device with its objects, its timers and its threads. The first one is what the
// application holds; ports.h says when there are more, and has the order of locks.
//
// One lock per port guards everything in it. It is never held across a wait or a long copy, and
// never shared with another process.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/lock.h"
#include "softnic/device/limits.h"
#include "softnic/device/ports.h"
#include "softnic/device/service.h"
#include "softnic/memory/folder.h"
#include "softnic/memory/memory.h"
#include "softnic/memory/port_memory.h"
#include "softnic/objects/events.h"
#include "softnic/objects/queue_pair.h"
#include "softnic/wire/links.h"
#include "softnic/wire/tcp_service.h"
#include "verbs/wiring.h"

namespace verbena::softnic {

struct Context : ibv_context, host::SegmentUser {
  /// A device with its first port. Null and errno on failure.
  static Context* open(ibv_device* device, const verbs::Wiring& wiring);
  /// One more port, with all regions. By who holds Ports::changes. Null and errno on failure.
  static Context* openBeside(Ports& ports);
  /// Peers see the port closed; its files are gone afterwards.
  ~Context() override;

  PortMemory& port() const { return *portFile.as<PortMemory>(); }

  // --- without the lock
  void closePages(const host::Segment& segment, host::Extent pages) override;

  // --- under the lock
  /// Does `work`, a call's or a thread's. Whatever it throws means that there was no memory for it,
  /// and nobody can say what has been left half done: the device fails as a whole, before anything
  /// else is done on it. False then.
  template <typename Work>
  bool attempt(Work work) noexcept {
    try {
      failIfDue();
      work();
      return true;
    } catch (...) {
      failureDue.store(Failure::Own, std::memory_order_relaxed);
      service.wake();
      return false;
    }
  }
  /// Fails the device if something has been left half done. Throws if there is no memory even for
  /// that: it stays due.
  void failIfDue() {
    if (failureDue.load(std::memory_order_relaxed) != Failure::None) fail();
  }
  /// Whether acknowledgements of what arrives in this pass may wait for the next: an application
  /// that has just got completions will probably answer or poll again, and they travel with that.
  /// If it does not, the service sends them at its next tick.
  enum class Acks { Now, MayWait };
  /// Executes what has arrived and sends what was deferred. False if there was nothing.
  bool progress(Acks acks = Acks::Now);
  /// Sends what is pending on every link.
  void flushAll();
  /// Sends what was deferred on the link, and publishes it with everything else.
  void flush(Link& link);
  /// Makes the direct copies that are due, giving the lock up while it does. To be called by
  /// whoever has let requests out, last: nothing else does it for them. False if none was due.
  bool makeCopies(std::unique_lock<host::Lock>& guard);
  /// Returns when a piece of a copy has ended that was made without the lock, or perhaps earlier.
  void waitForCopies(std::unique_lock<host::Lock>& guard);
  void copyEnded();
  /// Ends pauses and counts time-outs. False if none was due.
  bool runTimers(uint64_t now);
  /// When the first pause ends; 0 for none.
  uint64_t nextDeadlineNs() const;
  /// Whether a ring has something unread that may be read.
  bool hasArrivals() const;
  /// Whether something is to be done at once.
  bool hasWork() const {
    return hasArrivals() || !copiesDue.empty() || links.someFreed() ||
           failureDue.load(std::memory_order_relaxed) != Failure::None ||
           downUntilNs.load(std::memory_order_relaxed) != 0;
  }
  /// Whether anything of ours waits for a peer.
  bool busy() const;
  /// The queue pair has requests whose end it waits for: its time-outs count.
  void activate(QueuePair& qp);
  QueuePair* findQp(uint32_t qpn) const {
    uint32_t index = qpIndexOf(qpn);
    return index < qps.size() && slotOf(qpn) == port().slot ? qps[index] : nullptr;
  }
  /// Gives the queue pair an index and a number. False and errno if none is free.
  bool enlist(QueuePair& qp);
  void delist(QueuePair& qp);

  void raise(ibv_event_type type, QueuePair& qp);
  void raise(ibv_event_type type, CompletionQueue& cq);
  void raise(ibv_event_type type, SharedReceiveQueue& srq);
  void raisePort(ibv_event_type type);
  void raiseFatal();

  bool isFirst() const { return this == &ports.first(); }

 private:
  std::unique_ptr<Ports> own_;  // of the first: goes after everything that it has in common

 public:
  Ports& ports;
  host::Lock lock;
  std::unique_ptr<Folder> folder;
  host::SharedFile portFile;
  EventQueue<ibv_async_event>& asyncEvents = ports.asyncEvents;
  Segments& segments = ports.segments;
  RegionTable regions;
  std::vector<QueuePair*> qps;     // by index; null where free
  Links links{*this};              // goes before the folder and the port, which they name
  std::vector<QueuePair*> active;  // with unfinished requests
  uint32_t paused = 0;             // how many of them have a pause to end
  std::vector<QueuePair*> copiesDue;
  uint64_t stragglerNs = kStragglerNs;
  uint64_t nowNs = 0;  // the time at the last tick
  enum class Failure : uint8_t {
    None,
    Own,   // something was left half done here, and nobody has been told yet
    Told,  // another port has failed, and with it the device
  };
  std::atomic<Failure> failureDue{Failure::None};  // set to Told without the lock
  bool portUp = true;
  uint64_t portUpAtNs = 0;                // when it comes up again by itself
  bool tellsOfPort = false;               // it is the one that raises the event then
  std::atomic<uint64_t> downUntilNs{0};   // another port has gone down so long; 0: none has
  std::unique_ptr<FaultScript> faults;    // null: nothing goes wrong
  std::atomic<uint32_t> faultChanges{0};  // how often there was another
  Service service{*this};
  std::unique_ptr<TcpService> tcp;  // null: this host alone

 private:
  Context(std::unique_ptr<Ports> own, Ports& all) : own_(std::move(own)), ports(all) {}
  bool takePort(ibv_device* device);
  bool takeSlot();
  bool begin();
  void stopThreads();
  bool copyRegions();
  bool copyFaults();
  bool receive(Link& link, Acks acks);
  void fail();

  std::string portPath_;  // of portFile
  uint32_t nextQpIndex_ = kFirstQpIndex;
  std::atomic<uint32_t> copiesEnded_{0};
  uint32_t copyWaiters_ = 0;
};

/// Drops the events of an object that is being destroyed.
void withdrawEvents(EventQueue<ibv_async_event>& events, const void* object);

inline Context& contextOf(ibv_context* context) {
  return *static_cast<Context*>(context);
}

/// The lock of the port that a shared receive queue belongs to.
inline std::unique_lock<host::Lock> lockHome(SharedReceiveQueue& srq) {
  for (;;) {
    // acquire pairs with the release of whoever moves the queue, in control/queue_pair.cpp
    Context* home = srq.home.load(std::memory_order_acquire);
    std::unique_lock guard(home->lock);
    if (srq.home.load(std::memory_order_relaxed) == home) return guard;
  }
}

}  // namespace verbena::softnic
