// SPDX-License-Identifier: Apache-2.0
#include "connect/peer.h"

#include <algorithm>

#include "base/survive.h"

namespace verbena::connect {

Packet Peer::make(PacketKind kind) {
  Packet packet;
  packet.kind = kind;
  packet.source = own_.options.self;
  packet.destination = id_;
  packet.sourceIncarnation = own_.options.incarnation;
  packet.destinationIncarnation = connection_.incarnation;
  packet.cluster = own_.cluster;
  packet.dialler = connection_.dialler;
  packet.accepter = connection_.accepter;
  packet.counter = ++connection_.said;
  return packet;
}

void Peer::sendOnConnection(PacketKind kind, const std::string& text) {
  Packet packet = make(kind);
  packet.text = text;
  if (kind == PacketKind::offer || kind == PacketKind::answer) packet.end = connection_.end;
  own_.send(connection_.address, packet);
}

bool Peer::isCurrent(const Packet& packet) const {
  bool connected = state_ == State::offer || state_ == State::answered || state_ == State::up;
  return connected && packet.dialler == connection_.dialler &&
         packet.accepter == connection_.accepter &&
         packet.sourceIncarnation == connection_.incarnation;
}

/// Answers a packet of a connection that this side does not have. The answer is not answered.
void Peer::notThere(const Packet& packet, const Address& from) {
  ++own_.counts.rejectedStale;
  Packet answer = own_.answerTo(packet, PacketKind::close);
  bool known = packet.dialler == ended_.dialler && packet.accepter == ended_.accepter;
  answer.text = known ? ended_.reason : "no such connection";
  own_.send(from, answer);
}

std::string Peer::whereabouts(const Address& address) const {
  return nameOf(id_) + " at " + address.text();
}

void Peer::becomeUp() {
  own_.queuePairs.ready(connection_.id);
  state_ = State::up;
  connection_.heardAt = own_.now;
  retryAt_ = own_.now + own_.options.heartbeat;
  tries_ = 0;
  wish_.reset();
  probe_.reset();
  ++own_.counts.connectionsMade;
  setReachable(true);
  own_.observer.up(connection_.id, id_, connection_.incarnation, connection_.dialled,
                   connection_.address.text());
}

void Peer::setReachable(bool answers) {
  probesUnanswered_ = 0;
  if (reachable_ == answers) return;
  reachable_ = answers;
  own_.observer.reachable(id_, answers);
}

void Peer::takeDown(const std::string& reason, bool tellFar) {
  if (state_ != State::offer && state_ != State::answered && state_ != State::up) return;
  if (tellFar) base::survive([&] { sendOnConnection(PacketKind::close, reason); });
  bool wasUp = state_ == State::up;
  state_ = State::closing;
  contestedUntil_.reset();
  base::survive([&] { ended_ = {connection_.dialler, connection_.accepter, reason}; });
  if (wasUp) {
    ++own_.counts.connectionsLost;
    probeAt_ = own_.now;
    base::survive([&] { own_.observer.down(connection_.id, id_, reason); });
  }
  own_.queuePairs.close(connection_.id, reason);  // whatever failed: its end is what all wait for
}

void Peer::ownerClosed() {
  if (state_ != State::closing) return;  // of a connection that was not to be closed: not ours
  own_.forgetConnection(connection_.id);
  base::survive([&] { own_.observer.gone(connection_.id, id_); });
  connection_ = {};
  state_ = State::idle;
  std::optional<Waiting> waiting = std::move(waiting_);
  waiting_.reset();
  if (waiting && own_.closing) {
    own_.refuse(waiting->from, waiting->packet, Refusal::closing,
                nameOf(own_.options.self) + " closes");
  } else if (waiting && own_.now - waiting->since < own_.options.deadAfter) {
    accept(*waiting);
  } else if (wish_) {
    beginAgain();
  }
}

void Peer::forget() {
  addresses_.clear();
  learned_.reset();
  lookedUp_ = false;
  probe_.reset();
  waiting_.reset();
  setReachable(false);
  std::string reason = nameOf(id_) + " was removed";
  if (wish_) failDial(Refusal::local, reason);
  takeDown(reason, true);
}

void Peer::shutDown() {
  std::string reason;
  base::survive([&] { reason = nameOf(own_.options.self) + " closes"; });
  if (wish_) base::survive([&] { failDial(Refusal::closing, reason); });
  takeDown(reason, true);
}

void Peer::forgive() {
  Time since = own_.now - own_.options.heartbeat;
  connection_.heardAt = std::max(connection_.heardAt, since);
  answeredSince_ = std::max(answeredSince_, since);
  if (contestedUntil_) contestedUntil_ = own_.now + own_.options.deadAfter / 2;
}

void Peer::timer() {
  if (wish_ && own_.now >= wish_->deadline) failDial(Refusal::timeout, timeoutText());
  bool retryDue = own_.now >= retryAt_;
  switch (state_) {
    case State::idle:
      if (wish_ && retryDue) beginHello();
      if (!wish_) probe();
      break;
    case State::hello:
      if (retryDue) helloTimer();
      break;
    case State::offer:
      if (retryDue) sendOffer();
      break;
    case State::answered: answeredTimer(); break;
    case State::up: upTimer(); break;
    case State::closing: break;
  }
}

std::optional<Time> Peer::due() const {
  Time never = Time::max();
  Time at = wish_ ? wish_->deadline : never;
  bool probes = own_.options.discovery.count() > 0 && !wish_ && !addresses_.empty();
  switch (state_) {
    case State::idle: at = std::min(at, wish_ ? retryAt_ : probes ? probeAt_ : never); break;
    case State::hello:
    case State::offer:
    case State::up: at = std::min(at, retryAt_); break;
    case State::answered:
      at = std::min({at, retryAt_, answeredSince_ + own_.options.deadAfter});
      break;
    case State::closing: break;
  }
  if (contestedUntil_) at = std::min(at, *contestedUntil_);
  if (at == never) return std::nullopt;
  return at;
}

void Peer::reschedule() {
  std::optional<Time> at = due();
  if (at) {
    own_.timers.set(id_, *at);
  } else {
    own_.timers.clear(id_);
  }
}

}  // namespace verbena::connect
