// SPDX-License-Identifier: Apache-2.0
#include "connect/exchange.h"

#include <algorithm>

#include "base/survive.h"

namespace verbena::connect {

Exchange::Exchange(const ManagerOptions& options, Outside& outside, QueuePairs& queuePairs,
                   Observer& observer, Counts& counts)
    : own_(options, outside, queuePairs, observer, counts) {}

Exchange::~Exchange() = default;

Peer& Exchange::peer(NodeId id) {
  std::unique_ptr<Peer>& entry = peers_[id];
  if (!entry) entry = std::make_unique<Peer>(own_, id);
  return *entry;
}

Peer* Exchange::known(NodeId id) {
  auto found = peers_.find(id);
  return found == peers_.end() ? nullptr : found->second.get();
}

Peer::State Exchange::stateOf(NodeId id) const {
  auto found = peers_.find(id);
  return found == peers_.end() ? Peer::State::idle : found->second->state();
}

void Exchange::addPeer(Time now, NodeId id, std::vector<Address> addresses) {
  own_.now = now;
  if (id == own_.options.self) return;
  peer(id).setAddresses(std::move(addresses));
  peer(id).reschedule();
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
  found->reschedule();
}

void Exchange::removePeer(Time now, NodeId id) {
  own_.now = now;
  Peer* found = known(id);
  if (found == nullptr) return;
  found->forget();
  found->reschedule();
}

void Exchange::dial(Time now, NodeId id, Time timeout) {
  own_.now = now;
  if (id == own_.options.self) {
    own_.observer.dialFailed(id, Refusal::local, nameOf(id) + " is this node itself");
    return;
  }
  peer(id).dial(timeout < Time::max() - now ? now + timeout : Time::max());
  peer(id).reschedule();
}

void Exchange::close(Time now, ConnectionId id, const std::string& reason) {
  own_.now = now;
  std::optional<NodeId> of = own_.peerOf(id);
  if (!of) return;
  peer(*of).takeDown(reason, true);
  peer(*of).reschedule();
}

void Exchange::closed(Time now, ConnectionId id) {
  own_.now = now;
  std::optional<NodeId> of = own_.peerOf(id);
  if (!of) return;
  peer(*of).ownerClosed();
  peer(*of).reschedule();
}

void Exchange::shutDown(Time now) {
  own_.now = now;
  own_.closing = true;
  for (auto& each : peers_) {
    base::survive([&] { each.second->shutDown(); });
    base::survive([&] { each.second->reschedule(); });
  }
}

void Exchange::advance(Time now) {
  own_.now = now;
  std::optional<Time> earliest = own_.timers.next();
  if (!earliest || *earliest > now) return;
  if (now - *earliest > own_.options.heartbeat) {
    for (auto& [id, each] : peers_) each->forgive();
  }
  for (NodeId id : own_.timers.take(now)) {
    base::survive([&] { peer(id).timer(); });  // the others' timers were taken as well
    base::survive([&] { peer(id).reschedule(); });
  }
}

void Exchange::unreachable(Time now, const Address& address, int code) {
  own_.now = now;
  for (auto& [id, each] : peers_) {
    if (each->unreachable(address, code)) each->reschedule();
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

/// Whether a proven packet is meant for this node.
bool Exchange::admits(const Address& from, const Packet& packet) {
  if (packet.version != kExchangeVersion && packet.kind == PacketKind::hello) {
    refuseCounted(from, packet, Refusal::protocol,
                  nameOf(own_.options.self) + " speaks version " +
                      std::to_string(kExchangeVersion) + " of the exchange, " +
                      nameOf(packet.source) + " version " + std::to_string(packet.version));
    return false;
  }
  if (packet.cluster != own_.cluster) {
    refuseCounted(from, packet, Refusal::identity, ofAnotherCluster(packet));
    return false;
  }
  if (packet.destination != own_.options.self) {
    refuseCounted(from, packet, Refusal::identity,
                  "this is " + nameOf(own_.options.self) + ", not " + nameOf(packet.destination));
    return false;
  }
  if (packet.source == own_.options.self) {
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
    peer(packet.source).reschedule();
  } else {
    ++own_.counts.rejectedStale;
    hello(from, packet);  // another challenge
  }
}

/// Of a connection with an earlier life of this node, perhaps.
void Exchange::packetOfStranger(const Address& from, const Packet& packet) {
  ++own_.counts.rejectedStale;
  bool answers = packet.kind == PacketKind::answer || packet.kind == PacketKind::confirm ||
                 packet.kind == PacketKind::ping;
  if (!answers) return;
  Packet answer = own_.answerTo(packet, PacketKind::close);
  answer.text = "no such connection";
  own_.send(from, answer);
}

void Exchange::dispatch(const Address& from, const Packet& packet) {
  if (packet.kind == PacketKind::hello) return hello(from, packet);
  Peer* found = known(packet.source);
  if (found == nullptr && packet.kind == PacketKind::offer) return offerOfStranger(from, packet);
  if (found == nullptr) return packetOfStranger(from, packet);
  switch (packet.kind) {
    case PacketKind::hello: break;
    case PacketKind::challenge: found->challenged(packet, from); break;
    case PacketKind::offer: found->offered(packet, from); break;
    case PacketKind::answer: found->answered(packet, from); break;
    case PacketKind::confirm: found->confirmed(packet, from); break;
    case PacketKind::refuse: found->refused(packet); break;
    case PacketKind::close: found->closed(packet); break;
    case PacketKind::ping: found->pinged(packet, from); break;
    case PacketKind::pong: found->ponged(packet); break;
  }
  found->reschedule();
}

}  // namespace verbena::connect
