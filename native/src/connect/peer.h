// SPDX-License-Identifier: Apache-2.0
//
// The state machine of the session with one peer (docs/protocol.md has it as a table). There is at
// most one session at a time, and one is there only while a link needs it.
//
// Its code is in four files: peer.cpp what every state shares, peer_dialling.cpp the side that
// begins, peer_accepting.cpp the other, peer_alive.cpp the time in which a session is open.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "connect/links.h"

namespace verbena::connect {

class Peer {
 public:
  enum class State {
    idle,     ///< nothing; wishes may wait to begin again
    hello,    ///< dialling: HELLO is repeated until a CHALLENGE comes
    opening,  ///< dialling: links are offered, and nothing has come back yet
    open,     ///< both sides have the session
  };

  Peer(OwnNode& own, NodeId id) : own_(own), id_(id) {}

  // --- jobs
  void setAddresses(std::vector<Address> addresses);
  /// Has answered from there. Not as good as an address that somebody has given: it is forgotten
  /// with the peer.
  void foundAt(const Address& address);
  void lookUpBegins() { lookedUp_ = true; }
  void lookUpFailed(const std::string& text);
  /// `reason`: what its links end with, and dials until it has an address again; "" for none.
  void forget(const std::string& reason);
  void dial(LinkName name, Time deadline);
  void close(LinkId id, const std::string& reason) { links_.close(id, reason); }
  void ownerClosed(LinkId id) { links_.ownerClosed(id); }
  void shutDown();

  // --- packets that have passed the node's checks: proof, version, cluster, destination
  /// The accepting side's nonce for this dial. Changes nothing.
  Nonce nonceFor(const Packet& question, const Address& from) const;
  /// Both sides dial, and this side's dial goes first.
  bool goesFirst() const;
  void challenged(const Packet& packet, const Address& from);
  void offered(const Packet& packet, const Address& from);
  void refused(const Packet& packet);
  void ended(const Packet& packet);
  /// All other kinds.
  void inSession(const Packet& packet, const Address& from);

  // --- hints that prove nothing
  /// A REFUSE for want of the key, whose proof this side cannot check.
  void refusedUnproved(const Packet& packet);
  /// The network says that a packet to this address did not arrive.
  bool unreachable(const Address& address, int code);

  // --- time
  void timer();
  /// This machine stood still: the silence until now says nothing about the peer.
  void forgive();
  /// Works off what follows from the last input, and sets the peer's timer.
  void settle();

  /// It has numbered itself, nobody has given its address, and nothing has been done with it for a
  /// while: there may be ever so many of these, and none comes again.
  bool isForgettable() const;

  State state() const;
  Links::State stateOf(LinkName name) const { return links_.stateOf(name); }

 private:
  /// HELLO is said and not answered.
  struct Dial {
    Nonce nonce{};
    Address address{};
    unsigned tries = 0;
    Time retryAt{0};
    std::string unproved{};  ///< what an unproved refusal said
  };
  /// A new life of the peer dials from elsewhere. If the present one answers, the other is a
  /// stranger.
  struct Contest {
    Packet packet;
    Address from;
    Time until;
    Time retryAt;
    unsigned tries = 0;
  };
  /// The last session that ended, to say why to a far side that still believes in it.
  struct Ended {
    Nonce dialler{};
    Nonce accepter{};
    std::string reason;
  };

  // peer.cpp
  void foreign(const Packet& packet, const Address& from);
  void endSession(const std::string& reason, bool tellFar);
  void forgetSession(const std::string& reason);
  void setReachable(bool answers);
  std::optional<Time> due() const;
  Time pursuedAt() const;
  bool isIdle() const;
  bool mayBeForgotten() const;
  Time forgottenAt() const;

  // peer_dialling.cpp
  std::vector<Address> targets() const;
  void targetsChanged();
  void beginHello();
  void sendHello();
  void beginSession(const Packet& packet, const Address& from);
  void adopt(const Packet& packet);
  void failDials(Refusal why, const std::string& text);
  void expireWishes();
  bool bouncesOff(const Address& address);
  std::string timeoutText(LinkName name) const;
  std::string unreachableText(const Address& address, int code) const;
  void helloTimer();
  void probe();

  // peer_accepting.cpp
  Asked asked(const Packet& question, const Address& from) const;
  void accept(const Packet& packet, const Address& from);
  void contest(const Packet& packet, const Address& from);

  // peer_alive.cpp
  void heard(const Packet& packet);
  void contestTimer();
  void silenceTimer();

  OwnNode& own_;
  const NodeId id_;
  Wishes wishes_{own_, id_};
  std::optional<Dial> dial_;
  std::optional<Session> session_;  // never together with a dial
  Links links_{own_, id_, session_, wishes_};
  std::optional<Contest> contest_;  // with an open session alone
  uint64_t generation_ = 0;         ///< sessions that have been open with this peer
  Ended ended_;
  Time pingAt_{0};
  unsigned pings_ = 0;  ///< since the peer was last heard
  /// Packets of this dial that are known not to have arrived.
  std::unordered_map<Address, unsigned, AddressHash> bounced_;

  std::vector<Address> addresses_;  ///< given
  std::optional<Address> learned_;  ///< where it dialled or answered from last
  std::string removedFor_;          ///< why it has none
  Time idleSince_{0};               ///< there was a session, or it was found
  bool lookedUp_ = false;           ///< a look-up of its host name is under way
  std::optional<Nonce> probe_;
  Time probeAt_{0};
  unsigned probesUnanswered_ = 0;
  bool reachable_ = false;
};

}  // namespace verbena::connect
