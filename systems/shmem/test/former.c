/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of before 1.5, in C99: static data, active sets, and names that are deprecated.
 */
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 50
#define EACH 5
#define MOST 16

static long sync_all[2][_SHMEM_REDUCE_SYNC_SIZE];
static long sync_some[2][_SHMEM_COLLECT_SYNC_SIZE];
static int source[MOST * EACH], dest[EACH];
static int of_all[MOST * EACH], of_some[MOST * MOST], turned[MOST * EACH];
static long long word, summed, work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static short flag;
static long flags[2];

static int me, size;

/* Ends the job: the others would wait for this PE in vain. */
static void check(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "PE %d: %s is wrong\n", me, what);
  _exit(1);
}

static int is_clear(const long* sync, int count) {
  for (int i = 0; i < count; i++) {
    if (sync[i] != _SHMEM_SYNC_VALUE) return 0;
  }
  return 1;
}

#define MANY 2000
static long numbers[MANY], results[MANY], pWrk[MANY];

/* More than one PE combines by itself; all operations. */
static void reductions(void) {
  long sum = 0, least = 100, greatest = -100, bits = 0;
  for (int i = 0; i < MANY; i++) numbers[i] = i % 7 - 3 + me;
  for (int pe = 0; pe < size; pe++) {
    long value = (MANY - 1) % 7 - 3 + pe;
    sum += value;
    bits |= value;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  shmem_long_sum_to_all(results, numbers, MANY, 0, 0, size, pWrk, sync_some[0]);
  check(results[MANY - 1] == sum, "sum_to_all of many");
  shmem_long_min_to_all(results, numbers, MANY, 0, 0, size, pWrk, sync_some[1]);
  check(results[MANY - 1] == least, "min_to_all");
  shmem_long_max_to_all(results, numbers, MANY, 0, 0, size, pWrk, sync_some[0]);
  check(results[MANY - 1] == greatest, "max_to_all");
  shmem_long_or_to_all(results, numbers, MANY, 0, 0, size, pWrk, sync_some[1]);
  check(results[MANY - 1] == bits, "or_to_all");
  shmem_barrier_all();
}

/* The root goes on at once, with two arrays in turn. */
static void flood(void) {
  shmem_barrier_all();
  for (long i = 1; i <= 500; i++) {
    word = i;
    shmem_broadcast64(&summed, &word, 1, 0, 0, 0, size, sync_some[i % 2]);
    check(me == 0 || summed >= i, "a broadcast of many");
  }
  shmem_barrier_all();
}

/* So do sums, of one element and of two in turn, with one array and with two in turn. */
static void flood_of_sums(int arrays) {
  static long mine[2], sums[2];
  long of_pes = (long)size * (size - 1) / 2;
  shmem_barrier_all();
  for (long i = 1; i <= 300; i++) {
    int count = 1 + (int)(i % 2);
    mine[0] = i * 1000 + me;
    mine[1] = i * 7000 + me;
    shmem_long_sum_to_all(sums, mine, count, 0, 0, size, pWrk, sync_some[i % arrays]);
    check(sums[0] == i * 1000 * size + of_pes, "a sum of many");
    check(count == 1 || sums[1] == i * 7000 * size + of_pes, "the second of a sum of many");
  }
  shmem_barrier_all();
  check(is_clear(sync_some[0], _SHMEM_COLLECT_SYNC_SIZE), "pSync behind sums");
}

static int* told; /* by the neighbour that has ended */

/* Runs behind the end that start_pes() has registered, if that is one: all have come there. */
static void last(void) {
  if (told != NULL && *told != 1) {
    fprintf(stderr, "PE %d: the end of main() does not wait for the others\n", me);
    _exit(1);
  }
}

/* Every second PE from `start` on, with arrays of their own: two sets at the same time. Others do
 * not write behind a barrier, and before the next one, to what a PE still looks at. */
static void half(int start, int round) {
  int members = (size - start + 1) / 2, own = (me - start) / 2;
  long *sync = sync_some[round % 2], *meet = sync_all[round % 2];
  int root = round % members;
  for (int i = 0; i < MOST * EACH; i++) source[i] = 1000 * me + i + round;
  dest[0] = -1;
  shmem_broadcast32(dest, source, EACH, root, start, 1, members, sync);
  check(
      own == root ? dest[0] == -1 : dest[EACH - 1] == 1000 * (start + 2 * root) + EACH - 1 + round,
      "broadcast32");
  shmem_barrier(start, 1, members, meet);
  shmem_fcollect32(of_all, source, EACH, start, 1, members, sync);
  shmem_barrier(start, 1, members, meet);
  for (int i = 0; i < members * EACH; i++)
    check(of_all[i] == 1000 * (start + 2 * (i / EACH)) + i % EACH + round, "fcollect32");
  shmem_collect32(of_some, source, (size_t)own, start, 1, members, sync);
  shmem_barrier(start, 1, members, meet);
  for (int pe = 0, at = 0; pe < members; pe++) {
    for (int i = 0; i < pe; i++, at++)
      check(of_some[at] == 1000 * (start + 2 * pe) + i + round, "collect32");
  }
  shmem_alltoall32(turned, source, EACH, start, 1, members, sync);
  shmem_barrier(start, 1, members, meet);
  for (int i = 0; i < members * EACH; i++)
    check(turned[i] == 1000 * (start + 2 * (i / EACH)) + own * EACH + i % EACH + round,
          "alltoall32");
  word = me + round;
  shmem_longlong_sum_to_all(&summed, &word, 1, start, 1, members, work, sync);
  long long expected = 0;
  for (int pe = 0; pe < members; pe++) expected += start + 2 * pe + round;
  check(summed == expected, "sum_to_all");
  shmem_barrier(start, 1, members, meet);
  check(is_clear(sync, _SHMEM_COLLECT_SYNC_SIZE) && is_clear(meet, _SHMEM_REDUCE_SYNC_SIZE),
        "pSync behind a call");
}

int main(void) {
  atexit(last);
  start_pes(0);
  me = _my_pe();
  size = _num_pes();
  for (int round = 0; round < ROUNDS; round++) half(me % 2, round);
  shmem_barrier_all();
  reductions();
  flood();
  flood_of_sums(1);
  flood_of_sums(2);
  pid_t child = fork();
  if (child == 0) exit(0); /* which is no end of this PE */
  waitpid(child, NULL, 0);

  /* All take part in sets of all sizes, one behind the other, with the same array. */
  for (int members = 1; members <= size; members++) {
    if (me < members) shmem_sync(0, 0, members, sync_all[0]);
    shmem_barrier_all();
  }
  long* heap = shmalloc(2 * sizeof(long));
  heap[0] = heap[1] = 0;
  shmem_barrier_all();
  shmem_long_add(&heap[0], 2, 0);
  shmem_long_inc(&heap[0], 0);
  check(shmem_long_fadd(&heap[1], 0, me) == 0 && shmem_long_finc(&heap[1], me) == 0, "fadd, finc");
  check(shmem_long_cswap(&heap[1], 1, 5, me) == 1 && shmem_swap(&heap[1], 6, me) == 5,
        "cswap, swap");
  shmem_long_set(&heap[1], 7, me);
  check(shmem_long_fetch(&heap[1], me) == 7, "set, fetch");
  shmem_barrier_all();
  if (me == 0) check(heap[0] == 3L * size, "add, inc");
  shmem_short_p(&flag, 3, (me + 1) % size);
  shmem_short_wait(&flag, 0);
  shmem_long_p(&flags[0], 4, (me + 1) % size);
  shmem_wait_until(&flags[0], _SHMEM_CMP_EQ, 4);
  shmem_wait(&flags[0], 0);
  shmem_udcflush();
  shfree(heap);
  static int ended;
  told = &ended;
  if (me == 0) sleep(1);
  shmem_int_p(&ended, 1, (me + 1) % size);
  return 0; /* which is an end like shmem_finalize() */
}
