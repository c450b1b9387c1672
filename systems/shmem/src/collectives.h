// SPDX-License-Identifier: Apache-2.0
//
// Collectives of teams, by type. Each member reads what it needs of the others' sources between two
// syncs: the first says that they are there, the second that they were read.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "calls.h"
#include "teams.h"

namespace verbena::shmem::calls {

/// Room for elements; ends the process where there is none, as the other members would wait.
template <typename T>
std::vector<T> roomFor(size_t count) {
  try {
    return std::vector<T>(count);
  } catch (const std::exception&) {
    refuse("no memory for a reduction of " + std::to_string(count) + " elements");
  }
}

/// That elements lie in this PE's symmetric memory, before anything is computed of their number.
template <typename T>
void checkOwn(const T* symmetric, size_t count) {
  if (count != 0) static_cast<void>(offsetOf(symmetric, bytesOf<T>(count), shmem_my_pe()));
}

/// From the first to the last of a block for each member, with a stride between elements.
template <typename T>
void checkStrided(const shmem_team& team, const T* symmetric, ptrdiff_t stride, size_t nelems) {
  if (stride < 1) refuse("the stride is " + std::to_string(stride) + "; it is to be at least 1");
  __extension__ using Wide = unsigned __int128;
  Wide last = Wide{nelems} * static_cast<size_t>(team.size());
  if (last == 0) return;
  if (last > SIZE_MAX || (last - 1) * static_cast<size_t>(stride) >= SIZE_MAX)
    refuse("so many elements have no address: " + std::to_string(nelems) + " for each member");
  checkOwn(symmetric, static_cast<size_t>((last - 1) * static_cast<size_t>(stride)) + 1);
}

/// What a member has of some elements of its source: as they are, or a copy.
template <typename T>
const T* readOf(const shmem_team& team, int pe, const T* source, size_t count,
                std::vector<T>& room) {
  int of = worldPe(team, pe);
  size_t bytes = bytesOf<T>(count);
  if (bytes == 0) return source;
  size_t offset = offsetOf(source, bytes, of);
  if (auto* at = nearAt<const T>(offset, of)) return at;
  if (room.empty()) room = roomFor<T>(count);
  world.far->get(room.data(), offset, bytes, static_cast<uint32_t>(of));
  return room.data();
}

/// The destination has it behind settle().
template <typename T>
void copyFrom(const shmem_team& team, int pe, T* dest, const T* source, size_t count) {
  int of = worldPe(team, pe);
  if (of == static_cast<int>(world.me) && dest == source) return;
  get_nbi(SHMEM_CTX_DEFAULT, dest, source, count, of);
}

/// All members have what they copied.
inline void copied(shmem_team& team) {
  settle();
  sync(team);
}

/// Up to so much a root puts at the others, and goes on: by the standard their destinations are
/// ready. Of more each takes its own, and the root waits.
inline constexpr size_t kPushBytes = 2048;

template <typename T>
void broadcastIn(shmem_team& team, T* dest, const T* source, size_t nelems, int root,
                 bool keepsOwn) {
  int from = worldPe(team, root);
  if (bytesOf<T>(nelems) > kPushBytes) {
    sync(team);
    if (!keepsOwn) copyFrom(team, root, dest, source, nelems);
    return copied(team);
  }
  Push push = nextPush(team);
  if (from != static_cast<int>(world.me)) return await(team, push);
  for (int i = 1; i < team.size(); i++) {
    int to = team.pes[static_cast<size_t>((root + i) % team.size())];
    awaitRoom(team, push, to);
    put(SHMEM_CTX_DEFAULT, dest, source, nelems, to);
    tell(push.word, to, push.value);
  }
  if (!keepsOwn && dest != source) put(SHMEM_CTX_DEFAULT, dest, source, nelems, from);
}

template <typename T>
int broadcast(shmem_team_t handle, T* dest, const T* source, size_t nelems, int root) {
  broadcastIn(teamOf(handle), dest, source, nelems, root, false);
  return 0;
}

template <typename T>
int fcollect(shmem_team_t handle, T* dest, const T* source, size_t nelems) {
  shmem_team& team = teamOf(handle);
  sync(team);
  for (int pe = 0; pe < team.size(); pe++) {
    copyFrom(team, pe, dest + static_cast<size_t>(pe) * nelems, source, nelems);
  }
  copied(team);
  return 0;
}

template <typename T>
int collect(shmem_team_t handle, T* dest, const T* source, size_t nelems) {
  shmem_team& team = teamOf(handle);
  team.word().store(nelems, std::memory_order_relaxed);
  sync(team);
  for (int pe = 0; pe < team.size(); pe++) {
    size_t count = wordOf(team, pe);
    copyFrom(team, pe, dest, source, count);
    dest += count;
  }
  copied(team);
  return 0;
}

template <typename T>
int alltoall(shmem_team_t handle, T* dest, const T* source, size_t nelems) {
  shmem_team& team = teamOf(handle);
  sync(team);
  for (int i = 0; i < team.size(); i++) {
    int pe = (team.me + i) % team.size();  // each begins elsewhere
    copyFrom(team, pe, dest + static_cast<size_t>(pe) * nelems,
             source + static_cast<size_t>(team.me) * nelems, nelems);
  }
  copied(team);
  return 0;
}

template <typename T>
int alltoalls(shmem_team_t handle, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst,
              size_t nelems) {
  shmem_team& team = teamOf(handle);
  checkStrided(team, source, sst, nelems);
  checkStrided(team, dest, dst, nelems);
  auto count = static_cast<ptrdiff_t>(nelems);
  sync(team);
  for (int i = 0; i < team.size(); i++) {
    int pe = (team.me + i) % team.size();
    T* to = dest + pe * count * dst;
    const T* from = source + team.me * count * sst;
    for (ptrdiff_t each = 0; each < count; each++)
      copyFrom(team, pe, to + each * dst, from + each * sst, 1);
  }
  copied(team);
  return 0;
}

/// Up to so much each member computes everything; of more each computes a part, and takes the
/// others from those that have.
inline constexpr size_t kAloneBytes = 4096;

/// All members combine in the order of their numbers, so all have the same.
template <typename T, typename Combine>
void combineAll(const shmem_team& team, T* into, const T* source, size_t count, Combine combine) {
  std::vector<T> room;
  for (int pe = 0; pe < team.size(); pe++) {
    const T* from = readOf(team, pe, source, count, room);
    if (pe == 0) {
      std::copy(from, from + count, into);
    } else {
      for (size_t i = 0; i < count; i++) into[i] = combine(into[i], from[i]);
    }
  }
}

/// Each tells all others what it has.
template <typename T, typename Combine>
void reduceFew(shmem_team& team, T* dest, const T* source, size_t count, Combine combine) {
  using Elements = std::array<T, Gathering::Told::kBytes / sizeof(T)>;
  Elements all;
  bool isFirst = true;
  exchange(team, source, bytesOf<T>(count), [&](const void* told) {
    Elements each;
    std::memcpy(each.data(), told, bytesOf<T>(count));
    for (size_t i = 0; i < count; i++) all[i] = isFirst ? each[i] : combine(all[i], each[i]);
    isFirst = false;
  });
  std::copy_n(all.begin(), count, dest);
}

template <typename T, typename Combine>
int reduce(shmem_team_t handle, T* dest, const T* source, size_t count, Combine combine) {
  shmem_team& team = teamOf(handle);
  checkOwn(source, count);
  checkOwn(dest, count);
  if (isForExchange(team, bytesOf<T>(count))) {
    reduceFew(team, dest, source, count, combine);
    return 0;
  }
  auto members = static_cast<size_t>(team.size());
  bool isShared = members > 1 && bytesOf<T>(count) > kAloneBytes;
  size_t part = isShared ? (count + members - 1) / members : count;
  auto from = [&](int pe) {
    return std::min(count, isShared ? static_cast<size_t>(pe) * part : 0);
  };
  auto length = [&](int pe) { return std::min(count - from(pe), part); };
  std::vector<T> own = roomFor<T>(length(team.me));
  sync(team);
  combineAll(team, own.data(), source + from(team.me), own.size(), combine);
  sync(team);  // the sources were read: dest may be one of them
  std::copy(own.begin(), own.end(), dest + from(team.me));
  if (!isShared) return 0;
  sync(team);
  for (int i = 1; i < team.size(); i++) {
    int pe = (team.me + i) % team.size();
    copyFrom(team, pe, dest + from(pe), dest + from(pe), length(pe));
  }
  copied(team);
  return 0;
}

template <typename T>
int and_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) { return static_cast<T>(a & b); });
}
template <typename T>
int or_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) { return static_cast<T>(a | b); });
}
template <typename T>
int xor_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) { return static_cast<T>(a ^ b); });
}
template <typename T>
int max_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) { return a < b ? b : a; });
}
template <typename T>
int min_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) { return b < a ? b : a; });
}
/// Signed numbers wrap around, as the others do.
template <typename T>
int sum_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return sumOf<T>(a, b);
    } else {
      return static_cast<T>(a + b);
    }
  });
}
template <typename T>
int prod_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {
  return reduce(team, dest, source, n, [](T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    } else {
      return static_cast<T>(a * b);
    }
  });
}

}  // namespace verbena::shmem::calls
