// SPDX-License-Identifier: Apache-2.0
//
// Waiting for what other PEs write. A thread that waits looks busily for a while where PEs have a
// processor each, and then lets others run between its looks.
#pragma once

#include <chrono>
#include <cstdint>

#include "ending.h"
#include "host/futex.h"
#include "host/rests.h"
#include "world.h"

namespace verbena::shmem {

/// Progress for far PEs.
void glance();
/// A wait that goes on.
struct Wait {
  std::chrono::steady_clock::time_point since{};
  std::chrono::seconds due{};  ///< 0 before its first rest
  uint32_t looks = 0;          ///< since its last rest
  host::Rests rests{};
};
/// Says where it is if it has lasted for long, where that is wanted (SHMEM_DEBUG).
void lookAt(Wait& wait);
/// Progress for far PEs, and lets others run.
void rest(Wait& wait);
/// A program has looked for something that is not there, and may look again.
void lookedInVain();

/// What far PEs do to this one's memory, softnic does in rounds of this one.
inline constexpr uint32_t kLooksBetweenGlances = 2;

template <typename Holds>
void awaitUntil(Holds holds) {
  for (Wait wait;;) {
    for (uint32_t looks = 0; looks <= world.looks; looks++) {
      if (holds()) return;
      if (world.far != nullptr && looks % kLooksBetweenGlances == 0) glance();
      host::pause();
    }
    rest(wait);
  }
}

}  // namespace verbena::shmem
