// SPDX-License-Identifier: Apache-2.0
#include "waiting.h"

#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>

#include "far.h"

namespace verbena::shmem {

void glance() {
  if (world.far != nullptr) world.far->progress();
}

/// It says so again each time that it has lasted twice as long.
void lookAt(Wait& wait) {
  using Clock = std::chrono::steady_clock;
  if (world.reportsAfter == 0) return;
  if (wait.due.count() == 0) {
    wait.since = Clock::now();
    wait.due = std::chrono::seconds(world.reportsAfter);
  }
  if (Clock::now() - wait.since < wait.due) return;
  std::fprintf(stderr, "PE %u of %u has waited for %lld s:\n", world.me, world.size,
               static_cast<long long>(wait.due.count()));
  wait.due *= 2;
  constexpr int kMost = 24;
  std::array<void*, kMost> calls{};
  backtrace_symbols_fd(calls.data(), backtrace(calls.data(), kMost), STDERR_FILENO);
}

void rest(Wait& wait) {
  if (world.heapEnd == 0) refuseAddress(nullptr, 0, 0);
  lookAt(wait);
  lookForTheEnd();
  if (wait.rests.areLong() && world.far != nullptr) {
    world.far->standBack();
  } else {
    glance();
  }
  wait.rests.take();
}

void lookedInVain() {
  static thread_local uint32_t looks = 0;
  static thread_local host::Rests rests;
  if (looks++ < world.looks) return;
  looks = 0;
  bool isLast = rests.areLong();
  Wait wait{.rests = rests};
  rest(wait);
  rests = isLast ? host::Rests() : wait.rests;
}

}  // namespace verbena::shmem
