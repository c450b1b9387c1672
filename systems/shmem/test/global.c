/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is allocated at other PEs, and global pointers.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <shmemx.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 64
#define THREADS 3
#define MIDDLE (LARGE / 2)
#define LARGE ((size_t)3 << 20) /* of the pool's 4 MiB */

static int me, size;
static shmemx_gptr pointers[MOST]; /* by the PE that has allocated */
static long step[MOST];
static char* bytes;

/* Ends the job: the others would wait for this PE in vain. */
static void check(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "PE %d: %s is wrong\n", me, what);
  _exit(1);
}

static int all_are(const char* from, size_t count, char value) {
  for (size_t i = 0; i < count; i++) {
    if (from[i] != value) return 0;
  }
  return 1;
}

/* Each PE allocates at the next one, and all use it. */
static void shared_by_all(void) {
  size_t length = 1000 + (size_t)me;
  shmemx_gptr own = shmemx_malloc_at(length, (me + 1) % size);
  check(!shmemx_gptr_is_null(own) && shmemx_gptr_pe(own) == (me + 1) % size, "a pointer");
  memset(bytes, me + 1, length);
  memset(bytes, 0, 16);
  shmemx_gptr_putmem(own, 0, bytes, length);
  for (int pe = 0; pe < size; pe++) shmem_putmem(&pointers[me], &own, sizeof own, pe);
  shmem_barrier_all();
  int won = 0;
  for (int pe = 0; pe < size; pe++) {
    shmemx_gptr_getmem(bytes, pointers[pe], 16, 984 + (size_t)pe);
    check(all_are(bytes, 984 + (size_t)pe, (char)(pe + 1)), "what another PE has put");
    shmemx_gptr_atomic_fetch_add(pointers[pe], 0, 1);
    won += shmemx_gptr_atomic_compare_swap(pointers[pe], 8, 0, 1) == 0;
  }
  for (int pe = 0; pe < size; pe++) shmem_long_p(&step[me], won, pe);
  shmem_barrier_all();
  long winners = 0;
  for (int pe = 0; pe < size; pe++) winners += step[pe];
  check(winners == size, "compare-and-swap");
  char* here = shmemx_gptr_ptr(own);
  check(here == NULL || (here[16] == (char)(me + 1) && here[length - 1] == (char)(me + 1)), "ptr");
  check(here != NULL || shmem_ptr(step, (me + 1) % size) == NULL, "no ptr");
  check(shmemx_gptr_atomic_fetch(own, 0) == (uint64_t)size, "fetch-add");
  shmemx_gptr_atomic_set(own, 0, 7);
  check(shmemx_gptr_atomic_swap(own, 0, 8) == 7, "set");
  check(shmemx_gptr_atomic_fetch(own, 0) == 8, "swap");
  shmem_barrier_all();
  shmemx_free_at(pointers[(me + 1) % size]); /* which the next PE has allocated */
  shmem_barrier_all();
}

/* As much as there is, again and again. */
static void all_there_is(void) {
  size_t piece = LARGE / 6;
  long before = -1;
  for (int round = 0; round < 3 && me == 0; round++) {
    shmemx_gptr had[64];
    long count = 0;
    while (!shmemx_gptr_is_null(had[count] = shmemx_malloc_at(piece, size - 1))) count++;
    check(count >= 6 && (before < 0 || count == before), "how much there is");
    before = count;
    for (long i = 0; i < count; i++) shmemx_free_at(had[i]);
  }
  check(shmemx_gptr_is_null(shmemx_malloc_at(0, 0)), "nothing");
  check(shmemx_gptr_is_null(shmemx_malloc_at((size_t)1 << 40, 0)), "too much");
  shmem_barrier_all();
}

/* All threads of all PEs allocate everywhere, more than there is. What one has nobody else writes
 * to. */
