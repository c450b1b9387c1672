/* SPDX-License-Identifier: Apache-2.0
 *
 * speed.c: how long calls take, in ns, the median of some rounds; by calls of OpenSHMEM 1.4 alone,
 * so that any library can run it. With two PEs PE 0 does what concerns one of them, with more of
 * them all take part in what concerns all. Lines are NAME BYTES NS.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 5
#define ROUND_NS 1e7
#define LARGE ((size_t)1 << 20)

static long calls, words[2];
static long syncs[2][SHMEM_REDUCE_SYNC_SIZE > SHMEM_BCAST_SYNC_SIZE ? SHMEM_REDUCE_SYNC_SIZE
                                                                    : SHMEM_BCAST_SYNC_SIZE];
static long* work;
static long* word;         /* of the other PE */
static char *here, *there; /* LARGE bytes of each PE */
static char* own;          /* memory of this PE alone */
static size_t size;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

/* How long so many calls take. Those of all PEs begin together. */
static double timed(void (*call)(long), int is_of_all) {
  shmem_barrier_all();
  double began = now();
  if (is_of_all || shmem_my_pe() == 0) call(calls);
  double took = now() - began;
  shmem_barrier_all();
  return took;
}

/* PE 0 decides how many, and all wait for it. */
static void tell_calls(long wanted) {
  if (shmem_my_pe() == 0) {
    for (int pe = 0; pe < shmem_n_pes(); pe++) shmem_long_p(&calls, wanted, pe);
  }
  shmem_barrier_all();
}

static void measure(const char* name, size_t bytes, void (*call)(long), int is_of_all) {
  size = bytes;
  long wanted = 16;
  tell_calls(wanted);
  for (int tries = 0; tries < 8; tries++) {
    double took = timed(call, is_of_all);
    if (took < ROUND_NS)
      wanted = (long)((double)wanted * (took < ROUND_NS / 16 ? 16 : ROUND_NS / took)) + 1;
    tell_calls(wanted);
  }
  double each[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) each[round] = timed(call, is_of_all) / (double)calls;
  qsort(each, ROUNDS, sizeof *each, compare);
  if (shmem_my_pe() == 0) printf("%s %zu %.2f\n", name, bytes, each[ROUNDS / 2]);
}

static void put_quiet(long n) {
  for (long i = 0; i < n; i++) {
    shmem_putmem(there, own, size, 1);
    shmem_quiet();
  }
}
static void get(long n) {
  for (long i = 0; i < n; i++) shmem_getmem(own, there, size, 1);
}
static void put_nbi(long n) {
  for (long i = 0; i < n; i++) shmem_putmem_nbi(there + i % 512 * 8, own, size, 1);
  shmem_quiet();
}
/* What a put of so many bytes comes down to where memory is mapped. */
static void copy(long n) {
  for (long i = 0; i < n; i++) {
    memcpy(here, own, size);
    __asm__ volatile("" ::: "memory");
  }
}
/* And a get. */
static void copy_from(long n) {
  for (long i = 0; i < n; i++) {
    memcpy(own, here, size);
    __asm__ volatile("" ::: "memory");
  }
}
static void fetch_add(long n) {
  for (long i = 0; i < n; i++) shmem_long_atomic_fetch_add(word, 1, 1);
}
static void compare_swap(long n) {
  for (long i = 0; i < n; i++) shmem_long_atomic_compare_swap(word, i, i + 1, 1);
}
static void add(long n) {
  for (long i = 0; i < n; i++) shmem_long_atomic_add(word, 1, 1);
  shmem_quiet();
}
static void barrier(long n) {
  for (long i = 0; i < n; i++) shmem_barrier_all();
}
static void broadcast(long n) {
  for (long i = 0; i < n; i++)
    shmem_broadcast64(&words[1], &words[0], 1, 0, 0, 0, shmem_n_pes(), syncs[i % 2]);
}
static void sum(long n) {
  for (long i = 0; i < n; i++)
    shmem_long_sum_to_all((long*)there, (long*)here, (int)(size / sizeof(long)), 0, 0,
                          shmem_n_pes(), work, syncs[i % 2]);
}

int main(void) {
  shmem_init();
  word = shmem_calloc(1, sizeof *word);
  here = shmem_calloc(2, LARGE);
  there = here + LARGE;
  own = calloc(1, LARGE);
  work = shmem_malloc(LARGE + SHMEM_REDUCE_MIN_WRKDATA_SIZE * sizeof(long));
  for (size_t i = 0; i < sizeof *syncs / sizeof(long); i++)
    syncs[0][i] = syncs[1][i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  if (shmem_n_pes() == 2) {
    const size_t sizes[] = {8, 16, 128, 1 << 10, 8 << 10, 64 << 10, 256 << 10, LARGE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      measure("copy", sizes[i], copy, 0);
      measure("put", sizes[i], put_quiet, 0);
      measure("copy-from", sizes[i], copy_from, 0);
      measure("get", sizes[i], get, 0);
    }
    measure("put-nbi", 8, put_nbi, 0);
    measure("fetch-add", 8, fetch_add, 0);
    measure("compare-swap", 8, compare_swap, 0);
    measure("add", 8, add, 0);
  } else {
    measure("barrier-all", 0, barrier, 1);
    measure("broadcast", 8, broadcast, 1);
    measure("sum", 8, sum, 1);
    measure("sum", LARGE, sum, 1);
  }
  shmem_finalize();
  return 0;
}
