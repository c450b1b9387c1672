// SPDX-License-Identifier: Apache-2.0
//
// The links with one peer (docs/protocol.md has their states as a table). Either side offers one,
// the other answers; each name is a state machine of its own. A link belongs to the session that it
// was made in and ends with it.
//
// The code is in two files: links.cpp how a link comes, links_ending.cpp how it goes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connect/own_node.h"
#include "connect/session.h"
#include "connect/wishes.h"

namespace verbena::connect {

class Links {
 public:
  enum class State {
    none,
    offered,   ///< this side's end is there, OFFER is repeated until an ANSWER comes
    answered,  ///< both ends are connected, ANSWER is repeated until a CONFIRM comes
    up,        ///< the link can be used
    closing,   ///< the owner closes its end; the next one of the name waits for its word
  };

  /// `session` is the peer's; it is there whenever a packet is handed in.
  Links(OwnNode& own, NodeId peer, std::optional<Session>& session, Wishes& wishes)
      : own_(own), peer_(peer), session_(session), wishes_(wishes) {}

  State stateOf(LinkName name) const;
  /// Whether one of the wishes that are due could be offered in a session.
  bool wantsSession() const;
  /// Whether something is under way for which the session has to stay.
  bool needsSession() const;
  /// Nothing is left of any link.
  bool isEmpty() const { return links_.empty() && goodbyes_.empty(); }

  // --- what this side wants
  /// Offers those that are wished for and not there.
  void offerWished();
  /// The other side has not heard of the session yet: its offers are said anew.
  void offerAgain();
  /// Nobody waits for what was offered any more.
  void withdraw(LinkName name, const std::string& reason);
  void close(LinkId id, const std::string& reason);
  void ownerClosed(LinkId id);
  /// The session ends, and all links with it.
  void sessionEnds(const std::string& reason);

  // --- packets of the session
  void offered(const Packet& packet);
  void answered(const Packet& packet);
  void confirmed(const Packet& packet);
  void declined(const Packet& packet);
  void closeWanted(const Packet& packet);
  void closedThere(const Packet& packet);

  // --- time
  void timer();
  std::optional<Time> due() const;
  /// This machine stood still: the silence until now says nothing.
  void forgive();

 private:
  struct Link {
    State state = State::none;
    LinkId id = 0;
    LinkRef ref{};       ///< as this side sees it
    LinkEnd end{};       ///< this side's
    unsigned tries = 0;  ///< packets sent in this state
    Time retryAt{0};
    Time answeredSince{0};
    /// An OFFER that waits until the owner has closed the end of the one before.
    std::optional<Packet> waiting{};
    Time waitingSince{0};
  };
  /// The far side has not said yet that it knows of a link's end.
  struct Goodbye {
    LinkRef ref;
    std::string reason;
    Time since;
    Time retryAt;
    unsigned tries;
  };

  // links.cpp
  Link* find(const LinkRef& ref);
  Link* find(LinkId id);
  static bool isLive(const Link& link);
  std::string name() const { return nameOf(peer_, session_->address); }
  void send(PacketKind kind, const LinkRef& ref, const std::string& text = "");
  void sendEnd(PacketKind kind, Link& link);
  /// The error's link is not there.
  base::Result<Link*> make(const LinkRef& ref, const LinkEnd* offered);
  void offer(LinkName name);
  void accept(const Packet& packet);
  void decline(const LinkRef& ref, Refusal why, const std::string& text);
  void becomeUp(Link& link);
  void replaceBy(const Packet& packet, Link& link);

  // links_ending.cpp
  void notThere(const LinkRef& ref);
  void takeDown(Link& link, const std::string& reason, bool tellFar);
  void sayGoodbye(const LinkRef& ref, const std::string& reason);
  void takeWaiting(const Packet& packet, Time since);
  void linkTimer(Link& link);
  void goodbyeTimer();

  OwnNode& own_;
  const NodeId peer_;
  std::optional<Session>& session_;
  Wishes& wishes_;
  std::map<LinkName, Link> links_;
  std::vector<Goodbye> goodbyes_;
};

}  // namespace verbena::connect
