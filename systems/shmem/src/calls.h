// SPDX-License-Identifier: Apache-2.0
//
// What the typed calls do, by type. Memory of PEs of this host is read and written as it is; that
// of others goes by Far, and so do atomics where a PE's device executes all of them.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "contexts.h"
#include "far.h"
#include "shmem.h"
#include "waiting.h"
#include "world.h"

namespace verbena::shmem {

/// An element that has a size and no type.
template <size_t size>
struct Bytes {
  std::byte bytes[size];
};

namespace calls {

template <typename T>
size_t bytesOf(size_t count) {
  if (count > std::numeric_limits<size_t>::max() / sizeof(T)) [[unlikely]] {
    refuse("so many elements have no address: " + std::to_string(count));
  }
  return count * sizeof(T);
}

// ---- put and get

template <typename T>
void put(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) {
  int of = worldPe(ctx, pe);
  size_t bytes = bytesOf<T>(nelems);
  if (bytes == 0) return checkPe(of);
  size_t offset = offsetOf(dest, bytes, of);
  if (auto* to = nearAt<std::byte>(offset, of)) {
    std::memcpy(to, source, bytes);
  } else {
    world.far->put(offset, source, bytes, static_cast<uint32_t>(of));
  }
}

template <typename T>
void getBy(void (Far::*far)(void*, size_t, size_t, uint32_t), shmem_ctx_t ctx, T* dest,
           const T* source, size_t nelems, int pe) {
  int of = worldPe(ctx, pe);
  size_t bytes = bytesOf<T>(nelems);
  if (bytes == 0) return checkPe(of);
  size_t offset = offsetOf(source, bytes, of);
  if (auto* from = nearAt<std::byte>(offset, of)) {
    std::memcpy(dest, from, bytes);
  } else {
    (world.far->*far)(dest, offset, bytes, static_cast<uint32_t>(of));
  }
}

template <typename T>
void get(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) {
  getBy(&Far::get, ctx, dest, source, nelems, pe);
}

template <typename T>
void put_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) {
  put(ctx, dest, source, nelems, pe);
}

/// Done behind quiet.
template <typename T>
void get_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, int pe) {
  getBy(&Far::beginGet, ctx, dest, source, nelems, pe);
}

inline void settle() {
  if (world.far != nullptr) world.far->settle();
}

/// One element. A PE that waits for it sees all of it or nothing.
template <typename T>
void p(shmem_ctx_t ctx, T* dest, T value, int pe) {
  int of = worldPe(ctx, pe);
  size_t offset = offsetOf(dest, sizeof value, of);
  auto* to = nearAt<T>(offset, of);
  if (to == nullptr) {
    world.far->put(offset, &value, sizeof value, static_cast<uint32_t>(of));
  } else if constexpr (sizeof(T) <= sizeof(uint64_t)) {
    __atomic_store(to, &value, __ATOMIC_RELAXED);
  } else {
    *to = value;
  }
}

template <typename T>
T g(shmem_ctx_t ctx, const T* source, int pe) {
  T value;
  get(ctx, &value, source, 1, pe);
  return value;
}

template <typename T>
void iput(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
          int pe) {
  for (size_t i = 0; i < nelems; i++, dest += dst, source += sst) put(ctx, dest, source, 1, pe);
}

template <typename T>
void iget(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
          int pe) {
  for (size_t i = 0; i < nelems; i++, dest += dst, source += sst) get_nbi(ctx, dest, source, 1, pe);
  settle();
}

// ---- atomics

/// Changes a value by an instruction of the processor; where atomics are the device's, by what
/// `next` makes of it, which may be called often. Returns the former one.
template <typename T, typename Near, typename Next>
T update(shmem_ctx_t ctx, T* dest, int pe, Near near, Next next) {
  int of = worldPe(ctx, pe);
  size_t offset = offsetOf(dest, sizeof(T), of);
  if (auto* at = nearForAtomicsAt<T>(offset, of)) return near(at);
  return world.far->replace<T>(offset, static_cast<uint32_t>(of), next);
}

