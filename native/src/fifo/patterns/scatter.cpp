// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/scatter.h"

#include <stdexcept>
#include <string>

namespace verbena::fifo {

using std::chrono::nanoseconds;

Outcome Scatter::push(Scattering& message) {
  if (message.parts.size() != size()) {
    throw std::invalid_argument("scatter " + std::to_string(message.parts.size()) + " parts to " +
                                std::to_string(size()) + " readers: give each of them one");
  }
  Outcome state = writers_.state();
  if (state != Outcome::done) return state;
  return writers_.pushEach(message.begun, [&](size_t i) { return message.parts[i]; });
}

Outcome Scatter::push(Scattering& message, nanoseconds timeout) {
  return writers_.channels().attempt({ends()}, timeout, [&] { return push(message); });
}

Outcome Scatter::push(Pushing& message) {
  Outcome state = writers_.state();
  if (state != Outcome::done) return state;
  writers_.check(message.begun);
  skipLost();
  Outcome got = writers_.pushTo(turn_, message);
  if (got == Outcome::done) turn_ = (turn_ + 1) % size();
  return got;
}

Outcome Scatter::push(Pushing& message, nanoseconds timeout) {
  return writers_.channels().attempt({ends()}, timeout, [&] { return push(message); });
}

void Scatter::skipLost() {
  while (!writers_.isOpen(turn_)) turn_ = (turn_ + 1) % size();
}

}  // namespace verbena::fifo
