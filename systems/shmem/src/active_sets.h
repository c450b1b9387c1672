// SPDX-License-Identifier: Apache-2.0
//
// Active sets, by which calls of OpenSHMEM 1.0 to 1.4 name their PEs: a first one, the logarithm of
// the stride, and how many. They meet in an array of the program's, pSync, which holds
// SHMEM_SYNC_VALUE between two calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shmem.h"

struct shmem_team;

namespace verbena::shmem {

/// The team for one call. Ends the process if there are no such PEs or this one is not among them.
shmem_team activeSet(int start, int logStride, int size, long* pSync);
/// Returns when all members have come to this.
void syncActiveSet(const shmem_team& set);
/// Where one of few members tells this one something by itself: the word behind the bytes.
std::atomic<uint64_t>& memberIn(long* pSync, int member);
inline constexpr size_t kMemberBytes = 3 * sizeof(long);
std::byte* bytesIn(long* pSync, int member);
/// They are as before the call.
void clearBytesIn(long* pSync, int member);
/// Where a member puts down what it tells all others.
std::atomic<uint64_t>& wordIn(long* pSync);
/// Where the root of a broadcast tells a member that it has put its elements there.
std::atomic<uint64_t>& pushIn(long* pSync);

}  // namespace verbena::shmem
