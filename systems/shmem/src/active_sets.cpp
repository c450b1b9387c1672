// SPDX-License-Identifier: Apache-2.0
#include "active_sets.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "calls.h"
#include "collectives.h"
#include "teams.h"
#include "waiting.h"
#include "world.h"

namespace verbena::shmem {
namespace {

// Members are a tree. What a parent and a child tell each other has a place of its own in pSync.
constexpr int kChildren = 8;
constexpr int kGo = kChildren;
constexpr int kWord = kGo + 1;
constexpr int kPush = kWord + 1;
constexpr int kMembers = kPush + 1;  // of sets of few
constexpr int kWordsOfMember = 1 + kMemberBytes / sizeof(long);
static_assert(kMembers + Gathering::kFew * kWordsOfMember <= SHMEM_SYNC_SIZE);
static_assert(kMemberBytes <= Gathering::Told::kBytes);

constexpr uint64_t kNothing = SHMEM_SYNC_VALUE;
constexpr uint64_t kTold = kNothing + 1;

std::atomic<uint64_t>& at(long* pSync, int place) {
  static_assert(sizeof(long) == sizeof(uint64_t));
  return *reinterpret_cast<std::atomic<uint64_t>*>(pSync + place);
}

/// Nobody tells it again before this PE has told something itself.
void awaitTold(std::atomic<uint64_t>& word) {
  awaitUntil([&] { return word.load(std::memory_order_acquire) != kNothing; });
  word.store(kNothing, std::memory_order_relaxed);
}

}  // namespace

std::atomic<uint64_t>& memberIn(long* pSync, int member) {
  return at(pSync, kMembers + member * kWordsOfMember);
}

std::byte* bytesIn(long* pSync, int member) {
  return reinterpret_cast<std::byte*>(pSync + kMembers + member * kWordsOfMember + 1);
}

void clearBytesIn(long* pSync, int member) {
  std::fill_n(pSync + kMembers + member * kWordsOfMember + 1, kMemberBytes / sizeof(long),
              SHMEM_SYNC_VALUE);
}

std::atomic<uint64_t>& wordIn(long* pSync) {
  return at(pSync, kWord);
}

std::atomic<uint64_t>& pushIn(long* pSync) {
  return at(pSync, kPush);
}

shmem_team activeSet(int start, int logStride, int size, long* pSync) {
  static_cast<void>(offsetOf(pSync, SHMEM_SYNC_SIZE * sizeof *pSync, static_cast<int>(world.me)));
  constexpr int kMostLog = 31;
  int64_t stride = int64_t{1} << std::clamp(logStride, 0, kMostLog);
  int64_t last = start + stride * (int64_t{size} - 1);
  int64_t own = static_cast<int64_t>(world.me) - start;
  bool isThere = start >= 0 && logStride >= 0 && logStride <= kMostLog && size > 0 &&
                 last < static_cast<int64_t>(world.size);
  bool isMember = isThere && own >= 0 && own % stride == 0 && own / stride < size;
  if (!isMember) {
    refuse("the active set of " + std::to_string(size) + " PEs from PE " + std::to_string(start) +
           " on, with 2 to the power of " + std::to_string(logStride) + " from one to the next, " +
           (isThere ? "does not have this PE"
                    : "is none; PEs are 0 to " + std::to_string(world.size - 1)));
  }
  shmem_team set;
  for (int64_t i = 0; i < size; i++) set.pes.push_back(static_cast<int>(start + i * stride));
  set.me = static_cast<int>(own / stride);
  set.pSync = pSync;
  return set;
}

void syncActiveSet(const shmem_team& set) {
  int first = set.me * kChildren + 1;
  int children = std::clamp(set.size() - first, 0, kChildren);
  for (int i = 0; i < children; i++) awaitTold(at(set.pSync, i));
  if (set.me != 0) {
    int parent = set.pes[static_cast<size_t>((set.me - 1) / kChildren)];
    tell(at(set.pSync, (set.me - 1) % kChildren), parent, kTold);
    awaitTold(at(set.pSync, kGo));
  }
  for (int i = 0; i < children; i++) {
    tell(at(set.pSync, kGo), set.pes[static_cast<size_t>(first + i)], kTold);
  }
}

namespace {

template <size_t size>
void broadcast(void* dest, const void* source, size_t nelems, int root, shmem_team set) {
  using T = Bytes<size>;
  bool keepsOwn = root == set.me;
  calls::broadcastIn(set, static_cast<T*>(dest), static_cast<const T*>(source), nelems, root,
                     keepsOwn);
}

template <size_t size>
void collect(void* dest, const void* source, size_t nelems, shmem_team set) {
  using T = Bytes<size>;
  calls::collect(&set, static_cast<T*>(dest), static_cast<const T*>(source), nelems);
  set.word().store(kNothing, std::memory_order_relaxed);
}

template <size_t size>
void fcollect(void* dest, const void* source, size_t nelems, shmem_team set) {
  using T = Bytes<size>;
  calls::fcollect(&set, static_cast<T*>(dest), static_cast<const T*>(source), nelems);
}

template <size_t size>
void alltoall(void* dest, const void* source, size_t nelems, shmem_team set) {
  using T = Bytes<size>;
  calls::alltoall(&set, static_cast<T*>(dest), static_cast<const T*>(source), nelems);
}

template <size_t size>
void alltoalls(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
               shmem_team set) {
  using T = Bytes<size>;
  calls::alltoalls(&set, static_cast<T*>(dest), static_cast<const T*>(source), dst, sst, nelems);
}

}  // namespace
}  // namespace verbena::shmem

using namespace verbena::shmem;

extern "C" {

void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  shmem_quiet();
  shmem_sync(PE_start, logPE_stride, PE_size, pSync);
}

void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  syncActiveSet(activeSet(PE_start, logPE_stride, PE_size, pSync));
}

void shmem_broadcast32(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,
                       int logPE_stride, int PE_size, long* pSync) {
  broadcast<4>(dest, source, nelems, PE_root, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
void shmem_broadcast64(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,
                       int logPE_stride, int PE_size, long* pSync) {
  broadcast<8>(dest, source, nelems, PE_root, activeSet(PE_start, logPE_stride, PE_size, pSync));
}

void shmem_collect32(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                     int PE_size, long* pSync) {
  collect<4>(dest, source, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
void shmem_collect64(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                     int PE_size, long* pSync) {
  collect<8>(dest, source, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}

void shmem_fcollect32(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long* pSync) {
  fcollect<4>(dest, source, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
void shmem_fcollect64(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long* pSync) {
  fcollect<8>(dest, source, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}

void shmem_alltoall32(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long* pSync) {
  alltoall<4>(dest, source, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
void shmem_alltoall64(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long* pSync) {
  alltoall<8>(dest, source, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
void shmem_alltoalls32(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                       int PE_start, int logPE_stride, int PE_size, long* pSync) {
  alltoalls<4>(dest, source, dst, sst, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
void shmem_alltoalls64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                       int PE_start, int logPE_stride, int PE_size, long* pSync) {
  alltoalls<8>(dest, source, dst, sst, nelems, activeSet(PE_start, logPE_stride, PE_size, pSync));
}
}
