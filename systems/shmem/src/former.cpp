// SPDX-License-Identifier: Apache-2.0
//
// Names of OpenSHMEM 1.0 to 1.4 that have no types.
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "shmem.h"

extern "C" {

/// Programs of then end by returning from main(); what they have forked ends without the others.
void start_pes(int) {
  shmem_init();
  static const pid_t process = getpid();
  std::atexit([] {
    if (getpid() == process) shmem_finalize();
  });
}

int _my_pe(void) {
  return shmem_my_pe();
}
int _num_pes(void) {
  return shmem_n_pes();
}

void* shmalloc(size_t size) {
  return shmem_malloc(size);
}
void shfree(void* ptr) {
  shmem_free(ptr);
}
void* shrealloc(void* ptr, size_t size) {
  return shmem_realloc(ptr, size);
}
void* shmemalign(size_t alignment, size_t size) {
  return shmem_align(alignment, size);
}

// Processors keep their caches coherent by themselves.

void shmem_set_cache_inv(void) {}
void shmem_clear_cache_inv(void) {}
void shmem_set_cache_line_inv(void*) {}
void shmem_clear_cache_line_inv(void*) {}
void shmem_udcflush(void) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
void shmem_udcflush_line(void*) {
  shmem_udcflush();
}
}
