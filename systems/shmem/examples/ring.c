/* SPDX-License-Identifier: Apache-2.0
 *
 * Each PE puts its number into the memory of the next one.    oshcc ring.c -o ring && oshrun -n 4
 * ./ring
 */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int next = (me + 1) % shmem_n_pes();
  int* from = shmem_malloc(sizeof *from);
  shmem_p(from, me, next);
  shmem_barrier_all();
  printf("PE %d was written to by PE %d\n", me, *from);
  shmem_free(from);
  shmem_finalize();
}
