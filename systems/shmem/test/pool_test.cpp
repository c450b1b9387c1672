// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace verbena::shmem {
namespace {

constexpr uint64_t kBytes = 1 << 16;

BlockRow live(uint64_t start, uint64_t bytes) {
  return {BlockRow{}.nextLife(), start, bytes};
}

TEST(Pool, GivesAllOfIt) {
  EXPECT_EQ(roomAmong({}, kBytes, kBytes), 0U);
  EXPECT_EQ(roomAmong({}, kBytes + 1, kBytes), std::nullopt);
  std::vector<BlockRow> rows = {live(0, kBytes)};
  EXPECT_EQ(roomAmong(rows, 1, kBytes), std::nullopt);
}

TEST(Pool, GivesTheFirstRoomThereIs) {
  std::vector<BlockRow> rows = {live(1024, 100), live(0, 65)};
  EXPECT_EQ(roomAmong(rows, 1024 - 128, kBytes), 128U) << "between them";
  EXPECT_EQ(roomAmong(rows, 1024 - 127, kBytes), 1152U) << "behind them";
}

TEST(Pool, WhatWasFreedIsNotGivenBeforeItIsTakenBack) {
  std::vector<BlockRow> rows = {live(0, kBytes)};
  rows[0].life = freedLife(rows[0].life);
  EXPECT_TRUE(rows[0].isFreed());
  EXPECT_EQ(roomAmong(rows, 1, kBytes), std::nullopt);
  EXPECT_EQ(freeRow(rows), 1U);
  rows[0].life = endedLife(rows[0].life);
  EXPECT_EQ(roomAmong(rows, kBytes, kBytes), 0U);
  EXPECT_EQ(freeRow(rows), 0U);
}

TEST(Pool, ADamagedTableHasNoRoomBeyondThePoolOrInABlock) {
  std::vector<BlockRow> far = {live(uint64_t{1} << 40, 1)};
  EXPECT_EQ(roomAmong(far, 8, kBytes), std::nullopt);
  std::vector<BlockRow> long_one = {live(64, UINT64_MAX)};
  EXPECT_EQ(roomAmong(long_one, 8, kBytes), std::nullopt);
  std::vector<BlockRow> overlapping = {live(0, 1000), live(64, 10)};
  EXPECT_EQ(roomAmong(overlapping, 8, kBytes), 1024U);
}

TEST(Pool, EachLifeOfARowIsAnother) {
  BlockRow row{};
  uint64_t first = row.nextLife();
  row.life = endedLife(freedLife(first));
  EXPECT_NE(row.nextLife(), first);
  EXPECT_NE(first, 0U);
}

TEST(Pool, HasSoManyBlocks) {
  std::vector<BlockRow> rows(Pool::kMostBlocks, live(0, 1));
  EXPECT_EQ(freeRow(rows), std::nullopt);
  rows.back().life = 0;
  EXPECT_EQ(freeRow(rows), Pool::kMostBlocks - 1);
}

TEST(Pool, BlocksDoNotOverlap) {
  constexpr unsigned kSeed = 20261129;
  std::mt19937 random(kSeed);
  std::vector<BlockRow> rows;
  for (int step = 0; step < 5000; step++) {
    uint64_t bytes = 1 + random() % 5000;
    auto start = roomAmong(rows, bytes, kBytes);
    if (!start || random() % 3 == 0) {
      for (BlockRow& row : rows) {
        if (random() % 2 == 0) row.life = endedLife(row.life);
      }
      continue;
    }
    ASSERT_EQ(*start % Pool::kAlignment, 0U);
    ASSERT_LE(*start + bytes, kBytes);
    for (const BlockRow& row : rows) {
      bool isApart = row.isFree() || row.start + row.bytes <= *start || *start + bytes <= row.start;
      ASSERT_TRUE(isApart) << "seed " << kSeed << ", step " << step;
    }
    size_t row = freeRow(rows).value();
    if (row == rows.size()) rows.emplace_back();
    rows[row] = {rows[row].nextLife(), *start, bytes};
  }
}

}  // namespace
}  // namespace verbena::shmem
