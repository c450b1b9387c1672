// SPDX-License-Identifier: Apache-2.0
//
// Waiting for what other PEs write. A thread that waits looks busily for a while where PEs have a
// processor each, and then lets others run between its looks.
#pragma once

#include <cstdint>

#include "host/futex.h"
#include "world.h"

namespace verbena::shmem {

/// Ends the process if a PE wants all to end: who waits would wait for ever.
void lookForTheEnd();
/// Progress for far PEs.
void glance();
/// The same, and lets others run.
void rest();
/// A program has looked for something that is not there, and may look again.
void lookedInVain();

template <typename Holds>
void awaitUntil(Holds holds) {
  while (true) {
    for (uint32_t looks = 0; looks <= world.looks; looks++) {
      if (holds()) return;
      host::pause();
    }
    rest();
  }
}

}  // namespace verbena::shmem
