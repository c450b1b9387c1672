// SPDX-License-Identifier: Apache-2.0
#include "softnic/device/ports.h"

#include "softnic/device/context.h"

namespace verbena::softnic {

Context* Ports::ofVector(uint32_t vector) {
  std::atomic<Context*>& place = open_[vector];
  if (Context* port = place.load(std::memory_order_acquire)) return port;
  std::lock_guard guard(changes);
  Context* port = place.load(std::memory_order_relaxed);
  if (port == nullptr) port = Context::openBeside(*this);
  place.store(port, std::memory_order_release);  // pairs with forEach()
  return port;
}

void Ports::closeOthers() {
  for (size_t vector = 1; vector < open_.size(); vector++) {
    delete open_[vector].exchange(nullptr, std::memory_order_acq_rel);
  }
}

}  // namespace verbena::softnic
