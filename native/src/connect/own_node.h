// SPDX-License-Identifier: Apache-2.0
//
// This node, as the exchanges with its peers see it: who it is, what time it is, and the world.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "connect/challenges.h"
#include "connect/counters.h"
#include "connect/guarded_owner.h"
#include "connect/observer.h"
#include "connect/options.h"
#include "connect/packet.h"
#include "connect/timers.h"

namespace verbena::connect {

/// What the exchange does to the world and takes from it, besides links and the observer.
class Outside {
 public:
  virtual ~Outside() = default;
  virtual void send(const Address& to, const Datagram& packet) = 0;
  virtual void fillRandom(std::span<std::byte> bytes) = 0;
  /// So many links may end from here on: what that takes is made ready, or is thrown about
  /// now.
  virtual void expectEnds(size_t links) = 0;
};

class OwnNode {
 public:
  OwnNode(const ManagerOptions& nodeOptions, Outside& outsideWorld, LinkOwner& owner,
          Observer& listener, Counts& counters);

  const ManagerOptions options;
  GuardedOwner links;
  Observer& observer;
  Counts& counts;
  const std::optional<Hmac> key;
  const ClusterHash cluster;
  const Challenges challenges;
  Timers timers;
  Time now{0};           ///< of the input that is being worked on
  bool closing = false;  ///< shutDown() was called

  void send(const Address& to, const Packet& packet);
  /// Without a proof: what anybody can bring this node to say must not serve as a proven answer.
  void sendUnproved(const Address& to, const Packet& packet);
  /// A HELLO of this node.
  Packet hello(NodeId to, const Nonce& nonce) const;
  /// An answer of this node: the question's nonces and cluster, and the two nodes the other way
  /// round.
  Packet answerTo(const Packet& question, PacketKind kind) const;
  void refuse(const Address& to, const Packet& question, Refusal why, const std::string& text);
  Nonce newNonce();
  /// How long to wait after so many tries: doubles, up to the last, a quarter more or less by
  /// chance.
  Time backOff(unsigned tries);

  LinkId newLink(NodeId peer);
  void forgetLink(LinkId id) { linkPeers_.erase(id); }
  std::optional<NodeId> peerOf(LinkId id) const;
  bool hasLinks() const { return !linkPeers_.empty(); }

 private:
  Outside& outside_;
  LinkId lastLink_ = 0;
  std::unordered_map<LinkId, NodeId> linkPeers_;  ///< each until its owner has closed it
};

/// "node 5"
std::string nameOf(NodeId node);
/// "node 5 at 10.0.0.1:4000"
std::string nameOf(NodeId node, const Address& address);

}  // namespace verbena::connect
