// SPDX-License-Identifier: Apache-2.0
//
// While a connection is up: who is not heard is asked, who does not answer is gone. Both sides do
// this, so one that only receives notices, too.
#include <algorithm>

#include "connect/peer.h"

namespace verbena::connect {
namespace {

/// A PING that is not answered is repeated so often within a heartbeat: loss must not look like
/// death.
constexpr int kPingsPerHeartbeat = 4;

}  // namespace

/// Whether it is news: a packet that was recorded earlier shows no life.
bool Peer::heard(const Packet& packet) {
  if (packet.counter <= connection_.heard) {
    ++own_.counts.rejectedStale;
    return false;
  }
  connection_.heard = packet.counter;
  connection_.heardAt = own_.now;
  tries_ = 0;
  if (!contestedUntil_) return true;
  contestedUntil_.reset();
  ++own_.counts.rejectedIdentity;
  own_.refuse(waiting_->from, waiting_->packet, Refusal::identity,
              nameOf(id_) + " is another one, alive at " + connection_.address.text());
  waiting_.reset();
  return true;
}

void Peer::pinged(const Packet& packet, const Address& from) {
  if (!isCurrent(packet)) return notThere(packet, from);
  if (state_ == State::offer) return;  // its ANSWER is on the way, or lost and repeated
  heard(packet);
  if (state_ == State::answered) becomeUp();  // who pings is up: its CONFIRM was lost
  sendOnConnection(PacketKind::pong);
}

void Peer::ponged(const Packet& packet) {
  if (state_ == State::up && isCurrent(packet)) {
    heard(packet);
  } else {
    ++own_.counts.rejectedStale;
  }
}

void Peer::closed(const Packet& packet) {
  bool ofThis = packet.dialler == connection_.dialler && packet.accepter == connection_.accepter;
  // Its incarnation may be a new one: a restarted node says that it does not know the connection.
  if (!ofThis || state_ == State::hello || state_ == State::closing) {
    ++own_.counts.rejectedStale;
    return;
  }
  takeDown(nameOf(id_) + " closed: " + packet.text, false);
}

/// A new life of the peer dials from elsewhere. If the present one answers, the other is a
/// stranger.
void Peer::contest() {
  if (contestedUntil_) return;
  contestedUntil_ = own_.now + own_.options.deadAfter / 2;
  tries_ = 0;
  contestTimer();
}

void Peer::contestTimer() {
  if (own_.now >= *contestedUntil_) {
    return takeDown(
        "another life of " + whereabouts(waiting_->from) + " dials, and this one does not answer",
        true);
  }
  sendOnConnection(state_ == State::up ? PacketKind::ping : PacketKind::answer);
  if (tries_ > 0) ++own_.counts.packetsRepeated;
  retryAfter(tries_++);
}

void Peer::upTimer() {
  Time silentSince = connection_.heardAt;
  if (own_.now >= silentSince + own_.options.deadAfter) {
    setReachable(false);
    auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(own_.now - silentSince);
    return takeDown(
        "nothing heard of " + nameOf(id_) + " for " + std::to_string(silence.count()) + " ms",
        true);
  }
  if (contestedUntil_) return contestTimer();
  if (own_.now < silentSince + own_.options.heartbeat) {
    retryAt_ = silentSince + own_.options.heartbeat;
    return;
  }
  sendOnConnection(PacketKind::ping);
  if (tries_++ > 0) ++own_.counts.packetsRepeated;
  retryAt_ = std::min(own_.now + own_.options.heartbeat / kPingsPerHeartbeat,
                      silentSince + own_.options.deadAfter);
}

}  // namespace verbena::connect
