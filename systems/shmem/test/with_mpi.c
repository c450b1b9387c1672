/* SPDX-License-Identifier: Apache-2.0
 *
 * with_mpi.c: a program that uses MPI, of another library, and OpenSHMEM.
 */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

static long from; /* the neighbour's number and 1 */

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv); /* first: Open MPI is to find PMIx untouched */
  shmem_init();
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  shmem_long_p(&from, rank + 1, (rank + 1) % shmem_n_pes());
  shmem_barrier_all();
  long sum = 0;
  MPI_Allreduce(&from, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d is PE %d of %d: sum %ld\n", rank, shmem_my_pe(), shmem_n_pes(), sum);
  shmem_finalize();
  MPI_Finalize();
  return 0;
}