/// Where the device has an instruction, too, of 8 bytes.
template <typename T, typename Near, typename Away, typename Next>
T update(shmem_ctx_t ctx, T* dest, int pe, Near near, Away away, Next next) {
  if constexpr (sizeof(T) == sizeof(uint64_t)) {
    int of = worldPe(ctx, pe);
    size_t offset = offsetOf(dest, sizeof(T), of);
    auto* at = nearForAtomicsAt<T>(offset, of);
    return at != nullptr ? near(at) : away(offset, static_cast<uint32_t>(of));
  } else {
    return update(ctx, dest, pe, near, next);
  }
}

template <typename T>
T atomic_fetch(shmem_ctx_t ctx, const T* source, int pe) {
  int of = worldPe(ctx, pe);
  size_t offset = offsetOf(source, sizeof(T), of);
  if (auto* at = nearAt<T>(offset, of)) {
    T value;
    __atomic_load(at, &value, __ATOMIC_SEQ_CST);
    lookedInVain();  // programs ask again and again
    return value;
  }
  T value;
  world.far->get(&value, offset, sizeof value, static_cast<uint32_t>(of));
  return value;
}

template <typename T>
T atomic_swap(shmem_ctx_t ctx, T* dest, T value, int pe) {
  auto near = [&](T* at) {
    T before;
    __atomic_exchange(at, &value, &before, __ATOMIC_SEQ_CST);
    return before;
  };
  return update(ctx, dest, pe, near, [&](T) { return value; });
}

template <typename T>
void atomic_set(shmem_ctx_t ctx, T* dest, T value, int pe) {
  static_cast<void>(atomic_swap(ctx, dest, value, pe));
}

template <typename T>
T atomic_compare_swap(shmem_ctx_t ctx, T* dest, T cond, T value, int pe) {
  auto near = [&](T* at) {
    T before = cond;
    if (!__atomic_compare_exchange(at, &before, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      lookedInVain();
    return before;
  };
  auto away = [&](size_t offset, uint32_t of) {
    return static_cast<T>(world.far->compareSwap(offset, of, static_cast<uint64_t>(cond),
                                                 static_cast<uint64_t>(value)));
  };
  auto next = [&](T before) { return before == cond ? value : before; };
  return update(ctx, dest, pe, near, away, next);
}

template <typename T>
T sumOf(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}

template <typename T>
T atomic_fetch_add(shmem_ctx_t ctx, T* dest, T value, int pe) {
  auto near = [&](T* at) { return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST); };
  auto away = [&](size_t offset, uint32_t of) {
    return static_cast<T>(world.far->fetchAdd(offset, of, static_cast<uint64_t>(value)));
  };
  return update(ctx, dest, pe, near, away, [&](T before) { return sumOf(before, value); });
}
template <typename T>
void atomic_add(shmem_ctx_t ctx, T* dest, T value, int pe) {
  static_cast<void>(atomic_fetch_add(ctx, dest, value, pe));
}
template <typename T>
T atomic_fetch_inc(shmem_ctx_t ctx, T* dest, int pe) {
  return atomic_fetch_add(ctx, dest, T{1}, pe);
}
template <typename T>
void atomic_inc(shmem_ctx_t ctx, T* dest, int pe) {
  atomic_add(ctx, dest, T{1}, pe);
}

template <typename T>
T atomic_fetch_and(shmem_ctx_t ctx, T* dest, T value, int pe) {
  auto near = [&](T* at) { return __atomic_fetch_and(at, value, __ATOMIC_SEQ_CST); };
  return update(ctx, dest, pe, near, [&](T before) { return static_cast<T>(before & value); });
}
template <typename T>
T atomic_fetch_or(shmem_ctx_t ctx, T* dest, T value, int pe) {
  auto near = [&](T* at) { return __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST); };
  return update(ctx, dest, pe, near, [&](T before) { return static_cast<T>(before | value); });
}
template <typename T>
T atomic_fetch_xor(shmem_ctx_t ctx, T* dest, T value, int pe) {
  auto near = [&](T* at) { return __atomic_fetch_xor(at, value, __ATOMIC_SEQ_CST); };
  return update(ctx, dest, pe, near, [&](T before) { return static_cast<T>(before ^ value); });
}
template <typename T>
void atomic_and(shmem_ctx_t ctx, T* dest, T value, int pe) {
  static_cast<void>(atomic_fetch_and(ctx, dest, value, pe));
}
template <typename T>
void atomic_or(shmem_ctx_t ctx, T* dest, T value, int pe) {
  static_cast<void>(atomic_fetch_or(ctx, dest, value, pe));
}
template <typename T>
void atomic_xor(shmem_ctx_t ctx, T* dest, T value, int pe) {
  static_cast<void>(atomic_fetch_xor(ctx, dest, value, pe));
}

