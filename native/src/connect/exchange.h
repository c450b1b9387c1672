// SPDX-License-Identifier: Apache-2.0
//
// The exchange of queue pairs, all of it but sockets, threads, clocks and chance: those are handed
// in. What comes in is a job, a packet, the time, or the owner's word; each call works it off and
// returns. What goes out are packets (Outside), calls of QueuePairs and calls of Observer; none of
// them may call back into the exchange.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "connect/peer.h"

namespace verbena::connect {

class Exchange {
 public:
  Exchange(const ManagerOptions& options, Outside& outside, QueuePairs& queuePairs,
           Observer& observer, Counts& counts);
  ~Exchange();

  // --- jobs
  void addPeer(Time now, NodeId peer, std::vector<Address> addresses);
  /// Its address is being looked up: dials wait for addPeer() or lookUpFailed().
  void lookUpBegins(Time now, NodeId peer);
  void lookUpFailed(Time now, NodeId peer, const std::string& text);
  void removePeer(Time now, NodeId peer);
  void dial(Time now, NodeId peer, Time timeout);
  /// Takes a connection down and tells the far side why.
  void close(Time now, ConnectionId id, const std::string& reason);
  /// The owner has closed it.
  void closed(Time now, ConnectionId id);
  /// From here on dials fail and are refused; connections are closed. Over when idle().
  void shutDown(Time now);
  bool idle() const { return !own_.hasConnections(); }
  /// In which state the exchange with a peer is.
  Peer::State stateOf(NodeId peer) const;

  // --- the network
  void receive(Time now, const Address& from, std::span<const std::byte> datagram);
  /// A packet to this address did not arrive, says the network; an errno value.
  void unreachable(Time now, const Address& address, int code);

  // --- time
  /// Works off what is due.
  void advance(Time now);
  std::optional<Time> nextTimer() const { return own_.timers.next(); }

 private:
  Peer& peer(NodeId id);
  Peer* known(NodeId id);
  void refuseCounted(const Address& to, const Packet& question, Refusal why,
                     const std::string& text);
  void unproved(const Address& from, const Received& received);
  std::string ofAnotherCluster(const Packet& packet) const;
  bool admits(const Address& from, const Packet& packet);
  void hello(const Address& from, const Packet& packet);
  void dispatch(const Address& from, const Packet& packet);
  void offerOfStranger(const Address& from, const Packet& packet);
  void packetOfStranger(const Address& from, const Packet& packet);

  OwnNode own_;
  std::unordered_map<NodeId, std::unique_ptr<Peer>> peers_;
};

}  // namespace verbena::connect
