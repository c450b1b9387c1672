// SPDX-License-Identifier: Apache-2.0
//
// One queue's way to one peer: a channel, which is opened when it is first used, and opened anew
// when it is lost; and the batch that is being put together in its ring.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include <verbena/channel.hpp>

#include "counters.h"
#include "peers.h"

namespace verbena::ip {

using Clock = std::chrono::steady_clock;

class Outgoing {
 public:
  Outgoing(const Fabric& fabric, Peer& peer, uint32_t channel, uint32_t worker);

  Peer& peer() const { return peer_; }
  PeerCounters& counters() { return counters_; }
  const PeerCounters& counters() const { return counters_; }

  enum class State : uint8_t {
    closed,   ///< not used yet, or lost: open() is to be called
    opening,  ///< as long as the peer is there, it will be up in a moment
    up,
  };
  State state() const {
    if (writer_) return State::up;
    return opening_ ? State::opening : State::closed;
  }
  /// Begins to open it, unless that came to nothing a moment ago.
  void open(Clock::time_point now);
  /// Goes on with what waits for the device, and, if it is to be asked for, with the opening. True
  /// if it has come up, once.
  bool proceed(bool asksForOpening);
  /// Finds out whether its far end has gone, which nothing else tells a writer that does not write.
  void look();
  /// Whether the device has not taken all yet: proceed() is to be called soon.
  bool isDue() const { return isDue_; }
  /// Whether it was lost, or could not be opened, and why; once.
  bool wasLost() const { return !lostBecause_.empty(); }
  std::string takeLoss() { return std::exchange(lostBecause_, {}); }
  /// Of one that is up.
  std::string way() const { return writer_->way(); }
  /// For arming, if it waits for room.
  vbn_writer* writer() const { return writer_ ? writer_->get() : nullptr; }

  /// Where the next frame may be written, `most` bytes with its length; empty: no room, or it is
  /// not up.
  std::span<std::byte> place(size_t most);
  /// Whether its ring is too small for so many bytes, however empty.
  bool neverHas(size_t bytes) const { return writer_ && bytes > writer_->mostInPlace(); }
  /// The place has so many bytes of a batch.
  void fill(size_t bytes) { used_ += bytes; }
  /// Hands over what there is.
  void publish();
  /// A message of its own, behind what there is. False: no room.
  bool say(std::span<const std::byte> word);

  /// It was waited for as long as a queue waits; until it has room again nobody waits for it.
  bool isSlow() const { return isSlow_; }
  void setSlow(bool slow) { isSlow_ = slow; }

 private:
  void lose(const std::string& reason);
  void claim(size_t most);
  void nudge();
  /// Whether an end's call did its work; loses the channel with its far end.
  bool isDone(Outcome outcome);

  const Fabric& fabric_;
  Peer& peer_;
  const uint32_t channel_;
  const uint32_t worker_;
  std::optional<ChannelOpening> opening_;
  std::optional<ChannelWriter> writer_;
  Clock::time_point next_{};  // to open it
  std::chrono::milliseconds pause_;
  std::string lostBecause_;
  std::span<std::byte> claimed_;
  size_t used_ = 0;
  bool isDue_ = false;  // the device has not taken all, or a wake-up is not sent
  bool isSlow_ = false;
  PeerCounters counters_;
};

}  // namespace verbena::ip
