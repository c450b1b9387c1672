// SPDX-License-Identifier: Apache-2.0
#include "softnic/objects/completion_queue.h"

#include <algorithm>

namespace verbena::softnic {

bool CompletionQueue::push(const ibv_wc& completion, bool solicited) {
  if (overrun || count == capacity) {
    overrun = true;
    return false;
  }
  uint32_t place = first + count;
  ring[place < capacity ? place : place - capacity] = completion;
  count++;
  if (armed == Armed::No || shared() == nullptr) return true;
  bool wakes = armed == Armed::ForAny || solicited || completion.status != IBV_WC_SUCCESS;
  if (wakes) {
    shared()->events.push(this);
    armed = Armed::No;
  }
  return true;
}

int CompletionQueue::take(ibv_wc* into, int wanted) {
  uint32_t taken = std::min(count, static_cast<uint32_t>(std::max(wanted, 0)));
  for (uint32_t i = 0; i < taken; i++) {
    into[i] = ring[first];
    if (++first == capacity) first = 0;
  }
  count -= taken;
  return static_cast<int>(taken);
}

/// Nothing is written to it: the system has its pages made when they are used.
CompletionQueue::Ring CompletionQueue::ringOf(uint32_t entries) {
  return Ring(static_cast<ibv_wc*>(::operator new(entries * sizeof(ibv_wc))));
}

void CompletionQueue::allocate(uint32_t entries) {
  ring = ringOf(entries);
  capacity = entries;
}

bool CompletionQueue::resize(int entries) {
  auto wanted = static_cast<uint32_t>(entries);
  if (count > wanted) return false;
  auto moved = ringOf(wanted);
  uint32_t kept = count;
  take(moved.get(), static_cast<int>(kept));
  ring = std::move(moved);
  capacity = wanted;
  first = 0;
  count = kept;
  cqe = entries;
  return true;
}

}  // namespace verbena::softnic
