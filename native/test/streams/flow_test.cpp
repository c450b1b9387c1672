// SPDX-License-Identifier: Apache-2.0
//
// What happens when there is no room: in the far side's window, its buffers, the send queue.
#include "fabric/queue_pair_end.h"
#include "sides.h"
#include "streams/terms.h"

namespace verbena::streams::testing {
namespace {

class Flow : public Pair {
 protected:
  /// Writes all of `total` as fast as the far side gives back.
  bool streamAll(Writer& writer, LinkId id, uint32_t stream, uint64_t total) {
    return until([&] {
      writer.consumed(right().arrived(id, stream));
      if (writer.written() < total) writer.write(total - writer.written());
      writer.pump();
      return right().arrived(id, stream) == total;
    });
  }
};

TEST_F(Flow, StopsAtTheWindowAndGoesOnByItselfWhenBuffersComeBack) {
  open();
  right().hold(true);
  Writer writer(left().engine(), kId, 1, 1 << 16);
  writer.write(60'000);
  writer.pump();
  EXPECT_TRUE(until([&] { return right().held() == 6; })) << "a window of sends";
  turnFor({&left(), &right()}, std::chrono::milliseconds(50));
  EXPECT_EQ(right().held(), 6U) << "more than a window of sends";
  EXPECT_EQ(left().engine().counters().sends, 6U);
  right().hold(false);
  right().giveBackHeld();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 60'000; }));
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Flow, NothingIsReportedForHalfAWindow) {
  open();
  Writer writer(left().engine(), kId, 1, 1 << 16);
  for (int i = 0; i < 3; i++) {
    writer.write(100);
    writer.pump();
  }
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 300; }));
  turnFor({&left(), &right()}, std::chrono::milliseconds(20));
  EXPECT_EQ(right().engine().counters().reports, 0U);
  writer.write(100);
  writer.pump();
  EXPECT_TRUE(until([&] { return left().engine().counters().reportsReceived == 1; }));
}

TEST_F(Flow, ReportsRideOnSendsTheOtherWay) {
  open();
  Writer there(left().engine(), kId, 1, 1 << 16);
  Writer back(right().engine(), kId, 1, 1 << 16);
  for (uint64_t i = 1; i <= 200; i++) {
    there.write(10);
    there.pump();
    ASSERT_TRUE(until([&] { return right().arrived(kId, 1) == 10 * i; }));
    back.write(10);
    back.pump();
    ASSERT_TRUE(until([&] { return left().arrived(kId, 1) == 10 * i; }));
  }
  EXPECT_EQ(left().engine().counters().reports + right().engine().counters().reports, 0U);
}

