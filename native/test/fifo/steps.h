// SPDX-License-Identifier: Apache-2.0
//
// Halts this process at a step of what it does: before one of a thread's instructions, which the
// processor traps one by one, or before one of the system calls by which others see of it, which
// the kernel traps. What is tested knows nothing of it.
#pragma once

#include <cstdint>
#include <functional>

namespace verbena::fifo::testing {

/// Whether it can be done here: on x86-64 Linux, not emulated, without ThreadSanitizer, which keeps
/// signals for later.
bool canStep();

/// Calls `work`, and `before` in front of each of its instructions, with its number from 1: in the
/// middle of anything, so that may do next to nothing. Returns how many there were. One at a time.
uint64_t stepThrough(const std::function<void()>& work,
                     const std::function<void(uint64_t)>& before);

/// Ends this process, or stops it until it is continued.
void halt(int signal);

/// From here on such calls of all threads, also of those to come, can be counted. Once; by a
/// process with one thread. False where the kernel does not do it.
bool trapCalls();
/// Counts from here on, and halts before the call with this number from 1; 0: before none.
void haltAtCall(uint64_t number, int signal);
/// How many there were since.
uint64_t callsCounted();

}  // namespace verbena::fifo::testing
