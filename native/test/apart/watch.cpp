// SPDX-License-Identifier: Apache-2.0
//
// Takes the calls that -fno-inline-atomics makes of operations on atomics. This file itself is
// compiled without it.
#include "watch.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace verbena::watch {
namespace {

thread_local bool watching = false;
thread_local Words* words = nullptr;

void note(const volatile void* changed, const void* from) {
  if (!watching) return;
  watching = false;  // what the map itself does is not meant
  words->try_emplace(const_cast<const void*>(changed), from);
  watching = true;
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void begin() {
  words = new Words;
  watching = true;
}

Words end() {
  watching = false;
  Words noted = *words;
  delete words;
  return noted;
}

}  // namespace verbena::watch

using verbena::watch::note;

#define WATCH_SIZE(T, N)                                                                       \
  extern "C" T watchLoad##N(const volatile T* word, int) __asm__("__atomic_load_" #N);         \
  T watchLoad##N(const volatile T* word, int) {                                                \
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);                                            \
  }                                                                                            \
  extern "C" void watchStore##N(volatile T* word, T value, int) __asm__("__atomic_store_" #N); \
  void watchStore##N(volatile T* word, T value, int) {                                         \
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);                                           \
  }                                                                                            \
  extern "C" bool watchSwap##N(volatile T* word, T* expected, T value, int,                    \
                               int) __asm__("__atomic_compare_exchange_" #N);                  \
  bool watchSwap##N(volatile T* word, T* expected, T value, int, int) {                        \
    note(word, __builtin_return_address(0));                                                   \
    return __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_SEQ_CST,         \
                                       __ATOMIC_SEQ_CST);                                      \
  }                                                                                            \
  WATCH_OPERATION(T, N, exchange, __atomic_exchange_n)                                         \
  WATCH_OPERATION(T, N, fetch_add, __atomic_fetch_add)                                         \
  WATCH_OPERATION(T, N, fetch_sub, __atomic_fetch_sub)                                         \
  WATCH_OPERATION(T, N, fetch_and, __atomic_fetch_and)                                         \
  WATCH_OPERATION(T, N, fetch_or, __atomic_fetch_or)                                           \
  WATCH_OPERATION(T, N, fetch_xor, __atomic_fetch_xor)

#define WATCH_OPERATION(T, N, NAME, BUILTIN)                                                      \
  extern "C" T watch_##NAME##N(volatile T* word, T value, int) __asm__("__atomic_" #NAME "_" #N); \
  T watch_##NAME##N(volatile T* word, T value, int) {                                             \
    note(word, __builtin_return_address(0));                                                      \
    return BUILTIN(word, value, __ATOMIC_SEQ_CST);                                                \
  }

WATCH_SIZE(uint8_t, 1)
WATCH_SIZE(uint16_t, 2)
WATCH_SIZE(uint32_t, 4)
WATCH_SIZE(uint64_t, 8)

// Also of std::mutex and std::shared_mutex.
#define WATCH_LOCK(NAME, LOCK)                                           \
  extern "C" int NAME(LOCK* lock) noexcept {                             \
    note(lock, __builtin_return_address(0));                             \
    static auto* const system = verbena::watch::real<int(LOCK*)>(#NAME); \
    return system(lock);                                                 \
  }

WATCH_LOCK(pthread_mutex_lock, pthread_mutex_t)
WATCH_LOCK(pthread_mutex_trylock, pthread_mutex_t)
WATCH_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
WATCH_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
WATCH_LOCK(pthread_spin_lock, pthread_spinlock_t)
