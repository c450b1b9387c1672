/* SPDX-License-Identifier: Apache-2.0
 *
 * A profiler: it stands before the library, which it calls by the names of the profiling interface.
 */
#include <pshmem.h>
#include <stdio.h>

static int puts_seen, barriers_seen, level_seen;
static int from;

void shmem_int_p(int* dest, int value, int pe) {
  puts_seen++;
  pshmem_int_p(dest, value, pe);
}

void shmem_barrier_all(void) {
  barriers_seen++;
  pshmem_barrier_all();
}

void shmem_pcontrol(int level, ...) {
  level_seen = level;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int size = pshmem_n_pes();
  shmem_pcontrol(2);
  shmem_p(&from, me, (me + 1) % size);
  shmem_barrier_all();
  int is_right = from == (me + size - 1) % size && puts_seen == 1 && level_seen == 2;
  shmem_free(shmem_malloc(8)); /* the library's own barriers are nobody's calls */
  is_right = is_right && barriers_seen == 1;
  if (!is_right)
    printf("PE %d: from %d, %d puts, %d barriers, level %d\n", me, from, puts_seen, barriers_seen,
           level_seen);
  shmem_finalize();
  return is_right ? 0 : 1;
}
