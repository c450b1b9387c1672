// SPDX-License-Identifier: Apache-2.0
//
// Links with nodes by number. One job thread finds nodes, makes links with them and closes these;
// any number of threads ask for them. The wire protocol is in docs/protocol.md, "Sessions and
// links"; its state machines are below exchange.h, which knows neither sockets nor threads nor
// clocks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "connect/counters.h"
#include "connect/observer.h"
#include "connect/options.h"

namespace verbena::connect {

class JobThread;

class Manager : public Lifecycle {
 public:
  using Introduce = std::function<void(Manager&)>;

  /// Binds the socket and starts the job thread. `introduce` is called before the thread starts,
  /// and so before the first call of owner and observer, which may come before this returns: it is
  /// the place to tell them whom to report to.
  static base::Result<std::unique_ptr<Manager>> start(const ManagerOptions& options,
                                                      LinkOwner& owner, Observer& observer,
                                                      const Introduce& introduce = {});
  /// As shutDown(), then waits for the owner's word on each link.
  ~Manager() override;

  /// Begins to close every link; the far sides are told. Queued dials fail with Refusal::closing.
  /// Does not block, and may be called again.
  void shutDown();
  /// Whether the owner has closed every link since shutDown(): the end waits for nobody. Any
  /// thread.
  bool isShutDown() const;

  /// What the socket is bound to, "host:port" or "[v6]:port".
  std::string address() const;

  /// The address under which a node is looked for, "host:port" or "[v6]:port"; replaces a former
  /// one. A host name is looked up beside the job thread, with each dial. Any thread.
  void addPeer(NodeId peer, const std::string& address);
  /// Asks who is at an address, "host:port" or "[v6]:port", and adds that node as a peer. Waits for
  /// the answer. A node that nobody numbers, whose address is not given by addPeer() as well, is
  /// forgotten when there was no link with it for half a minute. Any thread but the job thread.
  /// EHOSTUNREACH, ECONNREFUSED and others: nothing is there. EACCES: it refuses. ETIMEDOUT: no
  /// answer. ELOOP: it is this node itself. ECANCELED: this node closes, which waits for the call's
  /// end. To look a host name up may take longer than the time given.
  base::Result<NodeId> addPeerAt(const std::string& address, std::chrono::nanoseconds timeout);
  /// The node is not looked for any more; existing links with it are closed. It may dial, still.
  /// `reason`: what links and dials end with, "" for that it was removed. Any thread.
  void removePeer(NodeId peer, const std::string& reason = "");
  /// Whether a node of a given id answered when it was last asked or connected. No lock; any
  /// thread.
  bool isReachable(NodeId peer) const;

  /// The live link of this name with a node, 0 if there is none; found only after Observer::up()
  /// has returned and before Observer::down() is called. Any thread.
  LinkId find(NodeId peer, LinkName name) const;
  /// Begins to connect unless that is under way or done; the observer hears how it ends. Dials of
  /// one link by many threads are one. Any thread, does not block.
  void dial(NodeId peer, LinkName name, std::chrono::nanoseconds timeout);
  /// The live link with a node; dials and waits if there is none. Any thread but the job thread.
  /// ECONNREFUSED: the node answers and has no place for it now. ETIMEDOUT: the time is over.
  /// `meanwhile` is called again and again: a former link ends only where its owner is driven.
  base::Result<LinkId> get(NodeId peer, LinkName name, std::chrono::nanoseconds timeout,
                           const std::function<void()>& meanwhile = {});

  /// The same, for a thread that looks now and then whether it has come to something.
  class Dial {
   public:
    /// Any thread but the job thread, like the next.
    Dial(Manager& manager, NodeId peer, LinkName name, std::chrono::nanoseconds timeout);
    /// The manager's end waits for it.
    ~Dial();
    /// As get(); nothing: it is not decided within `most`.
    std::optional<base::Result<LinkId>> outcome(std::chrono::nanoseconds most,
                                                const std::function<void()>& meanwhile = {});
    /// The error of a caller that waits no longer: ETIMEDOUT.
    base::Error tooLate() const;

   private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
  };

  /// Whoever waits in get() for a link of this service, or comes later, is told ECANCELED. Any
  /// thread.
  void stop(uint16_t service);

  /// Takes a link down and tells the far side why. Any thread, does not block.
  void close(LinkId id, const std::string& reason);
  /// As close(), and is heard even where there is no memory for the reason; the far side is told in
  /// case it has not noticed.
  void failed(LinkId id, const std::string& reason) override;
  bool drained(LinkId id) override;
  void lookSoon() override;
  void closed(LinkId id) override;

  ManagerCounters counters() const;

 private:
  explicit Manager(std::unique_ptr<JobThread> job);
  std::unique_ptr<JobThread> job_;
};

}  // namespace verbena::connect
