/* SPDX-License-Identifier: Apache-2.0
 *
 * sort.c: numbers that lie anywhere are sorted over all PEs. Each PE is to have those of one range:
 * everybody reserves room there by an atomic addition and puts what belongs there.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define EACH 100000
#define BITS 20

static unsigned keys[EACH];
static unsigned mine[2 * EACH];
static long count;           /* of mine */
static long sums[2], all[2]; /* how many there are, and their sum */
static unsigned last;        /* the greatest of the PE before */

static int compare(const void* a, const void* b) {
  unsigned x = *(const unsigned*)a, y = *(const unsigned*)b;
  return x < y ? -1 : x > y;
}

static int owner(unsigned key) {
  return (int)((unsigned long)key * (unsigned long)shmem_n_pes() >> BITS);
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes();
  unsigned long random = (unsigned long)me * 7919 + 1;
  for (int i = 0; i < EACH; i++) {
    random = random * 6364136223846793005ul + 1442695040888963407ul;
    keys[i] = (unsigned)(random >> (64 - BITS));
    sums[1] += keys[i];
  }
  sums[0] = EACH;
  shmem_sum_reduce(SHMEM_TEAM_WORLD, all, sums, 2);
  long expected[2] = {all[0], all[1]};

  /* Sorted, what belongs to one PE lies together. */
  qsort(keys, EACH, sizeof *keys, compare);
  for (int begin = 0, end; begin < EACH; begin = end) {
    int to = owner(keys[begin]);
    for (end = begin; end < EACH && owner(keys[end]) == to; end++) continue;
    long at = shmem_atomic_fetch_add(&count, (long)(end - begin), to);
    if (at + end - begin > 2 * EACH) shmem_global_exit(2); /* not with keys as even as these */
    shmem_put(&mine[at], &keys[begin], (size_t)(end - begin), to);
  }
  shmem_barrier_all();

  qsort(mine, (size_t)count, sizeof *mine, compare);
  if (count > 0 && me + 1 < pes) shmem_p(&last, mine[count - 1], me + 1);
  shmem_barrier_all();
  sums[0] = count;
  sums[1] = 0;
  int is_right = count == 0 || mine[0] >= last;
  for (long i = 0; i < count; i++) {
    sums[1] += mine[i];
    is_right = is_right && owner(mine[i]) == me;
  }
  shmem_sum_reduce(SHMEM_TEAM_WORLD, all, sums, 2);
  is_right = is_right && all[0] == expected[0] && all[1] == expected[1];
  sums[0] = is_right;
  shmem_min_reduce(SHMEM_TEAM_WORLD, all, sums, 1);
  is_right = all[0] == 1;
  if (me == 0) printf("%d numbers are sorted: %s\n", EACH * pes, is_right ? "right" : "wrong");
  shmem_finalize();
  return is_right ? 0 : 1;
}
