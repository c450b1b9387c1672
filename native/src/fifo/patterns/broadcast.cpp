// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/broadcast.h"

namespace verbena::fifo {

Outcome Broadcast::push(Pushing& message) {
  Outcome state = writers_.state();
  if (state != Outcome::done) return state;
  return writers_.pushEach(message.begun, [&](size_t) { return message.from; });
}

Outcome Broadcast::push(Pushing& message, std::chrono::nanoseconds timeout) {
  return writers_.channels().attempt({ends()}, timeout, [&] { return push(message); });
}

}  // namespace verbena::fifo
