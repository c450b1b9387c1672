// SPDX-License-Identifier: Apache-2.0
//
// The side that is dialled. Nothing is remembered before an OFFER has shown this side's nonce.
#include "connect/peer.h"

namespace verbena::connect {

Asked Peer::asked(const Packet& question, const Address& from) const {
  return {from, question.source, question.sourceIncarnation, question.dialler, generation_};
}

Nonce Peer::nonceFor(const Packet& question, const Address& from) const {
  bool isAccepted = session_ && !session_->dialled && question.dialler == session_->dialler;
  if (isAccepted) return session_->accepter;
  return own_.challenges.nonce(asked(question, from), own_.now);
}

void Peer::offered(const Packet& packet, const Address& from) {
  if (session_ && session_->isOf(packet)) {
    heard(packet);
    return links_.offered(packet);
  }
  if (!own_.challenges.valid(packet.accepter, asked(packet, from), own_.now)) {
    bool isLast = packet.dialler == ended_.dialler && packet.accepter == ended_.accepter;
    if (isLast) return foreign(packet, from);
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
  // What is there has to give way, or to prove that it still lives.
  if (state() == State::open) {
    bool sameLife = packet.sourceIncarnation == session_->incarnation;
    if (!sameLife && from != session_->address) return contest(packet, from);
    endSession(nameOf(id_) + (sameLife ? " has lost its end and dials anew" : " was restarted"),
               false);
  } else {
    endSession("the other side's dial goes first", false);
  }
  accept(packet, from);
}

void Peer::accept(const Packet& packet, const Address& from) {
  dial_.reset();
  probe_.reset();
  session_.emplace(own_, id_);
  session_->dialler = packet.dialler;
  session_->accepter = packet.accepter;
  session_->version = packet.versions.greatest;
  session_->incarnation = packet.sourceIncarnation;
  session_->address = from;
  learned_ = from;
  heard(packet);
  links_.offered(packet);
}

/// A new life of the peer dials from elsewhere.
void Peer::contest(const Packet& packet, const Address& from) {
  if (contest_) return;
  contest_ = Contest{packet, from, own_.now + own_.options.deadAfter / 2, own_.now};
  contestTimer();
}

}  // namespace verbena::connect
