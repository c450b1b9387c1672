// SPDX-License-Identifier: Apache-2.0
//
// The writing ends of a pattern: which are still there, and a message that is on its way to several
// of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fifo/patterns/members.h"
#include "fifo/writer.h"

namespace verbena::fifo {

/// Used by one thread at a time.
class Writers : public Members {
 public:
  /// Throws std::invalid_argument if there is none, or they are of several nodes.
  explicit Writers(std::vector<std::unique_ptr<Writer>> writers);

  Writer& operator[](size_t index) { return *all_[index].writer; }
  /// Neither closed nor known to be lost.
  bool isOpen(size_t index) const { return all_[index].isOpen; }
  /// Whether a message was begun, and is not at its end.
  bool isUnderWay() const { return isUnderWay_; }
  /// Whom the last outcome is about; size(): nobody.
  size_t to() const { return to_; }

  /// What a pattern says if it cannot go on: ended, or lost, and else done.
  Outcome state();
  /// A writer is lost: it is told now, and is used no more.
  Outcome lose(size_t index);
  /// A message that was begun has to be pushed to its end first: throws std::invalid_argument if
  /// the one at hand is another one.
  void check(bool isBegun) const;

  /// Where the writer's next message may be written.
  Outcome claimAt(size_t index, uint64_t bytes, std::byte*& at) {
    to_ = index;
    Outcome got = (*this)[index].claim(bytes, at);
    return got == Outcome::lost ? lose(index) : got;
  }
  /// The message goes to this writer. If that is lost, nothing of the message is written.
  Outcome pushTo(size_t index, Pushing& message);
  /// partOf(i) goes to writer i. wouldBlock, lost: goes on with the next call, at those who have
  /// not got all of theirs.
  template <typename PartOf>
  Outcome pushEach(bool& isBegun, PartOf partOf) {
    begin(isBegun);
    for (size_t i = 0; i < all_.size(); i++) {
      if (all_[i].isDue) pushPart(i, partOf(i));
    }
    return outcomeOfAll();
  }

  /// Ends the stream of those who are still there. lost: as with messages; call again.
  Outcome close();
  Outcome close(std::chrono::nanoseconds timeout);

 private:
  struct Each {
    std::unique_ptr<Writer> writer;
    Pushing part{};
    bool isOpen = true;
    bool isDue = false;   // it has not got all of its part
    bool isLost = false;  // which is to be told
  };

  void begin(bool& isBegun);
  void pushPart(size_t index, std::span<const std::byte> part);
  Outcome outcomeOfAll();
  Outcome closeOne(size_t index);

  std::vector<Each> all_;
  size_t open_;
  size_t to_;
  bool isUnderWay_ = false;
  bool closes_ = false;
};

}  // namespace verbena::fifo
