/* SPDX-License-Identifier: Apache-2.0
 *
 * What each call of the table has to do, for interface/generate.py's every.c: EVERY_CALL(FUNCTION,
 * CONTEXT, TYPE). Each PE works on memory of the next one that nobody else touches meanwhile.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMA ,
enum { ELEMENTS = 4, TURNS = 2 };

struct wide {
  uint64_t words[2];
};

static int me, size, right;
static shmem_ctx_t context;
static char *there, *source; /* symmetric */
static uint64_t* signals;
static long* sync_arrays[TURNS];
static unsigned turn;
static unsigned calls;
static _Alignas(16) char own[1024], got[1024], wanted[1024];

static void check(int holds, const char* what) {
  calls++;
  if (holds) return;
  fprintf(stderr, "PE %d: %s is wrong\n", me, what);
  shmem_global_exit(1);
}

static void fill(char* bytes, size_t count) {
  for (size_t i = 0; i < count; i++) bytes[i] = (char)(turn * 29 + (unsigned)me * 7 + i);
  turn++;
}

/* What lies at the next PE. */
static void look(size_t count) {
  shmem_quiet();
  shmem_getmem(got, there, count, right);
}

static void put(const void* bytes, size_t count) {
  shmem_putmem(there, bytes, count, right);
  shmem_quiet();
}

/* Of a member. */
#define VALUE(T, pe) ((T)(1 + (pe) % 3))

