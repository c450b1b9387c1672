// SPDX-License-Identifier: Apache-2.0
//
// Connections to nodes by number. One job thread finds nodes, makes connections and closes them;
// any number of threads ask for them. The wire protocol is in docs/protocol.md, "Exchange of queue
// pairs"; its state machine is exchange.h, which knows neither sockets nor threads nor clocks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connect/queue_pairs.h"
#include "verbs/result.h"

namespace verbena::connect {

struct ManagerOptions {
  NodeId self = 0;
  uint64_t incarnation = 0;            ///< random, not 0; one life of this node
  std::string cluster = "default";     ///< nodes of other clusters are refused
  std::vector<std::byte> key;          ///< the cluster's secret; empty: nobody proves anything
  std::string listen = "0.0.0.0:0";    ///< "host:port", "[v6]:port"; port 0 for any
  std::chrono::nanoseconds firstRetry = std::chrono::milliseconds(5);
  std::chrono::nanoseconds lastRetry = std::chrono::milliseconds(500);
  std::chrono::nanoseconds discovery{0};  ///< how often unconnected nodes are probed; 0: not at all
  std::chrono::nanoseconds heartbeat = std::chrono::milliseconds(500);
  std::chrono::nanoseconds deadAfter = std::chrono::seconds(2);
};

enum class Refusal : uint8_t {
  none,
  protocol,  ///< speaks another version, or nonsense
  identity,  ///< another cluster, or not the node that was asked for, or its id is in use
  key,       ///< did not prove that it has the cluster's key
  crossed,   ///< both sides dial; the other dial goes first
  closing,   ///< the node closes, or has no room for another connection
  timeout,   ///< no answer
  local,     ///< a queue pair could not be made or connected here
};

/// What the manager has to tell; calls come from the job thread, in order, and must not block.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A connection is up on this side. `dialled`: this side began the exchange that made it.
  virtual void up(ConnectionId id, NodeId peer, uint64_t incarnation, bool dialled,
                  const std::string& address) = 0;
  /// It is down: nothing can be sent any more, and it will be closed without further ado.
  virtual void down(ConnectionId id, NodeId peer, const std::string& reason) = 0;
  /// dial() came to nothing.
  virtual void dialFailed(NodeId peer, Refusal why, const std::string& reason) = 0;
};

/// Counters since the start, readable at any time.
struct ManagerCounters {
  uint64_t packetsReceived, packetsSent, packetsRepeated;
  uint64_t rejectedLength, rejectedProtocol, rejectedKey, rejectedIdentity, rejectedStale;
  uint64_t connectionsMade, connectionsLost;
};

class Manager : public Lifecycle {
 public:
  /// Binds the socket and starts the job thread.
  static verbs::Result<std::unique_ptr<Manager>> start(const ManagerOptions& options,
                                                       QueuePairs& queuePairs, Observer& observer);
  /// Closes every connection (the far sides are told), waits for the owner's word on each, ends the
  /// thread. Queued dials fail with Refusal::closing.
  ~Manager() override;

  /// Where this node is reached, "host:port".
  std::string address() const;

  /// The address under which a node is looked for; replaces a former one. Any thread.
  void addPeer(NodeId peer, const std::string& address);
  /// The node is not looked for any more; an existing connection is closed. Any thread.
  void removePeer(NodeId peer);

  /// The live connection to a node, 0 if there is none. No lock; any thread.
  ConnectionId find(NodeId peer) const;
  /// Begins to connect unless that is under way or done; the observer hears how it ends. Dials of
  /// one peer by many threads are one. Any thread, does not block.
  void dial(NodeId peer, std::chrono::nanoseconds timeout);
  /// The live connection to a node; dials and waits if there is none. Any thread.
  verbs::Result<ConnectionId> get(NodeId peer, std::chrono::nanoseconds timeout);

  /// Takes a connection down and tells the far side why. Any thread, does not block.
  void close(ConnectionId id, const std::string& reason);
  /// As close(); the far side is told in case it has not noticed.
  void failed(ConnectionId id, const std::string& reason) override;
  void closed(ConnectionId id) override;

  ManagerCounters counters() const;

 private:
  class Job;
  explicit Manager(std::unique_ptr<Job> job);
  std::unique_ptr<Job> job_;
};

}  // namespace verbena::connect
