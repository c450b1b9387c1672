// SPDX-License-Identifier: Apache-2.0
//
// Transfers of many elements, atomics of all PEs at once, and waits, with each type, between
// neighbours in a ring; every.c has each call by itself. Uses the standard's interface alone.
#include <shmemx.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "types.h"

namespace {

int me, size, right, left;
int failures = 0;

void check(bool holds, const char* what, const char* type) {
  if (holds) return;
  std::fprintf(stderr, "PE %d: %s of %s is wrong\n", me, what, type);
  failures++;
}

constexpr size_t kCount = 300;

template <typename T>
T* symmetric(size_t count) {
  auto* memory = static_cast<T*>(shmem_calloc(count, sizeof(T)));
  if (memory == nullptr) {
    std::printf("PE %d: no memory\n", me);
    shmem_global_exit(2);
  }
  return memory;
}

/// A value that tells who has written it and where, in any type.
template <typename T>
T mark(int pe, size_t i) {
  return static_cast<T>((static_cast<size_t>(pe) * 7 + i * 3 + 1) % 120);
}

template <typename T>
void checkAll(const T* values, int from, const char* what, const char* type) {
  bool holds = true;
  for (size_t i = 0; i < kCount; i++) holds = holds && values[i] == mark<T>(from, i);
  check(holds, what, type);
}

#define RMA(NAME, TYPE)                                                                            \
  {                                                                                                \
    using T = TYPE;                                                                                \
    T* there = symmetric<T>(kCount);                                                               \
    std::vector<T> own(kCount), got(kCount);                                                       \
    for (size_t i = 0; i < kCount; i++) own[i] = mark<T>(me, i);                                   \
    shmem_##NAME##_put(there, own.data(), kCount, right);                                          \
    shmem_barrier_all();                                                                           \
    checkAll(there, left, "put", #NAME);                                                           \
    shmem_##NAME##_get(got.data(), there, kCount, right);                                          \
    checkAll(got.data(), me, "get", #NAME);                                                        \
    shmem_barrier_all();                                                                           \
    for (size_t i = 0; i < kCount; i++) own[i] = mark<T>(me + 1, i);                               \
    shmem_ctx_##NAME##_put_nbi(SHMEM_CTX_DEFAULT, there, own.data(), kCount, right);               \
    shmem_barrier_all();                                                                           \
    checkAll(there, left + 1, "put_nbi", #NAME);                                                   \
    std::fill(got.begin(), got.end(), T{});                                                        \
    shmem_##NAME##_get_nbi(got.data(), there, kCount, right);                                      \
    shmem_quiet();                                                                                 \
    checkAll(got.data(), me + 1, "get_nbi", #NAME);                                                \
    shmem_barrier_all();                                                                           \
    shmem_##NAME##_p(&there[5], mark<T>(me, 5), right);                                            \
    shmem_barrier_all();                                                                           \
    check(there[5] == mark<T>(left, 5), "p", #NAME);                                               \
    check(shmem_##NAME##_g(&there[5], right) == mark<T>(me, 5), "g", #NAME);                       \
    shmem_barrier_all();                                                                           \
    std::memset(there, 0, kCount * sizeof(T));                                                     \
    shmem_barrier_all();                                                                           \
    for (size_t i = 0; i < kCount; i++) own[i] = mark<T>(me, i);                                   \
    shmem_##NAME##_iput(there, own.data(), 3, 2, kCount / 3, right);                               \
    shmem_barrier_all();                                                                           \
    bool holds = true;                                                                             \
    for (size_t i = 0; i < kCount / 3; i++) {                                                      \
      holds = holds && there[3 * i] == mark<T>(left, 2 * i) && there[3 * i + 1] == T{};            \
    }                                                                                              \
    check(holds, "iput", #NAME);                                                                   \
    std::fill(got.begin(), got.end(), T{});                                                        \
    shmem_##NAME##_iget(got.data(), there, 2, 3, kCount / 3, right);                               \
    holds = true;                                                                                  \
    for (size_t i = 0; i < kCount / 3; i++) holds = holds && got[2 * i] == own[2 * i];             \
    check(holds, "iget", #NAME);                                                                   \
    shmem_barrier_all();                                                                           \
    uint64_t* signals = symmetric<uint64_t>(1);                                                    \
    shmem_##NAME##_put_signal(there, own.data(), kCount, signals, 7, SHMEM_SIGNAL_SET, right);     \
    shmem_signal_wait_until(signals, SHMEM_CMP_EQ, 7);                                             \
    checkAll(there, left, "put_signal", #NAME);                                                    \
    shmem_barrier_all();                                                                           \
    for (size_t i = 0; i < kCount; i++) own[i] = mark<T>(me + 2, i);                               \
    shmem_##NAME##_put_signal_nbi(there, own.data(), kCount, signals, 5, SHMEM_SIGNAL_ADD, right); \
    check(shmem_signal_wait_until(signals, SHMEM_CMP_GT, 7) == 12, "signal add", #NAME);           \
    checkAll(there, left + 2, "put_signal_nbi", #NAME);                                            \
    shmem_free(signals);                                                                           \
    shmem_free(there);                                                                             \
  }

#define AMO(NAME, TYPE)                                                                            \
  {                                                                                                \
    using T = TYPE;                                                                                \
    T* there = symmetric<T>(4);                                                                    \
    T fetched{};                                                                                   \
    check(shmem_##NAME##_atomic_compare_swap(&there[0], T{1}, T{5}, right) == T{0},                \
          "compare_swap", #NAME);                                                                  \
    check(shmem_##NAME##_atomic_compare_swap(&there[0], T{0}, T{5}, right) == T{0},                \
          "compare_swap", #NAME);                                                                  \
    shmem_##NAME##_atomic_compare_swap_nbi(&fetched, &there[0], T{5}, T{6}, right);                \
    shmem_quiet();                                                                                 \
    check(fetched == T{5}, "compare_swap_nbi", #NAME);                                             \
    check(shmem_##NAME##_atomic_fetch_inc(&there[0], right) == T{6}, "fetch_inc", #NAME);          \
    check(shmem_##NAME##_atomic_fetch_add(&there[0], T{3}, right) == T{7}, "fetch_add", #NAME);    \
    shmem_##NAME##_atomic_fetch_add_nbi(&fetched, &there[0], T{2}, right);                         \
    shmem_quiet();                                                                                 \
    check(fetched == T{10}, "fetch_add_nbi", #NAME);                                               \
    shmem_##NAME##_atomic_fetch_inc_nbi(&fetched, &there[0], right);                               \
    shmem_quiet();                                                                                 \
    check(fetched == T{12}, "fetch_inc_nbi", #NAME);                                               \
    for (int i = 0; i < 100; i++) {                                                                \
      shmem_##NAME##_atomic_inc(&there[1], 0);                                                     \
      shmem_##NAME##_atomic_add(&there[2], static_cast<T>(2), 0);                                  \
    }                                                                                              \
    shmem_barrier_all();                                                                           \
    check(there[0] == T{13}, "the sum", #NAME);                                                    \
    if (me == 0) {                                                                                 \
      check(there[1] == static_cast<T>(100 * size), "inc of all", #NAME);                          \
      check(there[2] == static_cast<T>(200 * size), "add of all", #NAME);                          \
    }                                                                                              \
    shmem_barrier_all();                                                                           \
    shmem_##NAME##_p(&there[3], static_cast<T>(4), right);                                         \
    shmem_##NAME##_wait_until(&there[3], SHMEM_CMP_NE, T{0});                                      \
    check(shmem_##NAME##_test(&there[3], SHMEM_CMP_EQ, T{4}) == 1, "test", #NAME);                 \
    check(shmem_##NAME##_test(&there[3], SHMEM_CMP_LT, T{4}) == 0, "test", #NAME);                 \
    int status[4] = {1, 1, 1, 0};                                                                  \
    T values[4] = {T{}, T{}, T{}, T{4}};                                                           \
    size_t indices[4] = {};                                                                        \
    shmem_##NAME##_wait_until_all(there, 4, status, SHMEM_CMP_GE, T{4});                           \
    check(shmem_##NAME##_wait_until_any(there, 4, status, SHMEM_CMP_LE, T{4}) == 3, "any", #NAME); \
    check(shmem_##NAME##_wait_until_some(there, 4, indices, status, SHMEM_CMP_EQ, T{4}) == 1 &&    \
              indices[0] == 3,                                                                     \
          "some", #NAME);                                                                          \
    shmem_##NAME##_wait_until_all_vector(there, 4, status, SHMEM_CMP_EQ, values);                  \
    check(shmem_##NAME##_wait_until_any_vector(there, 4, status, SHMEM_CMP_EQ, values) == 3,       \
          "any_vector", #NAME);                                                                    \
    check(shmem_##NAME##_wait_until_some_vector(there, 4, indices, status, SHMEM_CMP_EQ,           \
                                                values) == 1,                                      \
          "some_vector", #NAME);                                                                   \
    check(shmem_##NAME##_test_all(there, 4, status, SHMEM_CMP_EQ, T{4}) == 1, "test_all", #NAME);  \
    check(shmem_##NAME##_test_any(there, 4, status, SHMEM_CMP_EQ, T{5}) == SIZE_MAX, "test_any",   \
          #NAME);                                                                                  \
    check(shmem_##NAME##_test_some(there, 4, indices, status, SHMEM_CMP_EQ, T{5}) == 0,            \
          "test_some", #NAME);                                                                     \
    check(shmem_##NAME##_test_all_vector(there, 4, status, SHMEM_CMP_EQ, values) == 1,             \
          "test_all_vector", #NAME);                                                               \
    check(shmem_##NAME##_test_any_vector(there, 4, status, SHMEM_CMP_EQ, values) == 3,             \
          "test_any_vector", #NAME);                                                               \
    check(shmem_##NAME##_test_some_vector(there, 4, indices, status, SHMEM_CMP_EQ, values) == 1,   \
          "test_some_vector", #NAME);                                                              \
    int none[4] = {1, 1, 1, 1};                                                                    \
    check(shmem_##NAME##_wait_until_any(there, 4, none, SHMEM_CMP_EQ, T{4}) == SIZE_MAX,           \
          "any of none", #NAME);                                                                   \
    check(shmem_##NAME##_wait_until_some(there, 4, indices, none, SHMEM_CMP_EQ, T{4}) == 0,        \
          "some of none", #NAME);                                                                  \
    shmem_free(there);                                                                             \
  }

void memory() {
  auto* first = static_cast<char*>(shmem_malloc(1000));
  auto* second = static_cast<char*>(shmem_align(4096, 10));
  check(reinterpret_cast<uintptr_t>(second) % 4096 == 0, "alignment", "memory");
  auto* third = static_cast<char*>(shmem_align(1 << 24, 10));
  check(third != nullptr && reinterpret_cast<uintptr_t>(third) % (1 << 24) == 0, "large alignment",
        "memory");
  shmem_free(third);
  shmem_putmem(nullptr, nullptr, 0, right);
  shmem_getmem(nullptr, nullptr, 0, right);
  std::memset(first, me, 1000);
  first = static_cast<char*>(shmem_realloc(first, 5000));
  bool holds = true;
  for (int i = 0; i < 1000; i++) holds = holds && first[i] == static_cast<char>(me);
  check(holds, "realloc", "memory");
  void* most = shmem_malloc(40 << 20);
  check(most != nullptr && shmem_realloc(most, 30 << 20) == most, "realloc to less", "memory");
  shmem_free(most);
  check(shmem_malloc(0) == nullptr, "malloc of nothing", "memory");
  check(shmem_malloc(SIZE_MAX / 4) == nullptr, "malloc of too much", "memory");
  check(shmem_addr_accessible(first, right) == 1 && shmem_addr_accessible(&holds, right) == 0,
        "addr_accessible", "memory");
  check(shmem_pe_accessible(size) == 0 && shmem_pe_accessible(0) == 1, "pe_accessible", "memory");
  check(shmem_ptr(first, me) == first, "ptr to oneself", "memory");
  if (void* other = shmem_ptr(first, right)) {
    shmem_barrier_all();
    check(*static_cast<char*>(other) == static_cast<char>(right), "ptr", "memory");
  } else {
    shmem_barrier_all();
  }
  shmem_barrier_all();
  shmem_free(second);
  shmem_free(first);
}

/// More than passes through at a time where memory is not mapped.
void large() {
  constexpr size_t kBytes = 5 << 20;
  auto* there = symmetric<char>(kBytes);
  std::vector<char> own(kBytes), got(kBytes);
  for (size_t i = 0; i < kBytes; i++)
    own[i] = static_cast<char>(i * 7 + i / 65536 + static_cast<size_t>(me));
  shmem_putmem(there, own.data(), kBytes, right);
  shmem_barrier_all();
  shmem_getmem(got.data(), there, kBytes, right);
  check(got == own, "5 MiB", "bytes");
  bool holds = true;
  for (size_t i = 0; i < kBytes; i++) {
    holds = holds && there[i] == static_cast<char>(i * 7 + i / 65536 + static_cast<size_t>(left));
  }
  check(holds, "5 MiB that were put", "bytes");
  shmem_barrier_all();
  shmem_free(there);
}

void contexts() {
  shmem_ctx_t ctx;
  check(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, "ctx_create", "contexts");
  long* there = symmetric<long>(1);
  shmem_ctx_long_p(ctx, there, 10 + me, right);
  shmem_put(ctx, there, there, 0, right);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  check(*there == 10 + left && shmem_g(ctx, there, right) == 10 + me, "p by a context", "contexts");
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_free(there);
}

}  // namespace

int main() {
  shmem_init();
  me = shmem_my_pe();
  size = shmem_n_pes();
  right = (me + 1) % size;
  left = (me + size - 1) % size;
  RMA_TYPES(RMA)
  AMO_TYPES(AMO)
  memory();
  large();
  contexts();
  shmem_finalize();
  return failures == 0 ? 0 : 1;
}
