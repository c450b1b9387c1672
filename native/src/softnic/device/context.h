// SPDX-License-Identifier: Apache-2.0
//
// An open device: one port with its objects, its timers and its threads.
//
// One lock per context guards everything in it. It is never held across a wait or a long copy, and
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
  /// Null and errno on failure.
  static Context* open(ibv_device* device, const verbs::Wiring& wiring);
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
      failureDue = true;
      service.wake();
      return false;
    }
  }
  /// Fails the device if something has been left half done. Throws if there is no memory even for
  /// that: it stays due.
  void failIfDue() {
    if (failureDue) fail();
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
  bool hasWork() const { return hasArrivals() || !copiesDue.empty() || links.someFreed(); }
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

  host::Lock lock;
  std::unique_ptr<Folder> folder;
  host::SharedFile portFile;
  EventQueue<ibv_async_event> asyncEvents;
  Segments segments;
  RegionTable regions;
  std::vector<QueuePair*> qps;     // by index; null where free
  Links links{*this};              // goes before the folder and the port, which they name
  std::vector<QueuePair*> active;  // with unfinished requests
  uint32_t paused = 0;             // how many of them have a pause to end
  std::vector<QueuePair*> copiesDue;
  uint64_t stragglerNs = kStragglerNs;
  uint32_t nextPd = 1;
  uint64_t nowNs = 0;        // the time at the last tick
  bool failureDue = false;   // something was left half done, and nobody has been told yet
  bool fatalRaised = false;  // the application knows that the device has failed
  bool portUp = true;
  uint64_t portUpAtNs = 0;                // when it comes up again by itself
  std::unique_ptr<FaultScript> faults;    // null: nothing goes wrong
  std::atomic<uint32_t> faultChanges{0};  // how often there was another
  uint32_t qpsMade = 0;
  bool writesWithoutProof = false;  // Wiring::writesWithoutProof
  Service service{*this};
  std::unique_ptr<TcpService> tcp;  // null: this host alone

 private:
  Context() = default;
  bool takePort(ibv_device* device, const verbs::Wiring& wiring);
  bool takeSlot(const verbs::Wiring& wiring);
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
inline Context& QueuePair::owner() const {
  return contextOf(context);
}

}  // namespace verbena::softnic
