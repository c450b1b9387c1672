// SPDX-License-Identifier: Apache-2.0
//
// Locks lie in the memory of PE 0. Whoever has one has put its number there, and one more: 0 is
// free.
#include "calls.h"
#include "shmem.h"
#include "waiting.h"
#include "world.h"

using namespace verbena::shmem;

namespace {

constexpr int kHome = 0;

long own() {
  return static_cast<long>(world.me) + 1;
}

bool isTaken(long* lock) {
  return calls::atomic_compare_swap<long>(SHMEM_CTX_DEFAULT, lock, 0, own(), kHome) == 0;
}

}  // namespace

extern "C" {

void shmem_set_lock(long* lock) {
  awaitUntil([&] { return isTaken(lock); });
}

int shmem_test_lock(long* lock) {
  bool isOwn = isTaken(lock);
  if (!isOwn) lookedInVain();
  return isOwn ? 0 : 1;
}

/// What was put under the lock is there before the next one has it.
void shmem_clear_lock(long* lock) {
  shmem_quiet();
  long had = calls::atomic_compare_swap<long>(SHMEM_CTX_DEFAULT, lock, own(), 0, kHome);
  if (had != own()) refuse("shmem_clear_lock() of a lock that this PE has not set");
}
}
