// SPDX-License-Identifier: Apache-2.0
//
// The next message of whichever writer has one. Readers are asked in turn, from the one behind that
// which was served last: nobody who writes much keeps the others waiting.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fifo/patterns/readers.h"

namespace verbena::fifo {

/// Used by one thread at a time.
class FromAny {
 public:
  /// Throws std::invalid_argument if there is no reader, or they are of several nodes.
  explicit FromAny(std::vector<std::unique_ptr<Reader>> readers) : readers_(std::move(readers)) {}

  size_t size() const { return readers_.size(); }
  Reader& reader(size_t index) { return readers_[index]; }
  Ends ends() const { return readers_.ends(); }
  /// From which reader the last outcome is.
  size_t from() const { return from_; }

  /// The next message as it lies in from()'s ring; it stays there until release(), and is shown
  /// again until then. tooLarge: it does not lie there as a whole; pop it. lost: the writer of
  /// from() is gone, which is told once, behind all that has come of it; the others go on. ended:
  /// all have ended, or are lost.
  Outcome peek(std::span<const std::byte>& message);
  Outcome peek(std::span<const std::byte>& message, std::chrono::nanoseconds timeout);
  /// Done with the message that peek() has shown last.
  void release();

  /// The length of the next message, which peek() and pop() find next.
  Outcome probe(uint64_t& bytes);
  /// Copies the next message. wouldBlock: there is none, or not all of it is here; call again with
  /// the same. tooLarge: probe() says how much it is; nothing was copied. lost, ended: as above.
  Outcome pop(Popping& message);
  Outcome pop(Popping& message, std::chrono::nanoseconds timeout);

 private:
  template <typename Look>
  Outcome next(Look look);
  void goOn() { turn_ = turn_ + 1 == size() ? 0 : turn_ + 1; }

  Readers readers_;
  size_t turn_ = 0;
  size_t from_ = 0;
  bool isInPieces_ = false;  // a part of turn_'s message was copied: the rest comes next
};

}  // namespace verbena::fifo