// Those that need not be done when they return are done.

template <typename T>
void atomic_fetch_nbi(shmem_ctx_t ctx, T* fetch, const T* source, int pe) {
  *fetch = atomic_fetch(ctx, source, pe);
}
template <typename T>
void atomic_swap_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_swap(ctx, dest, value, pe);
}
template <typename T>
void atomic_compare_swap_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T cond, T value, int pe) {
  *fetch = atomic_compare_swap(ctx, dest, cond, value, pe);
}
template <typename T>
void atomic_fetch_inc_nbi(shmem_ctx_t ctx, T* fetch, T* dest, int pe) {
  *fetch = atomic_fetch_inc(ctx, dest, pe);
}
template <typename T>
void atomic_fetch_add_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_add(ctx, dest, value, pe);
}
template <typename T>
void atomic_fetch_and_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_and(ctx, dest, value, pe);
}
template <typename T>
void atomic_fetch_or_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_or(ctx, dest, value, pe);
}
template <typename T>
void atomic_fetch_xor_nbi(shmem_ctx_t ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_xor(ctx, dest, value, pe);
}

// ---- put with signal

/// Behind what was put: whoever sees the signal sees the bytes.
void signal(int pe, uint64_t* sig_addr, uint64_t value, int sig_op);

template <typename T>
void put_signal(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, uint64_t* sig_addr,
                uint64_t value, int sig_op, int pe) {
  put(ctx, dest, source, nelems, pe);
  signal(worldPe(ctx, pe), sig_addr, value, sig_op);
}
template <typename T>
void put_signal_nbi(shmem_ctx_t ctx, T* dest, const T* source, size_t nelems, uint64_t* sig_addr,
                    uint64_t value, int sig_op, int pe) {
  put_signal(ctx, dest, source, nelems, sig_addr, value, sig_op, pe);
}

// ---- waiting

template <typename T>
bool holds(const T* ivar, int cmp, T value) {
  T now;
  // acquire pairs with whatever orders the writer's stores: fence, quiet or the signal itself
  __atomic_load(ivar, &now, __ATOMIC_ACQUIRE);
  switch (cmp) {
    case SHMEM_CMP_EQ: return now == value;
    case SHMEM_CMP_NE: return now != value;
    case SHMEM_CMP_GT: return now > value;
    case SHMEM_CMP_GE: return now >= value;
    case SHMEM_CMP_LT: return now < value;
    case SHMEM_CMP_LE: return now <= value;
    default: refuse("no comparison has the number " + std::to_string(cmp));
  }
}

/// Several variables, of which those with a status that is not 0 are passed over.
template <typename T, typename Value>
struct Watched {
  const T* ivars;
  size_t count;
  const int* status;
  int cmp;
  Value valueOf;

  bool counts(size_t i) const { return status == nullptr || status[i] == 0; }
  bool isEmpty() const {
    for (size_t i = 0; i < count; i++) {
      if (counts(i)) return false;
    }
    return true;
  }
  bool allHold() const {
    for (size_t i = 0; i < count; i++) {
      if (counts(i) && !holds<T>(&ivars[i], cmp, valueOf(i))) return false;
    }
    return true;
  }
  /// From one after another each time, so that none is passed over for long.
  size_t any() const {
    static thread_local size_t turn = 0;
    for (size_t k = 0; k < count; k++) {
      size_t i = (turn + k) % count;
      if (!counts(i) || !holds<T>(&ivars[i], cmp, valueOf(i))) continue;
      turn = i + 1;
      return i;
    }
    return SIZE_MAX;
  }
  size_t some(size_t* indices) const {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
      if (counts(i) && holds<T>(&ivars[i], cmp, valueOf(i))) indices[found++] = i;
    }
    return found;
  }
};

