/* SPDX-License-Identifier: Apache-2.0
 *
 * shmem-misuse MODE: does what must not be done.
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long sync_array[SHMEM_BARRIER_SYNC_SIZE];

int main(int count, char** words) {
  const char* mode = count > 1 ? words[1] : "";
  long own = 0;
  if (strcmp(mode, "before") == 0) shmem_long_p(&own, 1, 0);
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
    if (strcmp(mode, "exit") == 0) shmem_global_exit(3);
  }
  if (strcmp(mode, "others-lock") == 0 && shmem_my_pe() == 1) shmem_set_lock((long*)memory);
  if (strcmp(mode, "wait") == 0 && shmem_my_pe() == 1) {
    sleep(2);
    shmem_long_p((long*)memory, 5, 0);
  }
  if (strcmp(mode, "free") == 0) shmem_free(memory + 1);
  if (strcmp(mode, "behind") != 0) shmem_barrier_all();
  shmem_finalize();
  if (strcmp(mode, "behind") == 0) shmem_long_p((long*)memory, 1, 0);
  return 0;
}
