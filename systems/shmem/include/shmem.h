/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenSHMEM 1.5: processing elements that share memory by put, get and atomics. docs/shmem.md says
 * how programs are built and started; what each call promises is in the standard, and said here
 * only where that leaves a choice.
 */
#ifndef VERBENA_SHMEM_H
#define VERBENA_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#define SHMEM_API __attribute__((visibility("default")))

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Verbena"
#define SHMEM_VENDOR_MAJOR_VERSION 0
#define SHMEM_VENDOR_MINOR_VERSION 1

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_GE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_LE 5

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L

typedef struct shmem_ctx* shmem_ctx_t;
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

typedef struct shmem_team* shmem_team_t;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)
#define SHMEM_TEAM_NUM_CONTEXTS 1L

typedef struct shmem_team_config_t {
  int num_contexts;
} shmem_team_config_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- start and end ---- */

SHMEM_API void shmem_init(void);
/* Grants SHMEM_THREAD_MULTIPLE whatever is asked for. */
SHMEM_API int shmem_init_thread(int requested, int* provided);
SHMEM_API void shmem_query_thread(int* provided);
SHMEM_API void shmem_finalize(void);
SHMEM_API void shmem_global_exit(int status) __attribute__((noreturn));
/* For profilers that stand before the library; does nothing here. */
SHMEM_API void shmem_pcontrol(int level, ...);

/* ---- who is there ---- */

SHMEM_API int shmem_my_pe(void);
SHMEM_API int shmem_n_pes(void);
SHMEM_API int shmem_pe_accessible(int pe);
SHMEM_API int shmem_addr_accessible(const void* addr, int pe);
SHMEM_API void* shmem_ptr(const void* dest, int pe);
SHMEM_API void shmem_info_get_version(int* major, int* minor);
SHMEM_API void shmem_info_get_name(char* name);

/* ---- symmetric memory ---- */

SHMEM_API void* shmem_malloc(size_t size);
SHMEM_API void* shmem_malloc_with_hints(size_t size, long hints);
SHMEM_API void* shmem_calloc(size_t count, size_t size);
SHMEM_API void* shmem_align(size_t alignment, size_t size);
SHMEM_API void* shmem_realloc(void* ptr, size_t size);
SHMEM_API void shmem_free(void* ptr);

/* ---- contexts ---- */

SHMEM_API int shmem_ctx_create(long options, shmem_ctx_t* ctx);
SHMEM_API void shmem_ctx_destroy(shmem_ctx_t ctx);
SHMEM_API int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx);
SHMEM_API int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);

/* ---- teams ---- */

SHMEM_API int shmem_team_my_pe(shmem_team_t team);
SHMEM_API int shmem_team_n_pes(shmem_team_t team);
SHMEM_API int shmem_team_get_config(shmem_team_t team, long config_mask,
                                    shmem_team_config_t* config);
SHMEM_API int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
SHMEM_API int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                                       const shmem_team_config_t* config, long config_mask,
                                       shmem_team_t* new_team);
SHMEM_API int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                                  const shmem_team_config_t* xaxis_config, long xaxis_mask,
                                  shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                                  long yaxis_mask, shmem_team_t* yaxis_team);
SHMEM_API void shmem_team_destroy(shmem_team_t team);
SHMEM_API int shmem_team_sync(shmem_team_t team);
/* Of OpenSHMEM 1.6: as shmem_ptr(), by the number in a team. */
SHMEM_API void* shmem_team_ptr(shmem_team_t team, const void* dest, int pe);

/* ---- order ---- */

SHMEM_API void shmem_fence(void);
SHMEM_API void shmem_ctx_fence(shmem_ctx_t ctx);
SHMEM_API void shmem_quiet(void);
SHMEM_API void shmem_ctx_quiet(shmem_ctx_t ctx);

/* ---- all together ---- */

SHMEM_API void shmem_barrier_all(void);
SHMEM_API void shmem_sync_all(void);

/* ---- locks ---- */

SHMEM_API void shmem_set_lock(long* lock);
SHMEM_API void shmem_clear_lock(long* lock);
SHMEM_API int shmem_test_lock(long* lock);

/* ---- signals ---- */

SHMEM_API uint64_t shmem_signal_fetch(const uint64_t* sig_addr);
SHMEM_API uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

#ifdef __cplusplus
}
#endif

/* clang-format off */
#include "shmem_former.h"
#include "shmem_typed.h"
/* clang-format on */

#if defined(__cplusplus)
inline int shmem_sync(shmem_team_t team) {
  return shmem_team_sync(team);
}
#elif __STDC_VERSION__ >= 201112L
#define shmem_sync(...)                           \
  _Generic(SHMEM_FIRST(__VA_ARGS__), shmem_team_t \
           : shmem_team_sync, default             \
           : shmem_sync)(__VA_ARGS__)
#else /* the calls of 1.0 to 1.3 that have no type in their names */
#define shmem_wait shmem_long_wait
#define shmem_wait_until shmem_long_wait_until
#define shmem_swap shmem_long_swap
#endif

#endif
