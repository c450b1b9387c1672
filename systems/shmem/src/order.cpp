// SPDX-License-Identifier: Apache-2.0
//
// What orders puts: fence, quiet, waiting for signals, and the barrier.
#include <atomic>

#include "calls.h"
#include "far.h"
#include "shmem.h"
#include "teams.h"
#include "waiting.h"
#include "world.h"

using namespace verbena::shmem;

extern "C" {

/// Stores to memory that is mapped are seen in the order in which they are made by whoever looks in
/// that order, and puts of the fabric are done in theirs.
void shmem_fence(void) {
  std::atomic_thread_fence(std::memory_order_release);
}

void shmem_ctx_fence(shmem_ctx_t) {
  shmem_fence();
}

void shmem_quiet(void) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (world.far != nullptr) world.far->quiet();
}

void shmem_ctx_quiet(shmem_ctx_t) {
  shmem_quiet();
}

void shmem_barrier_all(void) {
  shmem_quiet();
  syncAll();
}

void shmem_sync_all(void) {
  syncAll();
}

uint64_t shmem_signal_fetch(const uint64_t* sig_addr) {
  glance();
  lookedInVain();  // perhaps
  return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
}

uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  uint64_t value = 0;
  awaitUntil([&] {
    value = __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
    return calls::holds<uint64_t>(&value, cmp, cmp_value);
  });
  return value;
}
}
