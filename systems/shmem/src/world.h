// SPDX-License-Identifier: Apache-2.0
//
// The job as this PE sees it: who is there, and where everybody's symmetric memory is.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace verbena::shmem {

class Far;

/// Of one team, at each of its PEs.
struct Gathering {
  static constexpr uint32_t kRounds = 32;
  /// How many syncs have been passed by the PE that tells this one in each round; of few members,
  /// by each of them.
  alignas(64) std::atomic<uint64_t> told[kRounds];
  /// What this PE tells all others between two syncs.
  alignas(64) std::atomic<uint64_t> word;
  static constexpr uint32_t kPushes = 16;
  /// By the root of a broadcast that has put what it has into this PE's memory: its number, each in
  /// turn.
  alignas(64) std::atomic<uint64_t> pushed[kPushes];
  /// In a team of up to so many each member tells each other one by itself.
  static constexpr uint32_t kFew = 8;
  /// A few bytes of another member, and the number of the exchange in which it has told them.
  struct alignas(64) Told {
    static constexpr size_t kBytes = 56;
    std::byte bytes[kBytes];
    std::atomic<uint64_t> number;
  };
  /// By member. Two exchanges take turns: who has all of one has been told that all have the last.
  Told exchanged[2][kFew];
};

/// What a PE's symmetric memory begins with. Then there are the user's heap, the pool in which
/// others allocate, and the static data.
struct Control {
  static constexpr uint32_t kTeams = 64;
  Gathering gatherings[kTeams];
  /// Not 0 once a PE wants all to end: its status, and 1 << 32.
  alignas(64) std::atomic<uint64_t> exit;
  /// Odd while this PE is at an operation on a global pointer.
  alignas(64) std::atomic<uint64_t> atWork;
};

/// The program's variables, as the program has them.
struct StaticData {
  struct Range {
    std::byte* start = nullptr;
    size_t bytes = 0;
    size_t offset = 0;  ///< in the symmetric memory
  };
  static constexpr size_t kMost = 4;
  std::array<Range, kMost> ranges{};
  size_t count = 0;
};

/// Where the hot path looks. Set when the program starts, and the same until it ends.
struct World {
  std::byte* start = nullptr;  ///< this PE's symmetric memory
  size_t heapEnd = 0;          ///< up to where it is heap; 0 outside of start and end
  size_t poolBytes = 0;        ///< behind the heap and a Pool: where any PE allocates
  StaticData data;             ///< what follows; nothing if it is not symmetric
  uint32_t size = 0;           ///< how many PEs there are
  uint32_t me = UINT32_MAX;    ///< more than there are before the start
  std::byte* const* near =
      nullptr;         ///< by PE: its symmetric memory in this process; null: it is far
  Far* far = nullptr;  ///< who reaches those; null if there are none
  /// By PE: the same; null, too, where its device alone executes atomics on its memory.
  std::byte* const* nearForAtomics = nullptr;
  const uint32_t* atomics = nullptr;  ///< by PE: of its device, VBN_ATOMICS_*
  uint32_t looks = 0;                 ///< so often who waits looks before each rest
  uint32_t reportsAfter = 0;          ///< waits of so many seconds are told of; 0: none are

  Control& control() const { return *reinterpret_cast<Control*>(start); }
};
extern constinit World world;

/// Ends the process with a sentence: what the standard leaves undefined is an error here.
[[noreturn]] void refuse(const std::string& sentence);
[[noreturn]] void refuseAddress(const void* address, size_t bytes, int pe);

/// That there is a PE of this number; ends the process if not.
inline void checkPe(int pe) {
  if (static_cast<uint32_t>(pe) >= world.size) [[unlikely]]
    refuseAddress(nullptr, 0, pe);
}

inline constexpr size_t kNowhere = SIZE_MAX;

/// How far from the start of its symmetric memory something lies, at every PE alike; kNowhere if it
/// is not symmetric.
inline size_t placeOf(const void* symmetric, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(symmetric);
  size_t offset = address - reinterpret_cast<uintptr_t>(world.start);
  if (offset < world.heapEnd) return bytes <= world.heapEnd - offset ? offset : kNowhere;
  for (size_t i = 0; i < world.data.count; i++) {
    const StaticData::Range& range = world.data.ranges[i];
    size_t within = address - reinterpret_cast<uintptr_t>(range.start);
    if (within < range.bytes) {
      return bytes <= range.bytes - within ? range.offset + within : kNowhere;
    }
  }
  return kNowhere;
}

/// The same of what is to be reached at a PE; ends the process if it is not there.
inline size_t offsetOf(const void* symmetric, size_t bytes, int pe) {
  size_t offset = placeOf(symmetric, bytes);
  if (offset == kNowhere || static_cast<uint32_t>(pe) >= world.size) [[unlikely]]
    refuseAddress(symmetric, bytes, pe);
  return offset;
}

/// The same memory of a PE that this process has mapped; else null.
template <typename T>
T* nearAt(size_t offset, int pe) {
  std::byte* start = world.near[pe];
  return start == nullptr ? nullptr : reinterpret_cast<T*>(start + offset);
}

/// The same, for an atomic that changes it.
template <typename T>
T* nearForAtomicsAt(size_t offset, int pe) {
  std::byte* start = world.nearForAtomics[pe];
  return start == nullptr ? nullptr : reinterpret_cast<T*>(start + offset);
}

}  // namespace verbena::shmem
