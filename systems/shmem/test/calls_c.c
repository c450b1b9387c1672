/* SPDX-License-Identifier: Apache-2.0
 *
 * The generic names of C11, with and without a context.
 */
#include <shmem.h>
#include <stdio.h>

static int me, right, left, failures;

static void check(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "PE %d: %s is wrong\n", me, what);
  failures++;
}

int main(void) {
  int provided = -1;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  check(provided == SHMEM_THREAD_MULTIPLE, "the thread level");
  me = shmem_my_pe();
  int size = shmem_n_pes();
  right = (me + 1) % size;
  left = (me + size - 1) % size;
  double* numbers = shmem_calloc(4, sizeof *numbers);
  unsigned long* words = shmem_calloc(4, sizeof *words);
  uint64_t* signal = shmem_calloc(1, sizeof *signal);
  double own[4] = {me, me + 1, me + 2, me + 3};
  shmem_put(numbers, own, 4, right);
  shmem_put(SHMEM_CTX_DEFAULT, numbers, own, 4, right);
  shmem_p(&words[0], 5ul + (unsigned long)me, right);
  shmem_barrier_all();
  check(numbers[3] == left + 3, "put");
  check(words[0] == 5ul + (unsigned long)left, "p");
  const double* there = numbers;
  check(shmem_g(&there[1], right) == me + 1, "g of a constant");
  check(shmem_atomic_fetch_add(&words[1], 3ul, right) == 0, "fetch_add");
  shmem_atomic_inc(SHMEM_CTX_DEFAULT, &words[1], right);
  shmem_atomic_or(&words[2], 6ul, right);
  shmem_put_signal(numbers, own, 4, signal, 1, SHMEM_SIGNAL_ADD, right);
  shmem_wait_until(&words[1], SHMEM_CMP_EQ, 4ul);
  shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 1);
  shmem_barrier_all();
  check(words[2] == 6, "or");
  shmem_barrier_all();
  int* bits = shmem_calloc(1, sizeof *bits);
  shmem_atomic_xor(bits, 5, right); /* by the name of int32_t */
  check(shmem_sync(SHMEM_TEAM_WORLD) == 0 &&
            shmem_and_reduce(SHMEM_TEAM_WORLD, bits, bits, 1) == 0 && *bits == 5,
        "xor");
  shmem_free(bits);
  check(shmem_atomic_compare_swap(&words[2], 6ul, 7ul, right) == 6, "compare_swap");
  shmem_barrier_all();
  shmem_free(signal);
  shmem_free(words);
  shmem_free(numbers);
  shmem_finalize();
  return failures == 0 ? 0 : 1;
}
