// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/gather.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace verbena::fifo {

using std::chrono::nanoseconds;

Gather::Gather(std::vector<std::unique_ptr<Reader>> readers)
    : readers_(std::move(readers)), parts_(readers_.size()), shown_(readers_.size()) {}

/// A reader that has given its part is asked no more in this round.
template <typename Take>
Outcome Gather::takeEach(Part as, Take take) {
  bool all = true;
  for (size_t i = 0; i < size(); i++) {
    if (!readers_.isOpen(i) || parts_[i] == as) continue;
    Outcome said = readers_.heard(i, take(i));
    if (said == Outcome::done) parts_[i] = as;
    if (said == Outcome::wouldBlock) all = false;
    if (said != Outcome::lost && said != Outcome::tooLarge) continue;
    from_ = i;
    return said;
  }
  if (!all) return Outcome::wouldBlock;
  bool none = std::ranges::count(parts_, Part::missing) == std::ssize(parts_);
  return none ? Outcome::ended : Outcome::done;
}

void Gather::nextRound() {
  std::ranges::fill(parts_, Part::missing);
  std::ranges::fill(shown_, std::span<const std::byte>());
}

Outcome Gather::peek(std::span<const std::span<const std::byte>>& messages) {
  if (std::ranges::count(parts_, Part::popped) > 0) {
    throw std::invalid_argument("a round was popped in part: pop it to its end first");
  }
  messages = shown_;
  return takeEach(Part::shown, [&](size_t i) { return readers_[i].peek(shown_[i]); });
}

Outcome Gather::peek(std::span<const std::span<const std::byte>>& messages, nanoseconds timeout) {
  return readers_.channels().attempt({ends()}, timeout, [&] { return peek(messages); });
}

void Gather::release() {
  for (size_t i = 0; i < size(); i++) {
    if (parts_[i] == Part::shown) readers_[i].release();
  }
  nextRound();
}

Outcome Gather::pop(std::span<Popping> messages) {
  if (messages.size() != size()) {
    throw std::invalid_argument("gather from " + std::to_string(size()) + " readers into " +
                                std::to_string(messages.size()) + " places: give each of them one");
  }
  Outcome got = takeEach(Part::popped, [&](size_t i) { return readers_[i].pop(messages[i]); });
  for (size_t i = 0; i < size(); i++) {
    if (!readers_.isOpen(i)) messages[i].bytes = 0;
  }
  if (got == Outcome::done) nextRound();
  return got;
}

Outcome Gather::pop(std::span<Popping> messages, nanoseconds timeout) {
  return readers_.channels().attempt({ends()}, timeout, [&] { return pop(messages); });
}

Outcome Gather::drop() {
  for (size_t i = 0; i < size(); i++) {
    if (!readers_.isOpen(i)) continue;
    from_ = i;
    if (readers_.heard(i, dropFrom(i)) == Outcome::lost) return Outcome::lost;
  }
  return readers_.open() == 0 ? Outcome::ended : Outcome::wouldBlock;
}

/// All that is there.
Outcome Gather::dropFrom(size_t index) {
  for (;;) {
    uint64_t bytes = 0;
    Outcome said = readers_[index].drop(bytes);
    if (said != Outcome::done) return said;
  }
}

}  // namespace verbena::fifo