template <typename T>
auto watched(const T* ivars, size_t count, const int* status, int cmp, T value) {
  auto same = [value](size_t) { return value; };
  return Watched<T, decltype(same)>{ivars, count, status, cmp, same};
}
template <typename T>
auto watchedEach(const T* ivars, size_t count, const int* status, int cmp, const T* values) {
  auto each = [values](size_t i) { return values[i]; };
  return Watched<T, decltype(each)>{ivars, count, status, cmp, each};
}

template <typename W>
size_t awaitAny(const W& all) {
  if (all.isEmpty()) return SIZE_MAX;
  size_t found = SIZE_MAX;
  awaitUntil([&] { return (found = all.any()) != SIZE_MAX; });
  return found;
}
template <typename W>
size_t awaitSome(const W& all, size_t* indices) {
  if (all.isEmpty()) return 0;
  size_t found = 0;
  awaitUntil([&] { return (found = all.some(indices)) != 0; });
  return found;
}
/// A program may ask again and again for what another PE is about to write.
template <typename Test, typename Found>
Found tested(Test test, Found nothing) {
  glance();
  Found found = test();
  if (found == nothing) lookedInVain();
  return found;
}

template <typename T>
void wait_until(T* ivar, int cmp, T value) {
  awaitUntil([&] { return holds<T>(ivar, cmp, value); });
}
template <typename T>
void wait_until_all(T* ivars, size_t n, const int* status, int cmp, T value) {
  auto all = watched<T>(ivars, n, status, cmp, value);
  awaitUntil([&] { return all.allHold(); });
}
template <typename T>
size_t wait_until_any(T* ivars, size_t n, const int* status, int cmp, T value) {
  return awaitAny(watched<T>(ivars, n, status, cmp, value));
}
template <typename T>
size_t wait_until_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value) {
  return awaitSome(watched<T>(ivars, n, status, cmp, value), indices);
}
template <typename T>
void wait_until_all_vector(T* ivars, size_t n, const int* status, int cmp, T* values) {
  auto all = watchedEach<T>(ivars, n, status, cmp, values);
  awaitUntil([&] { return all.allHold(); });
}
template <typename T>
size_t wait_until_any_vector(T* ivars, size_t n, const int* status, int cmp, T* values) {
  return awaitAny(watchedEach<T>(ivars, n, status, cmp, values));
}
template <typename T>
size_t wait_until_some_vector(T* ivars, size_t n, size_t* indices, const int* status, int cmp,
                              T* values) {
  return awaitSome(watchedEach<T>(ivars, n, status, cmp, values), indices);
}

template <typename T>
int test(T* ivar, int cmp, T value) {
  return tested([&] { return holds<T>(ivar, cmp, value) ? 1 : 0; }, 0);
}
template <typename T>
int test_all(T* ivars, size_t n, const int* status, int cmp, T value) {
  return tested([&] { return watched<T>(ivars, n, status, cmp, value).allHold() ? 1 : 0; }, 0);
}
template <typename T>
size_t test_any(T* ivars, size_t n, const int* status, int cmp, T value) {
  return tested([&] { return watched<T>(ivars, n, status, cmp, value).any(); }, SIZE_MAX);
}
template <typename T>
size_t test_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value) {
  return tested([&] { return watched<T>(ivars, n, status, cmp, value).some(indices); }, size_t{0});
}
template <typename T>
int test_all_vector(T* ivars, size_t n, const int* status, int cmp, T* values) {
  return tested([&] { return watchedEach<T>(ivars, n, status, cmp, values).allHold() ? 1 : 0; }, 0);
}
template <typename T>
size_t test_any_vector(T* ivars, size_t n, const int* status, int cmp, T* values) {
  return tested([&] { return watchedEach<T>(ivars, n, status, cmp, values).any(); }, SIZE_MAX);
}
template <typename T>
size_t test_some_vector(T* ivars, size_t n, size_t* indices, const int* status, int cmp,
                        T* values) {
  return tested([&] { return watchedEach<T>(ivars, n, status, cmp, values).some(indices); },
                size_t{0});
}

}  // namespace calls
}  // namespace verbena::shmem
