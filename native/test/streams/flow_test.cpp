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

  /// An engine with other windows.
  static EngineOptions wide(NodeId self, uint32_t window) {
    EngineOptions options = small(self);
    options.window = window;
    options.sendWorkRequests = 64;
    options.receiveWorkRequests = 512;
    return options;
  }

  /// A send queue that never fills: what its sender waits for is the window.
  static EngineOptions patient(NodeId self) {
    EngineOptions options = small(self);
    options.sendWorkRequests = 4096;
    return options;
  }

  /// While the right end keeps what comes: so many of them. It waits when it sends nothing though
  /// it has heard all that was to be said.
  uint32_t sendsUntilItWaits(Writer& writer, LinkId id) {
    uint64_t before = left().engine().counters().sends;
    uint64_t sends = 0;
    writer.consumed(right().arrived(id, 1));
    do {
      right().turn();
      EXPECT_TRUE(until([&] { return nothingIsUnderWay(); }));
      sends = left().engine().counters().sends;
      writer.write(20);
      writer.pump();
    } while (left().engine().counters().sends > sends);
    return static_cast<uint32_t>(sends - before);
  }

  /// Its sender waits in one window after the other, as often as it takes for the largest one.
  bool makeItWait(Writer& writer, LinkId id) {
    constexpr int kWindows = 20;  // it doubles after four
    for (int window = 0; window < kWindows; window++) {
      right().hold(true);
      sendsUntilItWaits(writer, id);
      right().hold(false);
      right().giveBackHeld();
      if (!until([&] { return right().arrived(id, 1) == writer.written(); })) return false;
    }
    return true;
  }

  bool nothingIsUnderWay() {
    EngineCounters from = left().engine().counters();
    EngineCounters to = right().engine().counters();
    return to.arrivals == from.sends && from.reportsReceived == to.reports;
  }
};

