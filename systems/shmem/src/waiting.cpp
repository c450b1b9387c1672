// SPDX-License-Identifier: Apache-2.0
#include "waiting.h"

#include <sched.h>
#include <unistd.h>

#include "far.h"

namespace verbena::shmem {
namespace {

/// A PE that wants all to end has written here; who waits would wait for ever.
void lookForTheEnd() {
  uint64_t wanted = world.control().exit.load(std::memory_order_acquire);
  if (wanted != 0) _exit(static_cast<int>(wanted & 0xff));
}

}  // namespace

void glance() {
  if (world.far != nullptr) world.far->progress();
}

void rest() {
  glance();
  lookForTheEnd();
  sched_yield();
}

}  // namespace verbena::shmem
