// SPDX-License-Identifier: Apache-2.0
//
// The state machine of the exchange with one peer (docs/protocol.md has it as a table). It has at
// most one connection at a time: the next is created when the owner has closed the one before.
//
// Its code is in four files: peer.cpp what every state shares, peer_dialling.cpp the side that
// begins, peer_accepting.cpp the other, peer_alive.cpp the time in which a connection is up.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "connect/own_node.h"

namespace verbena::connect {

class Peer {
 public:
  enum class State {
    idle,      ///< nothing; a dial that lost against the other side's may wait to begin again
    hello,     ///< dialling: HELLO is repeated until a CHALLENGE comes; no queue pair yet
    offer,     ///< dialling: the queue pair is created, OFFER is repeated until an ANSWER comes
    answered,  ///< accepting: the queue pair is connected, ANSWER is repeated until a CONFIRM comes
    up,        ///< the connection can be used
    closing,   ///< the owner closes the queue pair; whatever comes next waits for its word
  };

  Peer(OwnNode& own, NodeId id) : own_(own), id_(id) {}

  // --- jobs
  void setAddresses(std::vector<Address> addresses);
  void lookUpBegins() { lookedUp_ = true; }
  void lookUpFailed(const std::string& text);
  void forget();
  void dial(Time deadline);
  void takeDown(const std::string& reason, bool tellFar);
  void ownerClosed();
  void shutDown();

  // --- packets that have passed the node's checks: proof, version, cluster, destination
  /// The accepting side's nonce for this dial. Changes nothing.
  Nonce nonceFor(const Packet& question, const Address& from) const;
  /// Both sides dial, and this side's dial goes first.
  bool goesFirst() const;
  void challenged(const Packet& packet, const Address& from);
  void offered(const Packet& packet, const Address& from);
  void answered(const Packet& packet, const Address& from);
  void confirmed(const Packet& packet, const Address& from);
  void refused(const Packet& packet);
  void closed(const Packet& packet);
  void pinged(const Packet& packet, const Address& from);
  void ponged(const Packet& packet);

  // --- hints that prove nothing
  /// A REFUSE for want of the key, whose proof this side cannot check.
  void refusedUnproved(const Packet& packet);
  /// The network says that a packet to this address did not arrive.
  bool unreachable(const Address& address, int code);

  // --- time
  void timer();
  /// This machine stood still: the silence until now says nothing about the peer.
  void forgive();
  /// Sets the peer's timer to what it waits for.
  void reschedule();

  State state() const { return state_; }

 private:
  struct Connection {
    ConnectionId id = 0;
    bool dialled = false;
    Nonce dialler{};
    Nonce accepter{};
    uint64_t incarnation = 0;  ///< of the peer
    Address address;
    QueuePairEnd end;    ///< this side's
    uint64_t said = 0;   ///< counter of the last packet sent
    uint64_t heard = 0;  ///< highest counter that came
    Time heardAt{0};
  };
  /// Somebody wants a connection.
  struct Wish {
    Time since;
    Time deadline;
  };
  /// A checked OFFER that cannot be accepted yet.
  struct Waiting {
    Packet packet;
    Address from;
    Time since;
  };
  /// The last connection that ended, to say why to a far side that still believes in it.
  struct Ended {
    Nonce dialler{};
    Nonce accepter{};
    std::string reason;
  };

  // peer.cpp
  Packet make(PacketKind kind);
  void sendOnConnection(PacketKind kind, const std::string& text = "");
  bool isCurrent(const Packet& packet) const;
  void notThere(const Packet& packet, const Address& from);
  void becomeUp();
  void setReachable(bool answers);
  void retryAfter(unsigned tries) { retryAt_ = own_.now + own_.backOff(tries); }
  std::string whereabouts(const Address& address) const;
  std::optional<Time> due() const;

  // peer_dialling.cpp
  std::vector<Address> targets() const;
  void beginHello();
  void beginAgain();
  void sendHello();
  void createForOffer();
  void sendOffer();
  void failDial(Refusal why, const std::string& text, bool tellFar = true);
  bool bouncesOff(const Address& address);
  std::string timeoutText() const;
  std::string unreachableText(const Address& address, int code) const;
  void helloTimer();
  void probe();

  // peer_accepting.cpp
  Asked asked(const Packet& question, const Address& from) const;
  void accept(const Waiting& offer);
  void replaceBy(const Packet& packet, const Address& from);
  void answeredTimer();

  // peer_alive.cpp
  bool heard(const Packet& packet);
  void contest();
  void contestTimer();
  void upTimer();

  OwnNode& own_;
  const NodeId id_;
  State state_ = State::idle;
  Connection connection_;    ///< in hello only its nonce and address mean something
  uint64_t generation_ = 0;  ///< connections made with this peer
  std::optional<Wish> wish_;
  std::optional<Waiting> waiting_;
  std::optional<Time> contestedUntil_;  ///< the waiting OFFER claims the id of a live connection
  Ended ended_;
  Time retryAt_{0};
  Time notBefore_{0};  ///< a dial that lost against the other side's begins again
  Time answeredSince_{0};
  unsigned tries_ = 0;     ///< packets sent in this state
  unsigned restarts_ = 0;  ///< dials begun again for one wish
  /// Packets sent in this state that are known not to have arrived.
  std::unordered_map<Address, unsigned, AddressHash> bounced_;
  std::string unproved_;  ///< what an unproved refusal said

  std::vector<Address> addresses_;  ///< given
  std::optional<Address> learned_;  ///< where it dialled from last
  bool lookedUp_ = false;           ///< a look-up of its host name is under way
  std::optional<Nonce> probe_;
  Time probeAt_{0};
  unsigned probesUnanswered_ = 0;
  bool reachable_ = false;
};

}  // namespace verbena::connect
