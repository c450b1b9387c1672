// SPDX-License-Identifier: Apache-2.0
#include "connect/peer.h"

#include <algorithm>

#include "base/survive.h"

namespace verbena::connect {
namespace {

/// Of what was done with a peer that numbers itself. A far side that still believes in a session is
/// told why it ended, and no nonce is good any more: an OFFER that somebody has recorded makes no
/// session once the number of those that there were is forgotten.
constexpr Time kRemembered = std::chrono::seconds(30);
static_assert(kRemembered > Challenges::kLongestValid);

}  // namespace

Peer::State Peer::state() const {
  if (session_) return session_->open ? State::open : State::opening;
  return dial_ ? State::hello : State::idle;
}

// ---------------------------------------------------------------- jobs

void Peer::forget(const std::string& why) {
  std::string reason = why.empty() ? nameOf(id_) + " was removed" : why;
  removedFor_ = why;
  addresses_.clear();
  learned_.reset();
  lookedUp_ = false;
  probe_.reset();
  setReachable(false);
  wishes_.failAll(Refusal::local, reason);
  dial_.reset();
  endSession(reason, true);
}

void Peer::shutDown() {
  std::string reason;
  base::survive([&] { reason = nameOf(own_.options.self) + " closes"; });
  wishes_.failAll(Refusal::closing, reason);
  dial_.reset();
  endSession(reason, true);
}

// ---------------------------------------------------------------- packets

void Peer::inSession(const Packet& packet, const Address& from) {
  adopt(packet);
  if (!session_ || !session_->isOf(packet)) return foreign(packet, from);
  heard(packet);
  switch (packet.kind) {
    case PacketKind::answer: return links_.answered(packet);
    case PacketKind::confirm: return links_.confirmed(packet);
    case PacketKind::decline: return links_.declined(packet);
    case PacketKind::close: return links_.closeWanted(packet);
    case PacketKind::closed: return links_.closedThere(packet);
    case PacketKind::ping: return own_.send(session_->address, session_->make(PacketKind::pong));
    case PacketKind::pong:
    case PacketKind::hello:
    case PacketKind::challenge:
    case PacketKind::offer:
    case PacketKind::refuse:
    case PacketKind::end: return;
  }
}

/// Answers a packet of a session that this side does not have. The answer is not answered.
void Peer::foreign(const Packet& packet, const Address& from) {
  ++own_.counts.rejectedStale;
  bool isAnswer = packet.kind == PacketKind::pong || packet.kind == PacketKind::closed;
  if (isAnswer) return;
  Packet answer = own_.answerTo(packet, PacketKind::end);
  bool isLast = packet.dialler == ended_.dialler && packet.accepter == ended_.accepter;
  answer.text = isLast ? ended_.reason : "no such session";
  own_.send(from, answer);
}

/// Its incarnation may be a new one: a restarted node says that it does not know the session.
void Peer::ended(const Packet& packet) {
  if (session_ && session_->isNamedIn(packet)) {
    endSession(nameOf(id_) + " closed: " + packet.text, false);
  } else {
    ++own_.counts.rejectedStale;
  }
}

// ---------------------------------------------------------------- the end of a session

void Peer::endSession(const std::string& reason, bool tellFar) {
  if (!session_) return;
  if (tellFar) {
    base::survive([&] {
      Packet packet = session_->make(PacketKind::end);
      packet.text = reason;
      own_.send(session_->address, packet);
    });
  }
  links_.sessionEnds(reason);
  forgetSession(reason);
}

void Peer::forgetSession(const std::string& reason) {
  base::survive([&] { ended_ = {session_->dialler, session_->accepter, reason}; });
  session_.reset();
  contest_.reset();
  probeAt_ = own_.now;
  idleSince_ = own_.now;
}

/// What is wished for is tried; a session that no link needs is forgotten, on both sides alike.
void Peer::settle() {
  if (session_ && !own_.closing) links_.offerWished();
  if (session_ && !links_.needsSession()) forgetSession("its last link was closed");
  if (!session_ && !dial_ && links_.wantsSession()) beginHello();
  std::optional<Time> at = due();
  if (at) {
    own_.timers.set(id_, *at);
  } else {
    own_.timers.clear(id_);
  }
}

void Peer::setReachable(bool answers) {
  probesUnanswered_ = 0;
  if (reachable_ == answers) return;
  reachable_ = answers;
  own_.observer.reachable(id_, answers);
}

// ---------------------------------------------------------------- time

void Peer::forgive() {
  links_.forgive();
  if (session_) {
    session_->heardAt = std::max(session_->heardAt, own_.now - own_.options.heartbeat);
  }
  if (contest_) contest_->until = own_.now + own_.options.deadAfter / 2;
}

void Peer::timer() {
  expireWishes();
  if (dial_ && own_.now >= dial_->retryAt) helloTimer();
  if (session_) links_.timer();
  if (contest_) contestTimer();
  if (session_ && session_->open) silenceTimer();
  if (!session_ && !dial_ && wishes_.empty()) probe();
}

/// When the next wish is tried that nothing is done about.
Time Peer::pursuedAt() const {
  Time at = Time::max();
  for (auto& [name, wish] : wishes_.all()) {
    if (links_.stateOf(name) == Links::State::none) at = std::min(at, wish.notBefore);
  }
  return at;
}

bool Peer::isIdle() const {
  return !session_ && !dial_ && wishes_.empty() && links_.isEmpty();
}

bool Peer::mayBeForgotten() const {
  return id_ > kMostGiven && addresses_.empty() && !lookedUp_ && isIdle();
}

Time Peer::forgottenAt() const {
  return idleSince_ + std::max(kRemembered, own_.options.deadAfter);
}

bool Peer::isForgettable() const {
  return mayBeForgotten() && own_.now >= forgottenAt();
}

std::optional<Time> Peer::due() const {
  Time at = wishes_.deadline();
  bool probes = own_.options.discovery.count() > 0 && !addresses_.empty();
  if (dial_) at = std::min(at, dial_->retryAt);
  if (!dial_) at = std::min(at, pursuedAt());
  if (session_) at = std::min(at, links_.due().value_or(Time::max()));
  if (session_ && session_->open) at = std::min(at, pingAt_);
  if (contest_) at = std::min({at, contest_->until, contest_->retryAt});
  if (!session_ && !dial_ && wishes_.empty() && probes) at = std::min(at, probeAt_);
  if (mayBeForgotten()) at = std::min(at, forgottenAt());
  if (at == Time::max()) return std::nullopt;
  return at;
}

}  // namespace verbena::connect
