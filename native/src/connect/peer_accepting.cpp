// SPDX-License-Identifier: Apache-2.0
//
// The side that is dialled: ANSWER until a CONFIRM comes. Nothing is remembered before an OFFER has
// shown this side's nonce.
#include "connect/peer.h"

namespace verbena::connect {

Asked Peer::asked(const Packet& question, const Address& from) const {
  return {from, question.source, question.sourceIncarnation, question.dialler, generation_};
}

Nonce Peer::nonceFor(const Packet& question, const Address& from) const {
  bool accepted = (state_ == State::answered || state_ == State::up) && !connection_.dialled;
  if (accepted && question.dialler == connection_.dialler) return connection_.accepter;
  return own_.challenges.nonce(asked(question, from), own_.now);
}

void Peer::offered(const Packet& packet, const Address& from) {
  if (isCurrent(packet)) {
    if (state_ != State::answered) return;  // late: it has confirmed since
    sendOnConnection(PacketKind::answer);
    ++own_.counts.packetsRepeated;
    return;
  }
  if (!own_.challenges.valid(packet.accepter, asked(packet, from), own_.now)) {
    ++own_.counts.rejectedStale;
    Packet challenge = own_.answerTo(packet, PacketKind::challenge);
    challenge.accepter = nonceFor(packet, from);
    return own_.send(from, challenge);
  }
  if (own_.closing) {
    return own_.refuse(from, packet, Refusal::closing, nameOf(own_.options.self) + " closes");
  }
  if (goesFirst()) {
    return own_.refuse(from, packet, Refusal::crossed,
                       nameOf(own_.options.self) + " dials, too, and goes first");
  }
  if (state_ == State::idle || state_ == State::hello) return accept({packet, from, own_.now});
  replaceBy(packet, from);
}

/// What is there has to go first, or to prove that it still lives.
void Peer::replaceBy(const Packet& packet, const Address& from) {
  waiting_ = {packet, from, own_.now};
  if (state_ == State::closing) return;
  if (state_ == State::offer) return takeDown("the other side's dial goes first", false);
  bool sameLife = packet.sourceIncarnation == connection_.incarnation;
  if (sameLife) return takeDown(nameOf(id_) + " has lost its end and dials anew", false);
  if (from == connection_.address) return takeDown(nameOf(id_) + " was restarted", false);
  contest();
}

void Peer::accept(const Waiting& offer) {
  const Packet& packet = offer.packet;
  connection_ = {};
  connection_.id = own_.newConnection(id_);
  connection_.dialler = packet.dialler;
  connection_.accepter = packet.accepter;
  connection_.incarnation = packet.sourceIncarnation;
  connection_.address = offer.from;
  connection_.heard = packet.counter;
  base::Result<QueuePairEnd> made = own_.queuePairs.create(connection_.id, id_);
  if (!made) {
    own_.forgetConnection(connection_.id);
    own_.refuse(offer.from, packet, Refusal::closing, made.error().sentence());
    state_ = State::idle;
    if (wish_) beginAgain();
    return;
  }
  connection_.end = *made;
  state_ = State::answered;
  if (packet.end.engineVersion != made->engineVersion) {
    std::string text = nameOf(own_.options.self) + " speaks engine version " +
                       std::to_string(made->engineVersion) + ", " + nameOf(id_) + " version " +
                       std::to_string(packet.end.engineVersion);
    own_.refuse(offer.from, packet, Refusal::protocol, text);
    return takeDown(text, false);
  }
  base::Result<void> connected = own_.queuePairs.connect(connection_.id, packet.end);
  if (!connected) {
    own_.refuse(offer.from, packet, Refusal::closing, connected.error().sentence());
    return takeDown(connected.error().sentence(), false);
  }
  generation_++;
  learned_ = offer.from;
  answeredSince_ = connection_.heardAt = own_.now;
  tries_ = 0;
  sendOnConnection(PacketKind::answer);
  retryAfter(tries_++);
}

void Peer::confirmed(const Packet& packet, const Address& from) {
  if (!isCurrent(packet)) return notThere(packet, from);
  heard(packet);
  if (state_ == State::answered) becomeUp();
}

void Peer::answeredTimer() {
  if (own_.now >= answeredSince_ + own_.options.deadAfter) {
    return takeDown(nameOf(id_) + " dialled, but did not confirm", true);
  }
  if (contestedUntil_) return contestTimer();
  if (own_.now < retryAt_) return;
  sendOnConnection(PacketKind::answer);
  ++own_.counts.packetsRepeated;
  retryAfter(tries_++);
}

}  // namespace verbena::connect
