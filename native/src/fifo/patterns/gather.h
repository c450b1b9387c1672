// SPDX-License-Identifier: Apache-2.0
//
// A message of every writer, round by round, in the order of the readers.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fifo/patterns/readers.h"

namespace verbena::fifo {

/// A writer that has ended, or is lost, gives nothing to a round; the others go on. isOpen() says
/// who has given something.
///
/// Used by one thread at a time.
class Gather {
 public:
  /// Throws std::invalid_argument if there is no reader, or they are of several nodes.
  explicit Gather(std::vector<std::unique_ptr<Reader>> readers);

  size_t size() const { return readers_.size(); }
  Reader& reader(size_t index) { return readers_[index]; }
  Ends ends() const { return readers_.ends(); }
  /// Whom the last outcome is about, if that was lost or tooLarge.
  size_t from() const { return from_; }
  /// Neither ended nor lost.
  bool isOpen(size_t index) const { return readers_.isOpen(index); }

  /// The messages of a round as they lie in the rings, until release(); messages[i] is reader i's,
  /// and has no data if there is none. wouldBlock: not all are here yet. tooLarge: from()'s does
  /// not lie in its ring as a whole; pop the round. lost: from()'s writer is gone, which is told
  /// once; call again, for the others. ended: all have ended, or are lost.
  Outcome peek(std::span<const std::span<const std::byte>>& messages);
  Outcome peek(std::span<const std::span<const std::byte>>& messages,
               std::chrono::nanoseconds timeout);
  /// Done with the messages that peek() has shown.
  void release();

  /// Copies the messages of a round, of any size, reader i's into messages[i]. wouldBlock: call
  /// again with the same. tooLarge: from()'s is larger than its place; call again with a larger
  /// one, the others as they were. lost, ended: as above. Throws std::invalid_argument if there are
  /// not as many places as readers.
  Outcome pop(std::span<Popping> messages);
  Outcome pop(std::span<Popping> messages, std::chrono::nanoseconds timeout);
  /// Drops what still comes. wouldBlock: some have not ended yet; lost, ended: as above.
  Outcome drop();

 private:
  enum class Part : uint8_t { missing, shown, popped };

  template <typename Take>
  Outcome takeEach(Part as, Take take);
  void nextRound();
  Outcome dropFrom(size_t index);

  Readers readers_;
  std::vector<Part> parts_;
  std::vector<std::span<const std::byte>> shown_;
  size_t from_ = 0;
};

}  // namespace verbena::fifo
