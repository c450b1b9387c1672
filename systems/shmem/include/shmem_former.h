/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of OpenSHMEM 1.0 to 1.4 that the standard calls deprecated: for programs that have them.
 * Active sets are PE_size PEs from PE_start on, each 2 to the power of logPE_stride behind the one
 * before. pSync is symmetric and holds SHMEM_SYNC_VALUE between two calls; pWrk is not used.
 */
#ifndef VERBENA_SHMEM_FORMER_H
#define VERBENA_SHMEM_FORMER_H

#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 48
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE

#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING

#ifdef __cplusplus
extern "C" {
#endif

/* Ends by itself when the program returns from main(). */
SHMEM_API void start_pes(int npes);
SHMEM_API int _my_pe(void);
SHMEM_API int _num_pes(void);

SHMEM_API void* shmalloc(size_t size);
SHMEM_API void shfree(void* ptr);
SHMEM_API void* shrealloc(void* ptr, size_t size);
SHMEM_API void* shmemalign(size_t alignment, size_t size);

SHMEM_API void shmem_set_cache_inv(void);
SHMEM_API void shmem_clear_cache_inv(void);
SHMEM_API void shmem_set_cache_line_inv(void* dest);
SHMEM_API void shmem_clear_cache_line_inv(void* dest);
SHMEM_API void shmem_udcflush(void);
SHMEM_API void shmem_udcflush_line(void* dest);

SHMEM_API void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);
/* The destination at the root, whose number is that in the active set, stays as it is. */
SHMEM_API void shmem_broadcast32(void* dest, const void* source, size_t nelems, int PE_root,
                                 int PE_start, int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_broadcast64(void* dest, const void* source, size_t nelems, int PE_root,
                                 int PE_start, int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_collect32(void* dest, const void* source, size_t nelems, int PE_start,
                               int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_collect64(void* dest, const void* source, size_t nelems, int PE_start,
                               int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_fcollect32(void* dest, const void* source, size_t nelems, int PE_start,
                                int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_fcollect64(void* dest, const void* source, size_t nelems, int PE_start,
                                int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_alltoall32(void* dest, const void* source, size_t nelems, int PE_start,
                                int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_alltoall64(void* dest, const void* source, size_t nelems, int PE_start,
                                int logPE_stride, int PE_size, long* pSync);
SHMEM_API void shmem_alltoalls32(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,
                                 size_t nelems, int PE_start, int logPE_stride, int PE_size,
                                 long* pSync);
SHMEM_API void shmem_alltoalls64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,
                                 size_t nelems, int PE_start, int logPE_stride, int PE_size,
                                 long* pSync);

#ifdef __cplusplus
}
#endif

#endif
