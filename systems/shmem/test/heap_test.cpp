// SPDX-License-Identifier: Apache-2.0
#include "heap.h"

#include <gtest/gtest.h>

#include <bit>
#include <iterator>
#include <map>
#include <random>

namespace verbena::shmem {
namespace {

constexpr size_t kFrom = 4096;
constexpr size_t kEnd = 1 << 20;

TEST(SymmetricHeap, GivesAllAndTakesItBack) {
  Heap heap(kFrom, kEnd);
  EXPECT_EQ(heap.allocate(kEnd - kFrom), kFrom);
  EXPECT_EQ(heap.allocate(1), std::nullopt);
  EXPECT_TRUE(heap.free(kFrom));
  EXPECT_EQ(heap.allocate(kEnd - kFrom), kFrom);
}

TEST(SymmetricHeap, KnowsWhatItHasGiven) {
  Heap heap(kFrom, kEnd);
  size_t piece = heap.allocate(100).value();
  EXPECT_EQ(heap.bytesAt(piece), 100U);
  EXPECT_EQ(heap.bytesAt(piece + 64), std::nullopt);
  EXPECT_FALSE(heap.free(piece + 64));
  EXPECT_TRUE(heap.free(piece));
  EXPECT_FALSE(heap.free(piece)) << "twice";
}

TEST(SymmetricHeap, KeepsAPieceOfWhichLessIsWanted) {
  Heap heap(kFrom, kEnd);
  size_t piece = heap.allocate(100).value();
  EXPECT_TRUE(heap.resize(piece, 20));
  EXPECT_EQ(heap.bytesAt(piece), 20U);
  EXPECT_TRUE(heap.resize(piece, 128)) << "what was taken for it";
  EXPECT_FALSE(heap.resize(piece, 129));
  EXPECT_FALSE(heap.resize(piece + 64, 1));
}

TEST(SymmetricHeap, RefusesWhatCannotBe) {
  Heap heap(kFrom, kEnd);
  EXPECT_EQ(heap.allocate(SIZE_MAX), std::nullopt);
  EXPECT_EQ(heap.allocate(SIZE_MAX / 4), std::nullopt);
  EXPECT_EQ(heap.allocate(8, std::bit_ceil(kEnd)), std::nullopt);
}

/// Two that are asked for the same give the same, nothing overlaps, and everything comes together
/// again.
TEST(SymmetricHeap, IsTheSameEverywhereWhateverIsAskedFor) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Heap here(kFrom, kEnd);
    Heap there(kFrom, kEnd);
    std::map<size_t, size_t> given;
    for (int step = 0; step < 500; step++) {
      if (given.empty() || random() % 3 != 0) {
        size_t bytes = 1 + random() % (random() % 8 == 0 ? 100'000 : 500);
        size_t alignment = size_t{64} << random() % 7;
        auto made = here.allocate(bytes, alignment);
        ASSERT_EQ(made, there.allocate(bytes, alignment));
        if (!made) continue;
        ASSERT_EQ(*made % alignment, 0U);
        ASSERT_GE(*made, kFrom);
        ASSERT_LE(*made + bytes, kEnd);
        auto next = given.lower_bound(*made);
        ASSERT_TRUE(next == given.end() || *made + bytes <= next->first);
        ASSERT_TRUE(next == given.begin() ||
                    std::prev(next)->first + std::prev(next)->second <= *made);
        given.emplace(*made, bytes);
      } else {
        auto one = std::next(given.begin(), static_cast<long>(random() % given.size()));
        ASSERT_TRUE(here.free(one->first));
        ASSERT_TRUE(there.free(one->first));
        given.erase(one);
      }
    }
    for (auto& [offset, bytes] : given) ASSERT_TRUE(here.free(offset));
    EXPECT_EQ(here.allocate(kEnd - kFrom), kFrom);
  }
}

}  // namespace
}  // namespace verbena::shmem