TEST_F(Flow, StopsAtTheWindowAndGoesOnByItselfWhenBuffersComeBack) {
  open();
  right().hold(true);
  Writer writer(left().engine(), kId, 1, 1 << 16);
  writer.write(60'000);
  writer.pump();
  EXPECT_TRUE(until([&] { return right().held() == 3; })) << "a window of sends";
  turnFor({&left(), &right()}, std::chrono::milliseconds(50));
  EXPECT_EQ(right().held(), 3U) << "more than a window of sends";
  EXPECT_EQ(left().engine().counters().sends, 3U);
  right().hold(false);
  right().giveBackHeld();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 60'000; }));
  EXPECT_EQ(right().wrong(), 0U);
}

/// The thread that polls is in a handler, which takes its time.
TEST_F(Flow, GoesOnThoughWhoPollsIsBusy) {
  open();
  Writer writer(left().engine(), kId, 1, 1 << 16);
  writer.write(60'000);
  writer.pump();
  EXPECT_EQ(left().looks(), 1) << "the manager's thread is to look";
  EXPECT_TRUE(turnUntil({&right()}, [&] {
    left().engine().watch(std::chrono::steady_clock::now().time_since_epoch());
    return right().arrived(kId, 1) == 60'000;
  }));
  EXPECT_EQ(right().wrong(), 0U);
}

/// Nothing waits for the far side here: a pump has a budget, and leaves the rest to a round.
TEST_F(Flow, WhatAPumpLeavesGoesOnThoughWhoPollsIsBusy) {
  auto large = [](NodeId self) {
    EngineOptions options = small(self);
    options.sendWorkRequests = 256;
    options.receiveWorkRequests = 1024;
    options.firstWindow = options.window = 128;
    return options;
  };
  open(large(1), large(2));
  Writer writer(left().engine(), kId, 1, 1 << 18);
  writer.write(200'000);
  writer.pump();
  uint64_t once = left().engine().counters().sends;
  EXPECT_TRUE(turnUntil({&right()}, [&] {
    left().engine().watch(std::chrono::steady_clock::now().time_since_epoch());
    return right().arrived(kId, 1) == 200'000;
  }));
  EXPECT_LT(once, left().engine().counters().sends) << "it was no more than one pump posts";
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Flow, NobodyDoesRoundsForWhoDoesThem) {
  open();
  auto begin = std::chrono::steady_clock::now().time_since_epoch();
  auto after = [&](int milliseconds) { return begin + std::chrono::milliseconds(milliseconds); };
  EXPECT_EQ(left().engine().watch(begin), connect::LinkOwner::kNoHurry) << "nothing waits";
  Writer writer(left().engine(), kId, 1, 1 << 16);
  writer.write(60'000);
  writer.pump();
  std::chrono::nanoseconds next = left().engine().watch(begin);
  ASSERT_LT(next, after(1000)) << "it waits for the far side, which does nothing";
  for (int looks = 0; looks < 10; looks++) {
    left().turn();
    uint64_t rounds = left().engine().counters().rounds;
    next = left().engine().watch(next);
    EXPECT_EQ(left().engine().counters().rounds, rounds);
  }
  uint64_t rounds = left().engine().counters().rounds;
  next = left().engine().watch(next);
  EXPECT_EQ(left().engine().counters().rounds, rounds + 1) << "and now it did nothing itself";
  ASSERT_TRUE(until([&] { return right().arrived(kId, 1) == 60'000; }));
  EXPECT_EQ(left().engine().watch(next + std::chrono::seconds(1)), connect::LinkOwner::kNoHurry)
      << "nothing waits any more";
}

TEST_F(Flow, NothingIsReportedForHalfAWindow) {
  open();
  Writer writer(left().engine(), kId, 1, 1 << 16);
  for (int i = 0; i < 2; i++) {
    writer.write(100);
    writer.pump();
  }
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 200; }));
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
  constexpr size_t kHeld = 3;  // a window of sends
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

/// The windows that many peers begin with are covered, and those that grow.
TEST_F(Flow, EveryWindowIsCoveredByPostedReceivesHoweverManyPeersThereAre) {
  constexpr uint32_t kPeers = 60;
  EngineOptions options = small(2);
  options.maxConnections = kPeers;
  EngineOptions sending = small(1);
  sending.maxConnections = kPeers;
  open(sending, options);
  uint32_t promised = 4;
  for (LinkId id = 20; id < 20 + kPeers - 1; id++) {
    connect::LinkEnd near = must(left().engine().create({id, 2, kStreams}));
    connect::LinkEnd far = must(right().engine().create({id, 1, kStreams}));
    // Nobody polls on the right: it is so when the far side hears of it.
    promised += must(Terms::of(2, fabric::QueuePairEnd::termsOf(far))).window;
    ASSERT_GE(right().engine().receivesPosted(), promised) << "with " << id - 18 << " connections";
    must(left().engine().connect(id, far));
    must(right().engine().connect(id, near));
    left().engine().ready(id);
    right().engine().ready(id);
  }
  EXPECT_EQ(promised, 4 * kPeers) << "all begin with a small one";
  EXPECT_LT(right().engine().receivesPosted(), promised + 64) << "no more than that";
}

TEST_F(Flow, AWindowThatItsSenderWaitsForGrowsAndAnotherStaysSmall) {
  open(patient(1), wide(2, 32));
  connect(left(), right(), 8);
  Writer busy(left().engine(), kId, 1, 1 << 14);
  Writer calm(left().engine(), 8, 1, 1 << 14);
  ASSERT_TRUE(makeItWait(busy, kId));
  for (uint64_t i = 1; i <= 40; i++) {
    calm.write(10);
    calm.pump();
    ASSERT_TRUE(until([&] { return right().arrived(8, 1) == 10 * i; }));
    turnFor({&left(), &right()}, std::chrono::milliseconds(1));
  }
  right().hold(true);
  EXPECT_GE(sendsUntilItWaits(busy, kId), 16U) << "half of it may not be reported yet";
  EXPECT_LE(sendsUntilItWaits(calm, 8), 3U) << "of four the last is for a report";
  EXPECT_EQ(right().wrong(), 0U);
}

/// While somebody polls, windows grow by what is there. The manager's thread makes more.
TEST_F(Flow, MemoryForWindowsThatGrowIsMadeBetweenRounds) {
  open(patient(1), wide(2, 32));
  std::vector<std::unique_ptr<Writer>> writers;
  for (LinkId id = 20; id < 26; id++) {
    connect(left(), right(), id);
    writers.push_back(std::make_unique<Writer>(left().engine(), id, 1, 1 << 14));
  }
  uint64_t before = right().engine().memory().receiveBuffers;
  for (LinkId id = 20; id < 26; id++) ASSERT_TRUE(makeItWait(*writers[id - 20], id));
  EXPECT_EQ(right().engine().memory().receiveBuffers, before);
  std::chrono::milliseconds now{0};
  for (int round = 0; round < 3; round++) {
    for (LinkId id = 20; id < 26; id++) {
      right().engine().watch(now += std::chrono::milliseconds(100));
      ASSERT_TRUE(makeItWait(*writers[id - 20], id));
    }
  }
  EXPECT_GT(right().engine().memory().receiveBuffers, before);
  right().hold(true);
  for (LinkId id = 20; id < 26; id++) EXPECT_GE(sendsUntilItWaits(*writers[id - 20], id), 16U);
  EXPECT_EQ(left().engine().counters().receiverNotReady, 0U);
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Flow, WindowsGrowNoFurtherThanThereAreReceivesForThem) {
  EngineOptions options = wide(2, 60);
  options.receiveWorkRequests = 32;  // of which one connection gets a quarter at a time
  open(patient(1), options);
  Writer busy(left().engine(), kId, 1, 1 << 14);
  ASSERT_TRUE(makeItWait(busy, kId));
  right().hold(true);
  uint32_t sends = sendsUntilItWaits(busy, kId);
  EXPECT_GT(sends, 8U);
  EXPECT_LE(sends, 3 + 32U);
}

/// It goes back to what windows begin with, for whoever comes next.
TEST_F(Flow, WhatAWindowHasGrownByIsThereAgainWhenItsConnectionHasEnded) {
  EngineOptions options = wide(2, 32);
  options.receiveWorkRequests = 40;
  open(patient(1), options);
  for (LinkId id = 20; id < 24; id++) {
    connect(left(), right(), id);
    Writer busy(left().engine(), id, 1, 1 << 14);
    ASSERT_TRUE(makeItWait(busy, id));
    right().hold(true);
    EXPECT_GE(sendsUntilItWaits(busy, id), 16U) << id;
    right().hold(false);
    right().giveBackHeld();
    right().engine().close(id, "enough");
    left().engine().close(id, "enough");
    ASSERT_TRUE(until([&] { return right().closedTimes(id) + left().closedTimes(id) == 2; }));
  }
}

/// Both ends have used up what they may send, and give nothing back for a while.
TEST_F(Flow, EndsThatHaveSentEachOtherAllTheyMayGoOn) {
  for (uint32_t window : {2U, 3U, 4U, 7U}) {
    open(wide(1, window), wide(2, window));
    Writer there(left().engine(), kId, 1, 1 << 16), back(right().engine(), kId, 1, 1 << 16);
    uint64_t total = 0;
    for (int round = 0; round < 50; round++) {
      left().hold(true);
      right().hold(true);
      there.consumed(total);
      back.consumed(total);
      total += 40'000;
      there.write(40'000);
      back.write(40'000);
      there.pump();
      back.pump();
      for (int i = 0; i < 5; i++) {
        left().turn();
        right().turn();
      }
      left().hold(false);
      right().hold(false);
      left().giveBackHeld();
      right().giveBackHeld();
      ASSERT_TRUE(until([&] {
        return right().arrived(kId, 1) == total && left().arrived(kId, 1) == total;
      })) << "window "
          << window << ", round " << round;
    }
    EXPECT_EQ(left().wrong() + right().wrong(), 0U);
    EXPECT_EQ(left().failures() + right().failures(), 0) << left().failureOf(kId);
  }
}

/// One end takes nothing more in, which is nothing to what it sends itself.
TEST_F(Flow, AnEndThatKeepsAllThatCameSendsOn) {
  open();
  Writer there(left().engine(), kId, 1, 1 << 14);
  Writer back(right().engine(), kId, 1, 1 << 14);
  right().hold(true);
  sendsUntilItWaits(there, kId);
  uint64_t total = 500'000;
  EXPECT_TRUE(until([&] {
    back.consumed(left().arrived(kId, 1));
    if (back.written() < total) back.write(total - back.written());
    back.pump();
    return left().arrived(kId, 1) == total;
  }));
  EXPECT_EQ(left().wrong(), 0U);
}

/// A far side that sends all it may, while what came before is given back by another thread.
TEST_F(Flow, NothingIsReportedThatIsNotPostedAgain) {
  open();
  right().hold(true);
  Writer writer(left().engine(), kId, 1, 1 << 16);
  Writer back(right().engine(), kId, 1, 1 << 12);
  writer.write(60'000);
  writer.pump();
  ASSERT_TRUE(until([&] { return right().held() == 3; }));
  uint64_t sends = left().engine().counters().sends;
  right().giveBackHeld();
  back.write(10);
  back.pump();  // would carry the report; nobody has posted yet
  for (int i = 0; i < 100; i++) left().turn();
  EXPECT_EQ(left().engine().counters().sends, sends);
  EXPECT_TRUE(until([&] { return left().engine().counters().sends > sends; }));
}

TEST_F(Flow, AFullSendQueueKeepsTheRest) {
  open(small(1), wide(2, 60));
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
