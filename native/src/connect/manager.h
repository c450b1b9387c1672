// SPDX-License-Identifier: Apache-2.0
//
// Connections to nodes by number. One job thread finds nodes, makes connections and closes them;
// any number of threads ask for them. The wire protocol is in docs/protocol.md, "Exchange of queue
// pairs"; its state machine is exchange.h, which knows neither sockets nor threads nor clocks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "connect/counters.h"
#include "connect/observer.h"
#include "connect/options.h"
#include "connect/queue_pairs.h"

namespace verbena::connect {

class JobThread;

class Manager : public Lifecycle {
 public:
  using Introduce = std::function<void(Manager&)>;

  /// Binds the socket and starts the job thread. `introduce` is called before the thread starts,
  /// and so before the first call of owner and observer, which may come before this returns: it is
  /// the place to tell them whom to report to.
  static base::Result<std::unique_ptr<Manager>> start(const ManagerOptions& options,
                                                      QueuePairs& queuePairs, Observer& observer,
                                                      const Introduce& introduce = {});
  /// As shutDown(), then waits for the owner's word on each connection.
  ~Manager() override;

  /// Begins to close every connection; the far sides are told. Queued dials fail with
  /// Refusal::closing. Does not block, and may be called again.
  void shutDown();
  /// Whether the owner has closed every connection since shutDown(): the end waits for nobody. Any
  /// thread.
  bool isShutDown() const;

  /// What the socket is bound to, "host:port" or "[v6]:port".
  std::string address() const;

  /// The address under which a node is looked for, "host:port" or "[v6]:port"; replaces a former
  /// one. A host name is looked up beside the job thread, with each dial. Any thread.
  void addPeer(NodeId peer, const std::string& address);
  /// The node is not looked for any more; an existing connection is closed. It may dial, still. Any
  /// thread.
  void removePeer(NodeId peer);
  /// Whether a node answered when it was last asked or connected. No lock; any thread.
  bool isReachable(NodeId peer) const;

  /// The live connection to a node, 0 if there is none; found only after Observer::up() has
  /// returned and before Observer::down() is called. No lock; any thread.
  ConnectionId find(NodeId peer) const;
  /// Begins to connect unless that is under way or done; the observer hears how it ends. Dials of
  /// one peer by many threads are one. Any thread, does not block.
  void dial(NodeId peer, std::chrono::nanoseconds timeout);
  /// The live connection to a node; dials and waits if there is none. Any thread but the job
  /// thread.
  base::Result<ConnectionId> get(NodeId peer, std::chrono::nanoseconds timeout);

  /// Takes a connection down and tells the far side why. Any thread, does not block.
  void close(ConnectionId id, const std::string& reason);
  /// As close(); the far side is told in case it has not noticed.
  void failed(ConnectionId id, const std::string& reason) override;
  void closed(ConnectionId id) override;

  ManagerCounters counters() const;

 private:
  explicit Manager(std::unique_ptr<JobThread> job);
  std::unique_ptr<JobThread> job_;
};

}  // namespace verbena::connect
