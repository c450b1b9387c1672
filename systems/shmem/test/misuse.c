/* SPDX-License-Identifier: Apache-2.0
 *
 * shmem-misuse MODE: does what must not be done.
 */
#define _POSIX_C_SOURCE 200809L
#include <shmemx.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long sync_array[SHMEM_BARRIER_SYNC_SIZE];

/* All PEs. */
static void misuse_gone(const char* mode) {
  shmem_team_t team, other;
  shmem_ctx_t own, teams;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
  shmem_ctx_create(0, &own);
  shmem_team_create_ctx(team, 0, &teams);
  shmem_ctx_destroy(own);
  shmem_team_destroy(team);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &other);
  if (strcmp(mode, "gone-team") == 0) shmem_team_sync(team);
  if (strcmp(mode, "gone-team-twice") == 0) shmem_team_destroy(team);
  if (strcmp(mode, "gone-context") == 0) shmem_ctx_long_p(own, sync_array, 1, 0);
  if (strcmp(mode, "gone-context-twice") == 0) shmem_ctx_destroy(own);
  if (strcmp(mode, "gone-teams-context") == 0) shmem_ctx_long_p(teams, sync_array, 1, 0);
}

static void misuse_size(const char* mode, char* memory) {
  if (strcmp(mode, "reduce-size") == 0)
    shmem_char_sum_reduce(SHMEM_TEAM_WORLD, memory, memory, SIZE_MAX);
  if (strcmp(mode, "reduce-memory") == 0) shmem_char_sum_reduce(SHMEM_TEAM_WORLD, memory, "1", 1);
  if (strcmp(mode, "alltoalls-size") == 0)
    shmem_alltoallsmem(SHMEM_TEAM_WORLD, memory, memory, 1, 1, SIZE_MAX);
  if (strcmp(mode, "alltoalls-stride") == 0)
    shmem_alltoallsmem(SHMEM_TEAM_WORLD, memory, memory, 0, 1, 1);
}

/* Ends otherwise than by returning. */
static void end(const char* mode, long* memory) {
  int me = shmem_my_pe();
  if (strcmp(mode, "lost") == 0) {
    if (me == 1) raise(SIGKILL);
    shmem_barrier_all();
  }
  if (strcmp(mode, "exit-polled") == 0) {
    if (me == 0) shmem_global_exit(0);
    while (shmem_long_atomic_fetch(memory, 0) == 0) {
    }
  }
  if (strcmp(mode, "exit-put") == 0) {
    if (me == 0) shmem_global_exit(0);
    while (1) shmem_long_p(memory, 1, 0);
  }
  if (strcmp(mode, "failed-put") == 0) { /* when the wait has lasted */
    for (int i = 0; i < 110 && me == 0; i++) {
      shmem_long_p(memory, 1, 1);
      if (i < 90) shmem_quiet();
    }
    shmem_long_wait_until(memory, SHMEM_CMP_EQ, 5);
  }
}

/* On memory of 16 bytes at PE 1. */
static void misuse_pointer(const char* mode) {
  char bytes[16] = {0};
  shmemx_gptr there = shmemx_malloc_at(sizeof bytes, 1), null = {0, 0}, made_up = there;
  made_up.place |= UINT32_MAX;
  if (strcmp(mode, "null-pointer") == 0) shmemx_gptr_putmem(null, 0, bytes, 1);
  if (strcmp(mode, "no-pool-pointer") == 0) shmemx_gptr_putmem(there, 0, bytes, 1);
  if (strcmp(mode, "behind-pointer") == 0) shmemx_gptr_putmem(there, 8, bytes, 9);
  if (strcmp(mode, "odd-pointer") == 0) shmemx_gptr_atomic_swap(there, 4, 0);
  if (strcmp(mode, "made-up-pointer") == 0) shmemx_gptr_getmem(bytes, made_up, 0, 1);
  shmemx_free_at(there);
  shmemx_free_at(null);
  if (strcmp(mode, "freed-pointer") == 0) shmemx_gptr_getmem(bytes, there, 0, 1);
  if (strcmp(mode, "freed-twice") == 0) shmemx_free_at(there);
  if (strcmp(mode, "former-pointer") != 0) return;
  while (!shmemx_gptr_is_null(shmemx_malloc_at(sizeof bytes, 1))) {
  } /* until the same memory was given again, and more */
  shmemx_gptr_atomic_fetch(there, 0);
}

int main(int count, char** words) {
  const char* mode = count > 1 ? words[1] : "";
  long own = 0;
  if (strcmp(mode, "before") == 0) shmem_long_p(&own, 1, 0);
  const char* rank = getenv("VERBENA_JOB_RANK");
  if (rank != NULL && strcmp(rank, "1") == 0) {
    if (strcmp(mode, "pools") == 0) setenv("VERBENA_SHMEM_POOL_SIZE", "8K", 1);
    if (strcmp(mode, "mappings") == 0) setenv("VERBENA_SHMEM_MAPPING", "off", 1);
  }
  shmem_init();
  char* memory = shmem_malloc(8);
  if (shmem_my_pe() == 0) {
    if (strcmp(mode, "address") == 0) shmem_long_p(&own, 1, 1);
    if (strcmp(mode, "end") == 0) shmem_getmem(malloc(9), memory + ((size_t)64 << 20) - 8, 9, 1);
    if (strcmp(mode, "pe") == 0) shmem_putmem(memory, memory, 1, 2);
    if (strcmp(mode, "negative") == 0) shmem_putmem(memory, memory, 1, -1);
    if (strcmp(mode, "comparison") == 0) shmem_long_wait_until((long*)memory, 17, 1);
    if (strcmp(mode, "lock") == 0) shmem_clear_lock((long*)memory);
    if (strcmp(mode, "others-lock") == 0) {
      while (shmem_test_lock((long*)memory) == 0) shmem_clear_lock((long*)memory);
      shmem_clear_lock((long*)memory); /* which PE 1 has */
    }
    if (strcmp(mode, "nothing") == 0) shmem_barrier(0, 0, 2, NULL);
    if (strcmp(mode, "set") == 0) shmem_barrier(1, 0, 1, sync_array);
    if (strcmp(mode, "sets") == 0) shmem_barrier(0, 0, 3, sync_array);
    if (strcmp(mode, "wait") == 0) shmem_long_wait_until((long*)memory, SHMEM_CMP_EQ, 5);
    if (strstr(mode, "pointer") != NULL || strcmp(mode, "freed-twice") == 0) misuse_pointer(mode);
    if (strcmp(mode, "exit") == 0) shmem_global_exit(3);
  }
  if (strcmp(mode, "others-lock") == 0 && shmem_my_pe() == 1) shmem_set_lock((long*)memory);
  if (strcmp(mode, "wait") == 0 && shmem_my_pe() == 1) {
    sleep(2);
    shmem_long_p((long*)memory, 5, 0);
  }
  if (strncmp(mode, "gone-", 5) == 0) misuse_gone(mode);
  if (strncmp(mode, "reduce-", 7) == 0 || strncmp(mode, "alltoalls-", 10) == 0)
    misuse_size(mode, memory);
  end(mode, (long*)memory);
  if (strcmp(mode, "free") == 0) shmem_free(memory + 1);
  if (strcmp(mode, "behind") != 0) shmem_barrier_all();
  shmem_finalize();
  if (strcmp(mode, "behind") == 0) shmem_long_p((long*)memory, 1, 0);
  return 0;
}
