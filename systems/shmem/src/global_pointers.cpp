// SPDX-License-Identifier: Apache-2.0
//
// Memory that is allocated at other PEs, and global pointers to it.
//
// The free of a block and an operation on it may meet. A PE counts when it begins an operation and
// when it has ended it: an odd count says that it is at one. An operation counts before it looks
// whether its block lives. Before freed memory is given again, its giver, which has seen the free,
// waits until each PE's count is even or has changed: what begins later sees the free, too.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "far.h"
#include "pool.h"
#include "shmemx.h"
#include "waiting.h"
#include "words.h"
#include "world.h"

namespace verbena::shmem {
namespace {

size_t poolAt(size_t offset) {
  return world.heapEnd + offset;
}
size_t rowAt(size_t row) {
  return poolAt(offsetof(Pool, blocks) + row * sizeof(BlockRow));
}
size_t memoryAt(uint64_t start) {
  return poolAt(sizeof(Pool) + start);
}

/// What this PE has written to a PE's pool is there, for all who hear of it from here on.
void settleAt(int pe) {
  if (world.near[pe] == nullptr) {
    world.far->quiet();
  } else {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

// ---- rows

BlockRow readNear(const Pool::Block& block) {
  // seq_cst: behind the count of an operation. The other words stay as they are in that life.
  return {block.life.load(std::memory_order_seq_cst), block.start.load(std::memory_order_relaxed),
          block.bytes.load(std::memory_order_relaxed)};
}

BlockRow readRow(size_t row, int pe) {
  if (auto* block = nearAt<Pool::Block>(rowAt(row), pe)) return readNear(*block);
  BlockRow read{};
  world.far->get(&read, rowAt(row), sizeof read, static_cast<uint32_t>(pe));
  return read;
}

std::vector<BlockRow> readRows(int pe) {
  uint64_t used = Word(poolAt(offsetof(Pool, used)), pe).load();
  std::vector<BlockRow> rows(std::min<uint64_t>(used, Pool::kMostBlocks));
  if (auto* blocks = nearAt<Pool::Block>(rowAt(0), pe)) {
    std::transform(blocks, blocks + rows.size(), rows.begin(), readNear);
  } else if (!rows.empty()) {
    world.far->get(rows.data(), rowAt(0), rows.size() * sizeof(BlockRow),
                   static_cast<uint32_t>(pe));
  }
  return rows;
}

Word lifeOf(size_t row, int pe) {
  return {rowAt(row) + offsetof(BlockRow, life), pe};
}

// ---- allocating

/// The lock of a PE's pool, in the order in which PEs have come.
class Turn {
 public:
  explicit Turn(int pe) : one_(ones()), pe_(pe), turn_(poolAt(offsetof(Pool, turn)), pe) {
    own_ = Word(poolAt(offsetof(Pool, ticket)), pe).add(1);
    awaitUntil([&] { return turn_.load() == own_; });
  }
  /// A PE that ends now has handed it over nevertheless.
  ~Turn() {
    turn_.store(own_ + 1);
    settleAt(pe_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::mutex& ones() {
    static std::mutex mutex;
    return mutex;
  }

  const std::lock_guard<std::mutex> one_;  // of this PE's threads: others would take Far from it
  const int pe_;
  const Word turn_;
  uint64_t own_;
};

Word atWork(uint32_t pe) {
  return {offsetof(Control, atWork), static_cast<int>(pe)};
}

/// Each PE has ended what it was at.
void awaitEpoch() {
  // What was seen of the table comes before the looks at the counts: see the top.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (uint32_t pe = 0; pe < world.size; pe++) {
    Word count = atWork(pe);
    uint64_t before = count.load();
    if (before % 2 != 0) awaitUntil([&] { return count.load() != before; });
  }
}

/// What was freed has memory that may be given again.
void takeBackFreed(std::vector<BlockRow>& rows, int pe) {
  if (std::ranges::none_of(rows, &BlockRow::isFreed)) return;
  awaitEpoch();
  for (size_t row = 0; row < rows.size(); row++) {
    if (!rows[row].isFreed()) continue;
    rows[row].life = endedLife(rows[row].life);
    lifeOf(row, pe).store(rows[row].life);
  }
}

/// Returns the life. It is written last: before that nobody has a pointer to it.
uint64_t give(size_t row, const BlockRow& former, uint64_t start, uint64_t bytes, int pe) {
  Word(rowAt(row) + offsetof(BlockRow, start), pe).store(start);
  Word(rowAt(row) + offsetof(BlockRow, bytes), pe).store(bytes);
  lifeOf(row, pe).store(former.nextLife());
  return former.nextLife();
}

// ---- pointers

/// What a global pointer says.
struct Place {
  int pe;
  size_t row;
  uint64_t life;

  /// Ends the process if it is none that the library gives.
  explicit Place(shmemx_gptr ptr)
      : pe(shmemx_gptr_pe(ptr)), row(ptr.place & UINT32_MAX), life(ptr.life) {
    if (world.heapEnd == 0) refuseAddress(nullptr, 0, 0);
    bool isOne = static_cast<uint32_t>(pe) < world.size && row < Pool::kMostBlocks &&
                 BlockRow{life, 0, 0}.isLive() && world.poolBytes != 0;
    if (isOne) return;
    refuse(std::string("the global pointer is ") +
           (shmemx_gptr_is_null(ptr) ? "null" : "none that shmemx_malloc_at() has given"));
  }
};

[[noreturn]] void refuseFreed(const Place& place) {
  refuse("the memory at PE " + std::to_string(place.pe) + " was freed");
}

/// An operation on a block, from the look at its row to its end. The process ends with a sentence
/// if the block was freed or has fewer bytes.
class Operation {
 public:
  Operation(shmemx_gptr ptr, size_t offset, size_t bytes)
      : place_(ptr), one_(ones()), own_(world.control().atWork) {
    own_.fetch_add(1);  // nobody else changes it
    BlockRow row = readRow(place_.row, place_.pe);
    if (row.life != place_.life) refuseFreed(place_);
    if (!row.isWithin(world.poolBytes)) {
      refuse("the table of blocks at PE " + std::to_string(place_.pe) +
             " is damaged; a PE has written beyond what is its own");
    }
    if (offset > row.bytes || bytes > row.bytes - offset) {
      refuse(std::to_string(bytes) + " bytes from byte " + std::to_string(offset) +
             " on end behind the " + std::to_string(row.bytes) + " bytes at PE " +
             std::to_string(place_.pe));
    }
    at_ = memoryAt(row.start + offset);
  }
  ~Operation() { own_.fetch_add(1); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  size_t at() const { return at_; }
  int pe() const { return place_.pe; }
  std::byte* near() const { return nearAt<std::byte>(at_, place_.pe); }

 private:
  static std::mutex& ones() {
    static std::mutex mutex;
    return mutex;
  }

  const Place place_;
  const std::lock_guard<std::mutex> one_;  // of this PE's threads: the count is odd meanwhile
  std::atomic<uint64_t>& own_;
  size_t at_ = 0;
};

/// One on a word.
class Atomic {
 public:
  Atomic(shmemx_gptr ptr, size_t offset)
      : operation_(ptr, offset, sizeof(uint64_t)), word_(operation_.at(), operation_.pe()) {
    if (offset % sizeof(uint64_t) != 0) {
      refuse("the offset is " + std::to_string(offset) + "; it is to be a multiple of 8");
    }
  }
  const Word* operator->() const { return &word_; }

 private:
  const Operation operation_;
  const Word word_;
};

}  // namespace
}  // namespace verbena::shmem

using namespace verbena::shmem;

extern "C" {

shmemx_gptr shmemx_malloc_at(size_t size, int pe) {
  constexpr shmemx_gptr kNull{0, 0};
  if (world.heapEnd == 0) refuseAddress(nullptr, 0, 0);
  checkPe(pe);
  if (size == 0 || size > world.poolBytes) return kNull;
  Turn turn(pe);
  std::vector<BlockRow> rows = readRows(pe);
  auto start = roomAmong(rows, size, world.poolBytes);
  auto row = freeRow(rows);
  if (!start || !row) {
    takeBackFreed(rows, pe);
    start = roomAmong(rows, size, world.poolBytes);
    row = freeRow(rows);
  }
  if (!start || !row) return kNull;
  if (*row == rows.size()) {
    rows.emplace_back();
    Word(poolAt(offsetof(Pool, used)), pe).store(rows.size());
  }
  uint64_t life = give(*row, rows[*row], *start, size, pe);
  return {uint64_t{static_cast<uint32_t>(pe)} << 32 | *row, life};
}

void shmemx_free_at(shmemx_gptr ptr) {
  if (shmemx_gptr_is_null(ptr)) return;
  Place place(ptr);
  uint64_t found = lifeOf(place.row, place.pe).compareSwap(place.life, freedLife(place.life));
  if (found != place.life) refuseFreed(place);
}

void* shmemx_gptr_ptr(shmemx_gptr ptr) {
  return Operation(ptr, 0, 0).near();
}

void shmemx_gptr_putmem(shmemx_gptr dest, size_t offset, const void* source, size_t bytes) {
  Operation operation(dest, offset, bytes);
  if (auto* to = operation.near()) {
    if (bytes != 0) std::memcpy(to, source, bytes);
  } else {
    world.far->put(operation.at(), source, bytes, static_cast<uint32_t>(operation.pe()));
  }
  settleAt(operation.pe());
}

void shmemx_gptr_getmem(void* dest, shmemx_gptr source, size_t offset, size_t bytes) {
  Operation operation(source, offset, bytes);
  if (auto* from = operation.near()) {
    if (bytes != 0) std::memcpy(dest, from, bytes);
  } else {
    world.far->get(dest, operation.at(), bytes, static_cast<uint32_t>(operation.pe()));
  }
}

uint64_t shmemx_gptr_atomic_fetch(shmemx_gptr source, size_t offset) {
  uint64_t value = Atomic(source, offset)->load();
  lookedInVain();  // programs ask again and again
  return value;
}

void shmemx_gptr_atomic_set(shmemx_gptr dest, size_t offset, uint64_t value) {
  Atomic(dest, offset)->swap(value);
}

uint64_t shmemx_gptr_atomic_swap(shmemx_gptr dest, size_t offset, uint64_t value) {
  return Atomic(dest, offset)->swap(value);
}

uint64_t shmemx_gptr_atomic_fetch_add(shmemx_gptr dest, size_t offset, uint64_t value) {
  return Atomic(dest, offset)->add(value);
}

uint64_t shmemx_gptr_atomic_compare_swap(shmemx_gptr dest, size_t offset, uint64_t cond,
                                         uint64_t value) {
  return Atomic(dest, offset)->compareSwap(cond, value);
}
}
