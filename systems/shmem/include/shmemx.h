/* SPDX-License-Identifier: Apache-2.0
 *
 * Beyond OpenSHMEM: memory that a PE allocates at another one, which takes no part in it. Any PE
 * reaches it by a global pointer, which may be handed on like any other value (docs/shmem.md).
 *
 * Threads: any. Calls of several threads of one PE take turns. A call that is given a null pointer,
 * memory that was freed, or bytes beyond it ends the PE with a sentence.
 */
#ifndef VERBENA_SHMEMX_H
#define VERBENA_SHMEMX_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The members are the library's. All zero: null. */
typedef struct {
  uint64_t place;
  uint64_t life;
} shmemx_gptr;

/** Null if `size` is 0 or PE `pe` has no room left. The memory begins at a multiple of 64 bytes,
 * and has whatever was there before. */
SHMEM_API shmemx_gptr shmemx_malloc_at(size_t size, int pe);
/** Once, by any PE; nothing if it is null. An operation of another PE that meets it is done whole,
 * before the memory is given again, or finds the memory freed. */
SHMEM_API void shmemx_free_at(shmemx_gptr ptr);

static inline int shmemx_gptr_is_null(shmemx_gptr ptr) {
  return ptr.life == 0;
}
/** Where the memory is, of a pointer that is not null. */
static inline int shmemx_gptr_pe(shmemx_gptr ptr) {
  return (int)(ptr.place >> 32);
}

/** The memory in this process, as shmem_ptr() has it: null where this PE has not mapped that of the
 * other one. Nothing checks what is done by it, and the memory must not be freed meanwhile. */
SHMEM_API void* shmemx_gptr_ptr(shmemx_gptr ptr);

/** `bytes` bytes from `offset` bytes behind the pointer on. They are there when it returns. */
SHMEM_API void shmemx_gptr_putmem(shmemx_gptr dest, size_t offset, const void* source,
                                  size_t bytes);
SHMEM_API void shmemx_gptr_getmem(void* dest, shmemx_gptr source, size_t offset, size_t bytes);

/** Of 8 bytes; `offset` is a multiple of 8. All but set return the value that was there. */
SHMEM_API uint64_t shmemx_gptr_atomic_fetch(shmemx_gptr source, size_t offset);
SHMEM_API void shmemx_gptr_atomic_set(shmemx_gptr dest, size_t offset, uint64_t value);
SHMEM_API uint64_t shmemx_gptr_atomic_swap(shmemx_gptr dest, size_t offset, uint64_t value);
SHMEM_API uint64_t shmemx_gptr_atomic_fetch_add(shmemx_gptr dest, size_t offset, uint64_t value);
SHMEM_API uint64_t shmemx_gptr_atomic_compare_swap(shmemx_gptr dest, size_t offset, uint64_t cond,
                                                   uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
