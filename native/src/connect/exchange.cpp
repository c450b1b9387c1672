// SPDX-License-Identifier: Apache-2.0
#include "connect/exchange.h"

#include <algorithm>

#include "base/survive.h"

namespace verbena::connect {

Exchange::Exchange(const ManagerOptions& options, Outside& outside, LinkOwner& owner,
                   Observer& observer, Counts& counts)
    : own_(options, outside, owner, observer, counts) {}

Exchange::~Exchange() = default;

Peer& Exchange::peer(NodeId id) {
  std::unique_ptr<Peer>& entry = peers_[id];
  if (!entry) entry = std::make_unique<Peer>(own_, id);
  return *entry;
}

Peer* Exchange::known(NodeId id) const {
  auto found = peers_.find(id);
  return found == peers_.end() ? nullptr : found->second.get();
}

Peer::State Exchange::stateOf(NodeId id) const {
  Peer* found = known(id);
  return found == nullptr ? Peer::State::idle : found->state();
}

Links::State Exchange::stateOf(NodeId id, LinkName name) const {
  Peer* found = known(id);
  return found == nullptr ? Links::State::none : found->stateOf(name);
}

void Exchange::addPeer(Time now, NodeId id, std::vector<Address> addresses) {
  own_.now = now;
  if (id == own_.options.self) return;
  peer(id).setAddresses(std::move(addresses));
  peer(id).settle();
}

void Exchange::found(Time now, const Found& node) {
  if (node.node <= kMostGiven) return addPeer(now, node.node, {node.address});
  own_.now = now;
  peer(node.node).foundAt(node.address);
  peer(node.node).settle();
}

void Exchange::lookUpBegins(Time now, NodeId id) {
  own_.now = now;
  if (id != own_.options.self) peer(id).lookUpBegins();
}

void Exchange::lookUpFailed(Time now, NodeId id, const std::string& text) {
  own_.now = now;
  Peer* found = known(id);
  if (found == nullptr) return;
  found->lookUpFailed(text);
  found->settle();
}

void Exchange::removePeer(Time now, NodeId id, const std::string& reason) {
  own_.now = now;
  // A node of a given number that was removed for a reason is dialled in vain for that reason.
  Peer* found = reason.empty() || id > kMostGiven ? known(id) : &peer(id);
  if (found == nullptr) return;
  found->forget(reason);
  found->settle();
}

void Exchange::dial(Time now, NodeId id, LinkName name, Time timeout) {
  own_.now = now;
  if (id == own_.options.self) {
    own_.observer.dialFailed(id, name, Refusal::local, nameOf(id) + " is this node itself");
    return;
  }
  peer(id).dial(name, after(timeout));
  peer(id).settle();
}

void Exchange::ask(Time now, std::vector<Address> addresses, Time timeout, FoundOrNot tell) {
  own_.now = now;
  questions_.ask(std::move(addresses), after(timeout), std::move(tell));
}

Time Exchange::after(Time timeout) const {
  return timeout < Time::max() - own_.now ? own_.now + timeout : Time::max();
}

void Exchange::close(Time now, LinkId id, const std::string& reason) {
  own_.now = now;
  std::optional<NodeId> of = own_.peerOf(id);
  if (!of) return;
  peer(*of).close(id, reason);
  peer(*of).settle();
}

void Exchange::closed(Time now, LinkId id) {
  own_.now = now;
  std::optional<NodeId> of = own_.peerOf(id);
  if (!of) return;
  peer(*of).ownerClosed(id);
  peer(*of).settle();
}

void Exchange::shutDown(Time now) {
  own_.now = now;
  own_.closing = true;
  questions_.shutDown();
  for (auto& each : peers_) {
    base::survive([&] { each.second->shutDown(); });
    base::survive([&] { each.second->settle(); });
  }
}

std::optional<Time> Exchange::nextTimer() const {
  std::optional<Time> ofPeers = own_.timers.next();
  std::optional<Time> ofQuestions = questions_.next();
  if (!ofPeers || !ofQuestions) return ofPeers ? ofPeers : ofQuestions;
  return std::min(*ofPeers, *ofQuestions);
}

void Exchange::advance(Time now) {
  own_.now = now;
  base::survive([this] { questions_.timer(); });  // the peers have theirs
  advancePeers();
}

void Exchange::advancePeers() {
  std::optional<Time> earliest = own_.timers.next();
  if (!earliest || *earliest > own_.now) return;
  if (own_.now - *earliest > own_.options.heartbeat) {
    for (auto& [id, each] : peers_) each->forgive();
  }
  for (NodeId id : own_.timers.take(own_.now)) {
    base::survive([&] { advancePeer(id); });  // the others' timers were taken as well
  }
}

void Exchange::advancePeer(NodeId id) {
  Peer& each = peer(id);
  base::survive([&] { each.timer(); });
  each.settle();
  if (!each.isForgettable()) return;
  own_.timers.clear(id);
  peers_.erase(id);
}

void Exchange::unreachable(Time now, const Address& address, int code) {
  own_.now = now;
  questions_.unreachable(address, code);
  for (auto& [id, each] : peers_) {
    if (each->unreachable(address, code)) each->settle();
  }
}

void Exchange::receive(Time now, const Address& from, std::span<const std::byte> datagram) {
  own_.now = now;
  ++own_.counts.packetsReceived;
  Received received = decode(datagram, own_.key);
  if (received.verdict == Received::Verdict::length) {
    ++own_.counts.rejectedLength;
  } else if (received.verdict == Received::Verdict::protocol) {
    ++own_.counts.rejectedProtocol;
  } else if (!received.proved) {
    unproved(from, received);
  } else if (admits(from, received.packet)) {
    dispatch(from, received.packet);
  }
}

void Exchange::refuseCounted(const Address& to, const Packet& question, Refusal why,
                             const std::string& text) {
  ++(why == Refusal::protocol ? own_.counts.rejectedProtocol : own_.counts.rejectedIdentity);
  if (question.kind == PacketKind::hello) own_.refuse(to, question, why, text);
}

/// A HELLO is told so, as its sender may only be badly configured; it cannot check that answer, and
/// treats it as a hint.
void Exchange::unproved(const Address& from, const Received& received) {
  ++own_.counts.rejectedKey;
  const Packet& packet = received.packet;
  Peer* peerOfIt = known(packet.source);
  if (packet.kind == PacketKind::refuse && packet.destination == own_.options.self && peerOfIt) {
    peerOfIt->refusedUnproved(packet);
  }
  if (packet.kind == PacketKind::refuse) questions_.refusedUnproved(packet);
  if (packet.kind != PacketKind::hello) return;
  std::string self = nameOf(own_.options.self);
  std::string dialler = nameOf(packet.source);
  std::string text = !own_.key ? dialler + " has a cluster key, " + self + " has none"
                     : received.hasNoProof
                         ? self + " has a cluster key, " + dialler + " has none"
                         : self + " and " + dialler + " have different cluster keys";
  Packet refusal = own_.answerTo(packet, PacketKind::refuse);
  refusal.reason = Refusal::key;
  refusal.text = text;
  own_.sendUnproved(from, refusal);
}

/// Who has not proved the cluster's key is a stranger, and hears of no cluster but its own. Where
/// there is no key everybody is one.
std::string Exchange::ofAnotherCluster(const Packet& packet) const {
  std::string theirs = nameOf(packet.source) + " is of cluster '" + packet.text + "', ";
  std::string self = nameOf(own_.options.self);
  return theirs + self + (own_.key ? " of '" + own_.options.cluster + "'" : " of another");
}

bool Exchange::speaksOurVersion(const Address& from, const Packet& packet) {
  if (kVersions.common(packet.versions)) return true;
  refuseCounted(from, packet, Refusal::protocol,
                nameOf(own_.options.self) + " speaks " + kVersions.text() + " of the exchange, " +
                    nameOf(packet.source) + " " + packet.versions.text());
  return false;
}

/// Whether a proven packet is meant for this node.
bool Exchange::admits(const Address& from, const Packet& packet) {
  if (packet.kind == PacketKind::hello && !speaksOurVersion(from, packet)) return false;
  if (packet.cluster != own_.cluster) {
    refuseCounted(from, packet, Refusal::identity, ofAnotherCluster(packet));
    return false;
  }
  if (packet.destination != own_.options.self && packet.destination != kAnyNode) {
    refuseCounted(from, packet, Refusal::identity,
                  "this is " + nameOf(own_.options.self) + ", not " + nameOf(packet.destination));
    return false;
  }
  if (packet.source == own_.options.self) {
    bool isOwn = packet.sourceIncarnation == own_.options.incarnation;
    if (isOwn && questions_.heardOwn(packet)) return false;
    refuseCounted(from, packet, Refusal::identity,
                  "both nodes have the id " + std::to_string(own_.options.self));
    return false;
  }
  return true;
}

/// Makes and changes no state: a HELLO may be a recorded one.
void Exchange::hello(const Address& from, const Packet& packet) {
  std::string self = nameOf(own_.options.self);
  if (own_.closing) return own_.refuse(from, packet, Refusal::closing, self + " closes");
  Peer* peerOfIt = known(packet.source);
  if (peerOfIt != nullptr && peerOfIt->goesFirst()) {
    return own_.refuse(from, packet, Refusal::crossed, self + " dials, too, and goes first");
  }
  Packet challenge = own_.answerTo(packet, PacketKind::challenge);
  Asked unknown{from, packet.source, packet.sourceIncarnation, packet.dialler, 0};
  challenge.accepter = peerOfIt != nullptr ? peerOfIt->nonceFor(packet, from)
                                           : own_.challenges.nonce(unknown, own_.now);
  own_.send(from, challenge);
}

/// The node is remembered only if it has shown that it is where it says.
void Exchange::offerOfStranger(const Address& from, const Packet& packet) {
  Asked asked{from, packet.source, packet.sourceIncarnation, packet.dialler, 0};
  if (own_.challenges.valid(packet.accepter, asked, own_.now)) {
    peer(packet.source).offered(packet, from);
    peer(packet.source).settle();
  } else {
    ++own_.counts.rejectedStale;
    hello(from, packet);  // another challenge
  }
}

/// Of a session with an earlier life of this node, perhaps.
void Exchange::packetOfStranger(const Address& from, const Packet& packet) {
  ++own_.counts.rejectedStale;
  bool isAnswered = packet.kind == PacketKind::answer || packet.kind == PacketKind::confirm ||
                    packet.kind == PacketKind::close || packet.kind == PacketKind::decline ||
                    packet.kind == PacketKind::ping;
  if (!isAnswered) return;
  Packet answer = own_.answerTo(packet, PacketKind::end);
  answer.text = "no such session";
  own_.send(from, answer);
}

void Exchange::dispatch(const Address& from, const Packet& packet) {
  if (packet.kind == PacketKind::hello) return hello(from, packet);
  if (questions_.heard(packet, from)) return;
  Peer* found = known(packet.source);
  if (found == nullptr && packet.kind == PacketKind::offer) return offerOfStranger(from, packet);
  if (found == nullptr) return packetOfStranger(from, packet);
  switch (packet.kind) {
    case PacketKind::challenge: found->challenged(packet, from); break;
    case PacketKind::offer: found->offered(packet, from); break;
    case PacketKind::refuse: found->refused(packet); break;
    case PacketKind::end: found->ended(packet); break;
    case PacketKind::hello:
    case PacketKind::answer:
    case PacketKind::confirm:
    case PacketKind::decline:
    case PacketKind::close:
    case PacketKind::closed:
    case PacketKind::ping:
    case PacketKind::pong: found->inSession(packet, from); break;
  }
  found->settle();
}

}  // namespace verbena::connect
