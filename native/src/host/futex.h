// SPDX-License-Identifier: Apache-2.0
//
// Sleeping on a 32-bit word that another process may write.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace verbena::host {

/// A wait without end.
inline constexpr int64_t kForever = -1;

/// Sleeps while `word` is `expected`, at most `timeoutNs` (kForever: no limit). May return early.
inline void futexWait(std::atomic<uint32_t>& word, uint32_t expected, int64_t timeoutNs) {
  timespec limit{timeoutNs / 1'000'000'000, timeoutNs % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, timeoutNs < 0 ? nullptr : &limit, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t>& word, int count = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace verbena::host
