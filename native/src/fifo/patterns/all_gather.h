// SPDX-License-Identifier: Apache-2.0
//
// Each of several participants gives a message and gets those of all.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fifo/patterns/broadcast.h"
#include "fifo/patterns/gather.h"

namespace verbena::fifo {

/// Participants are counted from 0, in the same order everywhere. What comes is taken while room is
/// awaited, so messages may be larger than the rings.
///
/// Used by one thread at a time.
class AllGather {
 public:
  /// Ends to and from the others, in their order, for the participant `self`.
  /// Throws std::invalid_argument if there is no other one, or the ends do not fit each other.
  AllGather(size_t self, std::vector<std::unique_ptr<Writer>> writers,
            std::vector<std::unique_ptr<Reader>> readers);

  size_t size() const { return gather_.size() + 1; }
  /// The participant that the last outcome is about, if that was lost or tooLarge.
  size_t from() const { return from_; }
  /// Whether a participant has neither ended nor is lost. One that is not open gives nothing.
  bool isOpen(size_t participant) const {
    return participant == self_ || gather_.isOpen(placeOf(participant));
  }

  /// Why another participant is lost, if it is.
  std::string lostBecause(size_t participant);

  /// Gives the own message to all, and copies participant i's into all[i], the own one, too.
  /// wouldBlock: not all are here within the time; the round goes on, call again with the same.
  /// tooLarge: from()'s is larger than its place; call again with a larger one. lost: from() is
  /// gone, which is told once; call again, for the others. ended: all others have ended, or are
  /// lost. Throws std::invalid_argument if there are not as many places as participants, or the own
  /// message is another one than the round began with.
  Outcome exchange(Pushing& own, std::span<Popping> all);
  Outcome exchange(Pushing& own, std::span<Popping> all, std::chrono::nanoseconds timeout);
  /// Ends the own stream, and waits until the others have ended theirs; what they give until then
  /// is dropped, a round that was begun, too. Nobody hears of a loss for having been later than
  /// another one. Throws std::invalid_argument if the own message is written in part: exchange it
  /// to its end, or let go of this participant, which is a loss to the others.
  Outcome close(std::chrono::nanoseconds timeout);

 private:
  size_t placeOf(size_t participant) const { return participant - (participant > self_ ? 1 : 0); }
  size_t participantAt(size_t place) const { return place + (place >= self_ ? 1 : 0); }
  Outcome give(Pushing& own);
  Outcome take(std::span<Popping> all);
  Outcome finish();
  bool isNews(size_t place);
  Outcome about(size_t place, Outcome said);

  const size_t self_;
  Broadcast broadcast_;
  Gather gather_;
  std::vector<Popping> others_;
  std::vector<bool> told_;  // that they are lost
  size_t from_ = 0;
  bool isGiven_ = false;
  bool isTaken_ = false;
};

}  // namespace verbena::fifo