TEST_F(Flow, ASlowConsumerCostsNoOtherConnectionAnything) {
  EngineOptions options = small(2);
  options.receiveWorkRequests = 32;
  open(small(1), options);
  Side other(small(3));
  connect(other, right(), 8);
  right().hold(true);
  Writer slow(left().engine(), kId, 1, 1 << 16);
  slow.write(60'000);
  slow.pump();
  constexpr size_t kHeld = 6;  // a window of sends
  ASSERT_TRUE(until([&] { return right().held() == kHeld; }));
  right().hold(false);
  Writer fast(other.engine(), 8, 1, 1 << 14);
  constexpr uint64_t kTotal = 500'000;
  EXPECT_TRUE(turnUntil({&left(), &right(), &other}, [&] {
    fast.consumed(right().arrived(8, 1));
    fast.write(kTotal - fast.written());
    fast.pump();
    return right().arrived(8, 1) == kTotal;
  }));
  EXPECT_EQ(right().held(), kHeld);
  EXPECT_EQ(left().failures() + right().failures() + other.failures(), 0);
  right().giveBackHeld();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 60'000; }));
}

TEST_F(Flow, BuffersThatAnArrivalDidNotNeedAreUsedAtOnce) {
  open();
  right().hold(true);
  Writer writer(left().engine(), kId, 1, 1 << 12);
  uint32_t posted = right().engine().receivesPosted();
  for (uint32_t held = 1; held <= 4; held++) {
    writer.write(held % 2 == 0 ? 100 : 500);  // none of two buffers, or one
    writer.pump();
    ASSERT_TRUE(until([&] { return right().held() == held; }));
    uint32_t used = 2 * right().engine().receivesPosted() + (held + 1) / 2;
    EXPECT_EQ(right().engine().buffersFree(), right().engine().buffers() - used);
  }
  EXPECT_EQ(right().engine().receivesPosted(), posted - 4);
}

/// So many more than windows were meant for that each gets the smallest.
TEST_F(Flow, EveryWindowIsCoveredByPostedReceivesHoweverManyPeersThereAre) {
  constexpr uint32_t kPeers = 60;
  EngineOptions options = small(2);
  options.maxConnections = kPeers;
  EngineOptions sending = small(1);
  sending.maxConnections = kPeers;
  open(sending, options);
  constexpr uint32_t kReports = 3;  // that may be under way on each
  uint32_t promised = 6 + kReports;
  for (LinkId id = 20; id < 20 + kPeers - 1; id++) {
    connect::LinkEnd near = must(left().engine().create({id, 2, kStreams}));
    connect::LinkEnd far = must(right().engine().create({id, 1, kStreams}));
    // Nobody polls on the right: it is so when the far side hears of it.
    promised += must(Terms::of(2, fabric::QueuePairEnd::termsOf(far))).window + kReports;
    ASSERT_GE(right().engine().receivesPosted(), promised) << "with " << id - 18 << " connections";
    must(left().engine().connect(id, far));
    must(right().engine().connect(id, near));
    left().engine().ready(id);
    right().engine().ready(id);
  }
  EXPECT_GT(promised, options.receiveWorkRequests);
  EXPECT_LT(right().engine().receivesPosted(), promised + 64) << "no more than that";
}

/// A far side that sends all it may, while what came before is given back by another thread.
TEST_F(Flow, NothingIsReportedThatIsNotPostedAgain) {
  open();
  right().hold(true);
  Writer writer(left().engine(), kId, 1, 1 << 16);
  Writer back(right().engine(), kId, 1, 1 << 12);
  writer.write(60'000);
  writer.pump();
  ASSERT_TRUE(until([&] { return right().held() == 6; }));
  uint64_t sends = left().engine().counters().sends;
  right().giveBackHeld();
  back.write(10);
  back.pump();  // would carry the report; nobody has posted yet
  for (int i = 0; i < 100; i++) left().turn();
  EXPECT_EQ(left().engine().counters().sends, sends);
  EXPECT_TRUE(until([&] { return left().engine().counters().sends > sends; }));
}

TEST_F(Flow, AFullSendQueueKeepsTheRest) {
  EngineOptions wide = small(2);
  wide.window = 60;
  wide.receiveWorkRequests = 512;
  open(small(1), wide);
  Writer writer(left().engine(), kId, 1, 1 << 17);
  writer.write(100'000);  // fifty slices, of which eight fit into the queue
  writer.pump();
  EXPECT_LE(left().engine().counters().sends, 8U);
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 100'000; }));
  EXPECT_EQ(right().wrong(), 0U);
}

/// Stands between the engine and its device, which takes only so many of a chain.
struct ShortPosts {
  static int (*real)(ibv_qp*, ibv_send_wr*, ibv_send_wr**);
  static int taken, error, times;

  static void between(ibv_context* context, int takes, int code, int howOften) {
    real = context->ops.post_send;
    taken = takes;
    error = code;
    times = howOften;
    context->ops.post_send = post;
  }
  static int post(ibv_qp* qp, ibv_send_wr* first, ibv_send_wr** bad) {
    ibv_send_wr* last = first;
    for (int i = 1; i < taken && last != nullptr; i++) last = last->next;
    if (times == 0 || last == nullptr || (taken > 0 && last->next == nullptr)) {
      return real(qp, first, bad);
    }
    times--;
    *bad = first;
    if (taken == 0) return error;
    *bad = last->next;
    last->next = nullptr;
    ibv_send_wr* unused = nullptr;
    return real(qp, first, &unused) != 0 ? EIO : error;
  }
};
int (*ShortPosts::real)(ibv_qp*, ibv_send_wr*, ibv_send_wr**);
int ShortPosts::taken, ShortPosts::error, ShortPosts::times;

TEST_F(Flow, WhatTheDeviceDidNotTakeIsSentLater) {
  open();
  ShortPosts::between(left().engine().context(), 5, ENOMEM, 20);
  Writer writer(left().engine(), kId, 1, 1 << 14);
  EXPECT_TRUE(streamAll(writer, kId, 1, 300'000));
  EXPECT_GT(left().engine().counters().partialPosts, 0U);
  EXPECT_EQ(right().wrong(), 0U);
  EXPECT_EQ(left().failures(), 0) << left().failureOf(kId);
}

TEST_F(Flow, APostThatFailsForGoodIsTheEndOfItsConnectionAlone) {
  open();
  connect(left(), right(), 8);
  ShortPosts::between(left().engine().context(), 2, EIO, 1);
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(10'000);
  writer.pump();
  EXPECT_NE(left().failureOf(kId).find("EIO"), std::string::npos) << left().failureOf(kId);
  Writer other(left().engine(), 8, 1, 1 << 14);
  EXPECT_TRUE(streamAll(other, 8, 1, 100'000));
  writer.close();
  closeBoth();
}

TEST_F(Flow, AQueueThatTakesNothingThoughItIsEmptyHasFailed) {
  open();
  ShortPosts::between(left().engine().context(), 0, ENOMEM, 1);
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(100);
  writer.pump();
  EXPECT_NE(left().failureOf(kId).find("ENOMEM"), std::string::npos) << left().failureOf(kId);
}

TEST_F(Flow, IsRoundRobinBetweenStreams) {
  open();
  Writer bulk(left().engine(), kId, 1, 1 << 16);
  Writer little(left().engine(), kId, 2, 1 << 12);
  bulk.write(65'000);
  little.write(50);
  bulk.pump();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 2) == 50; }));
  EXPECT_LT(right().arrived(kId, 1), 20'000U) << "the little one waited for the bulk";
}

}  // namespace
}  // namespace verbena::streams::testing
