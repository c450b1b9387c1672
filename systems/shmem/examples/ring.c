/* SPDX-License-Identifier: Apache-2.0
 *
 * ring.c: every PE writes its number to a variable of the next one.
 */
#include <shmem.h>
#include <stdio.h>

static int from;

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int next = (me + 1) % shmem_n_pes();
  shmem_p(&from, me, next);
  shmem_barrier_all();
  printf("PE %d was written to by PE %d\n", me, from);
  shmem_finalize();
}