static void* churn(void* number) {
  enum { HELD = 4 };
  struct {
    shmemx_gptr at;
    size_t length;
    char value;
  } held[HELD] = {{{0, 0}, 0, 0}};
  unsigned seed = (unsigned)(me * THREADS + *(int*)number + 1);
  char* own = malloc(LARGE / 3);
  int rounds = shmem_ptr(step, (me + 1) % size) != NULL ? 200 : 40;
  for (int i = 0; i < rounds; i++) {
    int slot = rand_r(&seed) % HELD;
    if (!shmemx_gptr_is_null(held[slot].at)) {
      shmemx_gptr_getmem(own, held[slot].at, 0, held[slot].length);
      check(all_are(own, held[slot].length, held[slot].value), "what this thread has put");
      shmemx_free_at(held[slot].at);
    }
    held[slot].length = 1 + (size_t)rand_r(&seed) % (i % 8 == 0 ? LARGE / 3 : 3000);
    held[slot].value = (char)rand_r(&seed);
    held[slot].at = shmemx_malloc_at(held[slot].length, rand_r(&seed) % size);
    if (shmemx_gptr_is_null(held[slot].at)) continue;
    memset(own, held[slot].value, held[slot].length);
    shmemx_gptr_putmem(held[slot].at, 0, own, held[slot].length);
  }
  for (int slot = 0; slot < HELD; slot++) shmemx_free_at(held[slot].at);
  free(own);
  return NULL;
}

static void churn_by_threads(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    check(pthread_create(&threads[i], NULL, churn, &numbers[i]) == 0, "a thread");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  shmem_barrier_all();
}

static atomic_int is_over;

/* A second thread of the PE that writes is at operations of its own meanwhile. */
static void* look(void* nothing) {
  char byte = 0;
  shmemx_gptr own = shmemx_malloc_at(sizeof byte, me);
  while (!is_over) {
    shmemx_gptr_getmem(&byte, own, 0, sizeof byte);
    sched_yield();
  }
  shmemx_free_at(own);
  return nothing;
}

/* The last PE has put the middle, and puts on, as PE 0 frees the memory: it is given again only
 * behind that. */
static void freed_meanwhile(void) {
  if (size == 1) return;
  int writer = size - 1;
  pthread_t second;
  if (me == writer) check(pthread_create(&second, NULL, look, NULL) == 0, "a thread");
  for (long round = 1; round <= 20; round++) {
    if (me == writer) {
      memset(bytes, 1, LARGE);
      shmem_long_wait_until(&step[0], SHMEM_CMP_EQ, round);
      shmemx_gptr_putmem(pointers[0], 0, bytes, LARGE);
      shmem_long_p(&step[1], round, 0);
    } else if (me == 0) {
      shmemx_gptr there = shmemx_malloc_at(LARGE, 0);
      check(!shmemx_gptr_is_null(there), "memory that all have done with");
      uint64_t zero = 0;
      shmemx_gptr_putmem(there, MIDDLE, &zero, sizeof zero);
      shmem_putmem(&pointers[0], &there, sizeof there, writer);
      shmem_quiet();
      shmem_long_p(&step[0], round, writer);
      while (shmemx_gptr_atomic_fetch(there, MIDDLE) == 0) {
      }
      shmemx_free_at(there);
      shmemx_gptr again = shmemx_malloc_at(LARGE, 0);
      check(!shmemx_gptr_is_null(again), "memory that was freed");
      memset(bytes, 2, LARGE);
      shmemx_gptr_putmem(again, 0, bytes, LARGE);
      shmem_long_wait_until(&step[1], SHMEM_CMP_EQ, round);
      shmemx_gptr_getmem(bytes, again, 0, LARGE);
      check(all_are(bytes, LARGE, 2), "memory that was given again");
      shmemx_free_at(again);
    }
  }
  is_over = 1;
  if (me == writer) pthread_join(second, NULL);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  size = shmem_n_pes();
  bytes = malloc(LARGE);
  shared_by_all();
  memset(step, 0, sizeof step);
  shmem_barrier_all();
  all_there_is();
  freed_meanwhile();
  churn_by_threads();
  shmem_finalize();
  free(bytes);
  return 0;
}
