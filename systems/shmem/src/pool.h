// SPDX-License-Identifier: Apache-2.0
//
// The part of a PE's memory in which any PE allocates: a table of blocks, and behind it the blocks.
// A PE that allocates reads the table and writes what has changed, under a lock. A PE that uses a
// block looks at its row, and one that frees it changes a word there; neither takes the lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace verbena::shmem {

struct Pool {
  static constexpr size_t kMostBlocks = 4096;
  static constexpr size_t kAlignment = 64;

  struct Block {
    /// Its state, and how often it was given, so that no pointer to a former life is one to this.
    std::atomic<uint64_t> life;
    std::atomic<uint64_t> start;  ///< from the end of the table on
    std::atomic<uint64_t> bytes;  ///< that were asked for
  };

  alignas(64) std::atomic<uint64_t> ticket;  ///< of the lock: which is drawn next
  alignas(64) std::atomic<uint64_t> turn;    ///< whose turn it is
  alignas(64) std::atomic<uint64_t> used;    ///< so many rows have been a block's
  Block blocks[kMostBlocks];
};

/// A row as it was read.
struct BlockRow {
  static constexpr uint64_t kStates = 3;
  static constexpr uint64_t kLive = 1;
  /// No operation that has begun before knows of that: the memory is not given again before every
  /// PE has ended what it was at.
  static constexpr uint64_t kFreed = 2;

  uint64_t life;
  uint64_t start;
  uint64_t bytes;

  bool isLive() const { return (life & kStates) == kLive; }
  bool isFree() const { return (life & kStates) == 0; }
  bool isFreed() const { return (life & kStates) == kFreed; }
  /// False if something has written to the table that should not.
  bool isWithin(uint64_t poolBytes) const {
    return start <= poolBytes && bytes <= poolBytes - start;
  }
  uint64_t nextLife() const { return (life & ~kStates) + (kStates + 1) + kLive; }
};
static_assert(sizeof(BlockRow) == sizeof(Pool::Block));

/// The state of a life that was live.
inline uint64_t freedLife(uint64_t life) {
  return (life & ~BlockRow::kStates) | BlockRow::kFreed;
}
inline uint64_t endedLife(uint64_t life) {
  return life & ~BlockRow::kStates;
}

/// Where so many bytes have room beside all blocks that are not free, as low as can be. There is no
/// room where a row is damaged.
std::optional<uint64_t> roomAmong(std::span<const BlockRow> rows, uint64_t bytes,
                                  uint64_t poolBytes);
/// The row of a block that is free, or the first that none has had; nothing if all are taken.
std::optional<size_t> freeRow(std::span<const BlockRow> rows);

}  // namespace verbena::shmem
