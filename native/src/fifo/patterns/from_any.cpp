// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/from_any.h"

namespace verbena::fifo {

using std::chrono::nanoseconds;

/// The turn stays with the reader that has something.
template <typename Look>
Outcome FromAny::next(Look look) {
  for (size_t asked = 0; asked < size(); asked++, goOn()) {
    if (!readers_.isOpen(turn_)) continue;
    Outcome said = readers_.heard(turn_, look(readers_[turn_]));
    if (said == Outcome::ended || (said == Outcome::wouldBlock && !isInPieces_)) continue;
    from_ = turn_;
    return said;
  }
  return readers_.open() == 0 ? Outcome::ended : Outcome::wouldBlock;
}

Outcome FromAny::peek(std::span<const std::byte>& message) {
  return next([&](Reader& reader) { return reader.peek(message); });
}

Outcome FromAny::peek(std::span<const std::byte>& message, nanoseconds timeout) {
  return readers_.channels().attempt({ends()}, timeout, [&] { return peek(message); });
}

void FromAny::release() {
  readers_[from_].release();
  if (turn_ == from_) goOn();
}

Outcome FromAny::probe(uint64_t& bytes) {
  return next([&](Reader& reader) { return reader.probe(bytes); });
}

Outcome FromAny::pop(Popping& message) {
  if (!isInPieces_) message.bytes = 0;
  Outcome got = next([&](Reader& reader) {
    Outcome one = reader.pop(message);
    if (one != Outcome::tooLarge) isInPieces_ = one == Outcome::wouldBlock && message.bytes > 0;
    return one;
  });
  if (got == Outcome::done) goOn();
  return got;
}

Outcome FromAny::pop(Popping& message, nanoseconds timeout) {
  return readers_.channels().attempt({ends()}, timeout, [&] { return pop(message); });
}

}  // namespace verbena::fifo
