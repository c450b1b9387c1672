// SPDX-License-Identifier: Apache-2.0
//
// Slices that are written to where they belong.
#include "sides.h"

namespace verbena::streams::testing {
namespace {

constexpr uint32_t kStream = 1;
constexpr uint64_t kRing = 1 << 15;

class Placed : public Pair {
 protected:
  void openPlaced() {
    open();
    replica_ = must(right().engine().allocateReplica(kRing));
    right().expectPlaced(kId, kStream, replica_);
    writer_ = std::make_unique<Writer>(left().engine(), kId, kStream, kRing);
    grant_ = must(right().engine().grant(*replica_, 0));
    left().engine().placeStream(kId, kStream, grant_.address, grant_.key);
  }
  void TearDown() override {
    if (writer_ != nullptr) writer_->close();
  }

  /// Publishes and waits, as a reader that consumes everything at once makes a writer do.
  bool carries(uint64_t bytes) {
    writer_->consumed(right().arrived(kId, kStream));
    EXPECT_EQ(writer_->write(bytes), bytes);
    writer_->pump();
    return until([&] { return right().arrived(kId, kStream) == writer_->written(); });
  }

  std::shared_ptr<Replica> replica_;
  Replica::Grant grant_{};
  std::unique_ptr<Writer> writer_;
};

TEST_F(Placed, LargeSlicesAreWrittenAndSmallOnesSent) {
  openPlaced();
  ASSERT_TRUE(carries(4096));
  EXPECT_EQ(left().engine().counters().writes, 1U);
  EXPECT_EQ(left().engine().counters().sends, 1U);
  ASSERT_TRUE(carries(4088));
  EXPECT_EQ(left().engine().counters().writes, 1U);
  EXPECT_EQ(left().engine().counters().sendBytes, 8184U);
  EXPECT_EQ(right().engine().counters().arrivalBytes, 8184U);
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Placed, OneThatCrossesTheRingsEndIsWrittenInTwoPieces) {
  openPlaced();
  ASSERT_TRUE(carries(kRing - 1000));
  EXPECT_EQ(left().engine().counters().writes, 1U);
  ASSERT_TRUE(carries(8000));
  EXPECT_EQ(left().engine().counters().writes, 3U);
  EXPECT_EQ(left().engine().counters().sends, 2U);
  EXPECT_EQ(right().wrong(), 0U);
}

/// Full rings, queues and windows, wraps everywhere.
TEST_F(Placed, AreWholeAfterManyWrapsOfSizesByChance) {
  openPlaced();
  std::mt19937_64 random(4);
  constexpr uint64_t kTotal = 100 * kRing;
  ASSERT_TRUE(until([&] {
    writer_->consumed(right().arrived(kId, kStream));
    writer_->write(std::min(1 + random() % 20'000, kTotal - writer_->written()));
    if (random() % 2 == 0) writer_->pump();
    return right().arrived(kId, kStream) == kTotal;
  })) << right().arrived(kId, kStream);
  EXPECT_EQ(right().wrong(), 0U);
  EXPECT_GT(left().engine().counters().writes, 100U);
  EXPECT_EQ(left().failures() + right().failures(), 0);
}

/// More at once than the queue takes, and more than one chain has.
TEST_F(Placed, WaitForRoomInTheQueue) {
  EngineOptions options = small(1);
  options.sendWorkRequests = 4;
  options.window = 2;
  open(options, small(2));
  auto replica = must(right().engine().allocateReplica(1 << 20));
  right().expectPlaced(kId, kStream, replica);
  writer_ = std::make_unique<Writer>(left().engine(), kId, kStream, 1 << 20);
  auto grant = must(right().engine().grant(*replica, 0));
  left().engine().placeStream(kId, kStream, grant.address, grant.key);
  writer_->write(1 << 20);
  writer_->pump();
  EXPECT_TRUE(until([&] { return right().arrived(kId, kStream) == 1 << 20; }));
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Placed, WhatWasRevokedIsNotWrittenAndCostsTheConnectionAlone) {
  openPlaced();
  connect(left(), right(), 99);
  ASSERT_TRUE(carries(10'000));
  replica_->revoke();
  std::vector<std::byte> before(replica_->start(), replica_->start() + kRing);
  writer_->consumed(10'000);
  writer_->write(10'000);
  writer_->pump();
  ASSERT_TRUE(until([&] { return !left().failureOf(kId).empty(); }));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), replica_->start()));
  Writer other(left().engine(), 99, 1, 1 << 14);
  other.write(10'000);
  other.pump();
  EXPECT_TRUE(until([&] { return right().arrived(99, 1) == 10'000; }));
}

TEST_F(Placed, AnotherGrantEndsTheOneBefore) {
  openPlaced();
  Replica::Grant again = must(right().engine().grant(*replica_, 0));
  EXPECT_EQ(again.address, grant_.address);
  left().engine().placeStream(kId, kStream, again.address, again.key);
  ASSERT_TRUE(carries(10'000));
  EXPECT_EQ(right().wrong(), 0U);
  left().engine().placeStream(kId, kStream, grant_.address, grant_.key);
  writer_->consumed(10'000);
  writer_->write(10'000);
  writer_->pump();
  ASSERT_TRUE(until([&] { return !left().failureOf(kId).empty(); }));
}

}  // namespace
}  // namespace verbena::streams::testing
