// SPDX-License-Identifier: Apache-2.0
//
// Sessions with peers and the links in them, all of it but sockets, threads, clocks and chance:
// those are handed in. What comes in is a job, a packet, the time, or the owner's word; each call
// works it off and returns. What goes out are packets (Outside), calls of LinkOwner and calls of
// Observer; none of them may call back into the exchange.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "connect/peer.h"
#include "connect/questions.h"

namespace verbena::connect {

class Exchange {
 public:
  Exchange(const ManagerOptions& options, Outside& outside, LinkOwner& owner, Observer& observer,
           Counts& counts);
  ~Exchange();

  // --- jobs
  void addPeer(Time now, NodeId peer, std::vector<Address> addresses);
  /// The node has answered from there, and may be dialled.
  void found(Time now, const Found& node);
  /// Its address is being looked up: dials wait for addPeer() or lookUpFailed().
  void lookUpBegins(Time now, NodeId peer);
  void lookUpFailed(Time now, NodeId peer, const std::string& text);
  void removePeer(Time now, NodeId peer, const std::string& reason = "");
  void dial(Time now, NodeId peer, LinkName name, Time timeout);
  /// Asks who is at these addresses, which are of one host.
  void ask(Time now, std::vector<Address> addresses, Time timeout, FoundOrNot tell);
  /// Takes a link down and tells the far side why.
  void close(Time now, LinkId id, const std::string& reason);
  /// The owner has closed it.
  void closed(Time now, LinkId id);
  /// From here on dials fail and are refused; links are closed. Over when idle().
  void shutDown(Time now);
  bool idle() const { return !own_.hasLinks(); }
  /// In which state the session with a peer is, and a link with it.
  Peer::State stateOf(NodeId peer) const;
  Links::State stateOf(NodeId peer, LinkName name) const;
  /// How many nodes it remembers.
  size_t peers() const { return peers_.size(); }

  // --- the network
  void receive(Time now, const Address& from, std::span<const std::byte> datagram);
  /// A packet to this address did not arrive, says the network; an errno value.
  void unreachable(Time now, const Address& address, int code);

  // --- time
  /// Works off what is due.
  void advance(Time now);
  std::optional<Time> nextTimer() const;

 private:
  Time after(Time timeout) const;
  Peer& peer(NodeId id);
  Peer* known(NodeId id) const;
  void refuseCounted(const Address& to, const Packet& question, Refusal why,
                     const std::string& text);
  void unproved(const Address& from, const Received& received);
  std::string ofAnotherCluster(const Packet& packet) const;
  bool speaksOurVersion(const Address& from, const Packet& packet);
  void advancePeers();
  void advancePeer(NodeId id);
  bool admits(const Address& from, const Packet& packet);
  void hello(const Address& from, const Packet& packet);
  void dispatch(const Address& from, const Packet& packet);
  void offerOfStranger(const Address& from, const Packet& packet);
  void packetOfStranger(const Address& from, const Packet& packet);

  OwnNode own_;
  std::unordered_map<NodeId, std::unique_ptr<Peer>> peers_;
  Questions questions_{own_};
};

}  // namespace verbena::connect
