// SPDX-License-Identifier: Apache-2.0
//
// While a session is open: who is not heard is asked, who does not answer is gone. Both sides do
// this, so one that only receives notices, too.
#include <algorithm>

#include "connect/peer.h"

namespace verbena::connect {
namespace {

/// A PING that is not answered is repeated so often within a heartbeat: loss must not look like
/// death.
constexpr int kPingsPerHeartbeat = 4;

}  // namespace

/// A packet that was recorded earlier shows no life.
void Peer::heard(const Packet& packet) {
  if (packet.counter <= session_->heard) {
    ++own_.counts.rejectedStale;
    return;
  }
  session_->heard = packet.counter;
  session_->heardAt = own_.now;
  pingAt_ = own_.now + own_.options.heartbeat;
  pings_ = 0;
  setReachable(true);
  if (!session_->open) generation_++;
  session_->open = true;
  if (!contest_) return;
  ++own_.counts.rejectedIdentity;
  own_.refuse(contest_->from, contest_->packet, Refusal::identity,
              nameOf(id_) + " is another one, alive at " + session_->address.text());
  contest_.reset();
}

void Peer::contestTimer() {
  if (own_.now >= contest_->until) {
    Contest won = *contest_;
    endSession("another life of " + nameOf(id_, won.from) + " dials, and this one does not answer",
               true);
    return accept(won.packet, won.from);
  }
  if (own_.now < contest_->retryAt) return;
  own_.send(session_->address, session_->make(PacketKind::ping));
  if (contest_->tries > 0) ++own_.counts.packetsRepeated;
  contest_->retryAt = own_.now + own_.backOff(contest_->tries++);
}

void Peer::silenceTimer() {
  Time silentSince = session_->heardAt;
  if (own_.now >= silentSince + own_.options.deadAfter) {
    setReachable(false);
    auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(own_.now - silentSince);
    return endSession(
        "nothing heard of " + nameOf(id_) + " for " + std::to_string(silence.count()) + " ms",
        true);
  }
  if (own_.now < pingAt_) return;
  own_.send(session_->address, session_->make(PacketKind::ping));
  if (pings_++ > 0) ++own_.counts.packetsRepeated;
  pingAt_ = std::min(own_.now + own_.options.heartbeat / kPingsPerHeartbeat,
                     silentSince + own_.options.deadAfter);
}

}  // namespace verbena::connect
