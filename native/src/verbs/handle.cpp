// SPDX-License-Identifier: Apache-2.0
#include "verbs/handle.h"

#include <atomic>

namespace verbena::verbs {
namespace {

// A counter that nothing is ordered by.
std::atomic<unsigned long> failures{0};

}  // namespace

unsigned long failedDestructions() {
  return failures.load(std::memory_order_relaxed);
}

void noteDestruction(int code) {
  if (code != 0) failures.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace verbena::verbs