#define EVERY_put(F, C, T)                        \
  fill(own, ELEMENTS * sizeof(T));                \
  F(C(T*) there, (const T*)own, ELEMENTS, right); \
  look(ELEMENTS * sizeof(T));                     \
  check(memcmp(got, own, ELEMENTS * sizeof(T)) == 0, #F);
#define EVERY_put_nbi EVERY_put
/* sized forms count bytes */
#define EVERY_get(F, C, T)                        \
  fill(own, ELEMENTS * sizeof(T));                \
  put(own, ELEMENTS * sizeof(T));                 \
  F(C(T*) got, (const T*)there, ELEMENTS, right); \
  shmem_quiet();                                  \
  check(memcmp(got, own, ELEMENTS * sizeof(T)) == 0, #F);
#define EVERY_get_nbi EVERY_get
#define EVERY_iput(F, C, T)                             \
  fill(own, 2 * ELEMENTS * sizeof(T));                  \
  F(C(T*) there, (const T*)own, 1, 2, ELEMENTS, right); \
  look(ELEMENTS * sizeof(T));                           \
  for (size_t i = 0; i < ELEMENTS; i++)                 \
    check(memcmp(got + i * sizeof(T), own + 2 * i * sizeof(T), sizeof(T)) == 0, #F);
#define EVERY_iget(F, C, T)                             \
  fill(own, 2 * ELEMENTS * sizeof(T));                  \
  put(own, 2 * ELEMENTS * sizeof(T));                   \
  F(C(T*) got, (const T*)there, 1, 2, ELEMENTS, right); \
  for (size_t i = 0; i < ELEMENTS; i++)                 \
    check(memcmp(got + i * sizeof(T), own + 2 * i * sizeof(T), sizeof(T)) == 0, #F);
#define EVERY_put_signal(F, C, T)                                                  \
  fill(own, ELEMENTS * sizeof(T));                                                 \
  F(C(T*) there, (const T*)own, ELEMENTS, signals, turn, SHMEM_SIGNAL_SET, right); \
  look(ELEMENTS * sizeof(T));                                                      \
  check(memcmp(got, own, ELEMENTS * sizeof(T)) == 0 && shmem_uint64_g(signals, right) == turn, #F);
#define EVERY_put_signal_nbi EVERY_put_signal

/* One element, which is `before` at first and has to be `after` then. */
#define CHANGES(F, T, before, call, after)          \
  {                                                 \
    T at = (T)(before), then = (T)0;                \
    put(&at, sizeof at);                            \
    call;                                           \
    shmem_quiet();                                  \
    shmem_getmem(&then, there, sizeof then, right); \
    check(then == (T)(after), #F);                  \
  }
#define TELLS(F, T, before, call, after) \
  CHANGES(F, T, before, check((call) == (T)(before), #F), after)
#define FETCHES(F, T, before, call, after) \
  {                                        \
    T fetched = (T)0;                      \
    CHANGES(F, T, before, call, after)     \
    check(fetched == (T)(before), #F);     \
  }
#define AT(T) (T*)there
#define EVERY_p(F, C, T) CHANGES(F, T, 1, F(C AT(T), (T)9, right), 9)
#define EVERY_g(F, C, T) TELLS(F, T, 7, F(C(const T*) there, right), 7)
#define EVERY_atomic_fetch EVERY_g
#define EVERY_atomic_set EVERY_p
#define EVERY_atomic_swap(F, C, T) TELLS(F, T, 7, F(C AT(T), (T)9, right), 9)
#define EVERY_atomic_compare_swap(F, C, T)         \
  TELLS(F, T, 7, F(C AT(T), (T)7, (T)9, right), 9) \
  TELLS(F, T, 7, F(C AT(T), (T)8, (T)9, right), 7)
#define EVERY_atomic_fetch_inc(F, C, T) TELLS(F, T, 7, F(C AT(T), right), 8)
#define EVERY_atomic_inc(F, C, T) CHANGES(F, T, 7, F(C AT(T), right), 8)
#define EVERY_atomic_fetch_add(F, C, T) TELLS(F, T, 7, F(C AT(T), (T)5, right), 12)
#define EVERY_atomic_add(F, C, T) CHANGES(F, T, 7, F(C AT(T), (T)5, right), 12)
#define EVERY_atomic_fetch_and(F, C, T) TELLS(F, T, 7, F(C AT(T), (T)10, right), 2)
#define EVERY_atomic_and(F, C, T) CHANGES(F, T, 7, F(C AT(T), (T)10, right), 2)
#define EVERY_atomic_fetch_or(F, C, T) TELLS(F, T, 7, F(C AT(T), (T)10, right), 15)
#define EVERY_atomic_or(F, C, T) CHANGES(F, T, 7, F(C AT(T), (T)10, right), 15)
#define EVERY_atomic_fetch_xor(F, C, T) TELLS(F, T, 7, F(C AT(T), (T)10, right), 13)
#define EVERY_atomic_xor(F, C, T) CHANGES(F, T, 7, F(C AT(T), (T)10, right), 13)
#define EVERY_atomic_fetch_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), right), 7)
#define EVERY_atomic_swap_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), (T)9, right), 9)
#define EVERY_atomic_compare_swap_nbi(F, C, T) \
  FETCHES(F, T, 7, F(C& fetched, AT(T), (T)7, (T)9, right), 9)
#define EVERY_atomic_fetch_inc_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), right), 8)
#define EVERY_atomic_fetch_add_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), (T)5, right), 12)
#define EVERY_atomic_fetch_and_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), (T)10, right), 2)
#define EVERY_atomic_fetch_or_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), (T)10, right), 15)
#define EVERY_atomic_fetch_xor_nbi(F, C, T) FETCHES(F, T, 7, F(C& fetched, AT(T), (T)10, right), 13)
#define EVERY_fetch EVERY_g
#define EVERY_set EVERY_p
#define EVERY_swap EVERY_atomic_swap
#define EVERY_cswap EVERY_atomic_compare_swap
#define EVERY_finc EVERY_atomic_fetch_inc
#define EVERY_inc EVERY_atomic_inc
#define EVERY_fadd EVERY_atomic_fetch_add
#define EVERY_add EVERY_atomic_add

/* Two elements of this PE's own, 3 and 4. */
#define HOLDS(F, T, call, result)             \
  {                                           \
    T ivars[2] = {(T)3, (T)4};                \
    T values[2] = {(T)9, (T)4};               \
    size_t indices[2] = {9, 9};               \
    (void)ivars, (void)values, (void)indices; \
    check((call) == (result), #F);            \
  }
#define DONE(F, T, call) HOLDS(F, T, (call, 0), 0)
#define EQ SHMEM_CMP_EQ
#define EVERY_wait_until(F, C, T) DONE(F, T, F(ivars, EQ, (T)3))
#define EVERY_wait(F, C, T) DONE(F, T, F(ivars, (T)9))
#define EVERY_wait_until_all(F, C, T) DONE(F, T, F(ivars, 2, NULL, SHMEM_CMP_GE, (T)3))
#define EVERY_wait_until_any(F, C, T) HOLDS(F, T, F(ivars, 2, NULL, EQ, (T)4), 1)
#define EVERY_wait_until_some(F, C, T) \
  HOLDS(F, T, F(ivars, 2, indices, NULL, EQ, (T)4) + indices[0], 2)
#define EVERY_wait_until_all_vector(F, C, T) DONE(F, T, F(ivars, 2, NULL, SHMEM_CMP_LE, values))
#define EVERY_wait_until_any_vector(F, C, T) HOLDS(F, T, F(ivars, 2, NULL, EQ, values), 1)
#define EVERY_wait_until_some_vector(F, C, T) \
  HOLDS(F, T, F(ivars, 2, indices, NULL, EQ, values) + indices[0], 2)
#define EVERY_test(F, C, T) HOLDS(F, T, F(ivars, EQ, (T)3), 1) HOLDS(F, T, F(ivars, EQ, (T)4), 0)
#define EVERY_test_all(F, C, T) HOLDS(F, T, F(ivars, 2, NULL, EQ, (T)3), 0)
#define EVERY_test_any EVERY_wait_until_any
#define EVERY_test_some EVERY_wait_until_some
#define EVERY_test_all_vector(F, C, T) HOLDS(F, T, F(ivars, 2, NULL, EQ, values), 0)
#define EVERY_test_any_vector EVERY_wait_until_any_vector
#define EVERY_test_some_vector EVERY_wait_until_some_vector

/* Each member has two elements for each one. */
#define MOVES(F, T, call, from, count, member)                                                     \
  for (int pe = 0; pe < size; pe++)                                                                \
    for (int to = 0; to < 2 * size; to++)                                                          \
      memset(wanted + (pe * 2 * size + to) * (int)sizeof(T), 16 * pe + to, sizeof(T));             \
  memcpy(source, wanted + me * 2 * size * (int)sizeof(T), 2 * (size_t)size * sizeof(T));           \
  shmem_barrier_all();                                                                             \
  check((call) == 0, #F);                                                                          \
  for (int member = 0; member < (count); member++)                                                 \
    check(                                                                                         \
        memcmp(there + member * (int)sizeof(T), wanted + (from) * (int)sizeof(T), sizeof(T)) == 0, \
        #F);                                                                                       \
  shmem_barrier_all();
#define WORLD SHMEM_TEAM_WORLD
#define EVERY_broadcast(F, C, T) \
  MOVES(F, T, F(WORLD, (T*)there, (const T*)source, 2, size - 1), (size - 1) * 2 * size + i, 2, i)
#define EVERY_collect(F, C, T) \
  MOVES(F, T, F(WORLD, (T*)there, (const T*)source, 2), i / 2 * 2 * size + i % 2, 2 * size, i)
#define EVERY_fcollect EVERY_collect
#define EVERY_alltoall(F, C, T)                                                            \
  MOVES(F, T, F(WORLD, (T*)there, (const T*)source, 2), i / 2 * 2 * size + 2 * me + i % 2, \
        2 * size, i)
#define EVERY_alltoalls(F, C, T) \
  MOVES(F, T, F(WORLD, (T*)there, (const T*)source, 1, 2, 1), i * 2 * size + 2 * me, size, i)

#define REDUCES(F, T, call, combine)    \
  {                                     \
    T* mine = (T*)source;               \
    T* dest = (T*)there;                \
    mine[0] = VALUE(T, me);             \
    mine[1] = (T)1;                     \
    T all = VALUE(T, 0);                \
    for (int pe = 1; pe < size; pe++) { \
      T next = VALUE(T, pe);            \
      all = (T)(combine);               \
    }                                   \
    shmem_barrier_all();                \
    call;                               \
    check(dest[0] == all, #F);          \
    shmem_barrier_all();                \
  }
#define REDUCE(F, T, combine) REDUCES(F, T, check(F(WORLD, dest, mine, 2) == 0, #F), combine)
#define TO_ALL(F, T, combine)                                                             \
  {                                                                                       \
    T work[2];                                                                            \
    turn++;                                                                               \
    REDUCES(F, T, F(dest, mine, 2, 0, 0, size, work, sync_arrays[turn % TURNS]), combine) \
  }
#define EVERY_and_reduce(F, C, T) REDUCE(F, T, all& next)
#define EVERY_or_reduce(F, C, T) REDUCE(F, T, all | next)
#define EVERY_xor_reduce(F, C, T) REDUCE(F, T, all ^ next)
#define EVERY_max_reduce(F, C, T) REDUCE(F, T, next > all ? next : all)
#define EVERY_min_reduce(F, C, T) REDUCE(F, T, next < all ? next : all)
#define EVERY_sum_reduce(F, C, T) REDUCE(F, T, all + next)
#define EVERY_prod_reduce(F, C, T) REDUCE(F, T, all* next)
#define EVERY_and_to_all(F, C, T) TO_ALL(F, T, all& next)
#define EVERY_or_to_all(F, C, T) TO_ALL(F, T, all | next)
#define EVERY_xor_to_all(F, C, T) TO_ALL(F, T, all ^ next)
#define EVERY_max_to_all(F, C, T) TO_ALL(F, T, next > all ? next : all)
#define EVERY_min_to_all(F, C, T) TO_ALL(F, T, next < all ? next : all)
#define EVERY_sum_to_all(F, C, T) TO_ALL(F, T, all + next)
#define EVERY_prod_to_all(F, C, T) TO_ALL(F, T, all* next)

static void every(void);

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  size = shmem_n_pes();
  right = (me + 1) % size;
  there = shmem_calloc(1, sizeof own);
  source = shmem_calloc(1, sizeof own);
  signals = shmem_calloc(1, sizeof *signals);
  for (int i = 0; i < TURNS; i++)
    sync_arrays[i] = shmem_calloc(SHMEM_REDUCE_SYNC_SIZE, sizeof(long));
  check(shmem_ctx_create(0, &context) == 0, "shmem_ctx_create");
  every();
  shmem_ctx_destroy(context);
  shmem_finalize();
  if (me == 0) printf("%u checks\n", calls);
  return 0;
}
