// SPDX-License-Identifier: Apache-2.0
//
// Typed calls under their names of OpenSHMEM 1.0 to 1.4.
#pragma once

#include "active_sets.h"
#include "calls.h"
#include "collectives.h"

namespace verbena::shmem::calls {

template <typename T>
T fetch(const T* source, int pe) {
  return atomic_fetch(SHMEM_CTX_DEFAULT, source, pe);
}
template <typename T>
void set(T* dest, T value, int pe) {
  atomic_set(SHMEM_CTX_DEFAULT, dest, value, pe);
}
template <typename T>
T swap(T* dest, T value, int pe) {
  return atomic_swap(SHMEM_CTX_DEFAULT, dest, value, pe);
}
template <typename T>
T cswap(T* dest, T cond, T value, int pe) {
  return atomic_compare_swap(SHMEM_CTX_DEFAULT, dest, cond, value, pe);
}
template <typename T>
T finc(T* dest, int pe) {
  return atomic_fetch_inc(SHMEM_CTX_DEFAULT, dest, pe);
}
template <typename T>
void inc(T* dest, int pe) {
  atomic_inc(SHMEM_CTX_DEFAULT, dest, pe);
}
template <typename T>
T fadd(T* dest, T value, int pe) {
  return atomic_fetch_add(SHMEM_CTX_DEFAULT, dest, value, pe);
}
template <typename T>
void add(T* dest, T value, int pe) {
  atomic_add(SHMEM_CTX_DEFAULT, dest, value, pe);
}
template <typename T>
void wait(T* ivar, T value) {
  wait_until(ivar, SHMEM_CMP_NE, value);
}

/// A reduction of a team, by an active set, which needs no memory to work in but pSync.
template <typename T>
void toAll(int (*reduce)(shmem_team_t, T*, const T*, size_t), T* dest, const T* source, int nreduce,
           int start, int logStride, int size, T*, long* pSync) {
  shmem_team members = activeSet(start, logStride, size, pSync);
  reduce(&members, dest, source, static_cast<size_t>(std::max(nreduce, 0)));
}

}  // namespace verbena::shmem::calls
