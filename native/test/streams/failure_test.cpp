// SPDX-License-Identifier: Apache-2.0
//
// Connections fail and end, one by one.
#include <thread>

#include "fabric/queue_pair_end.h"
#include "sides.h"
#include "softnic/objects/faults.h"
#include "streams/terms.h"
#include "verbs/names.h"

namespace verbena::streams::testing {
namespace {

void script(Side& side, const std::string& text) {
  std::string error;
  ASSERT_TRUE(softnic::setFaults(side.engine().context(), text, error)) << error;
}

class Failure : public Pair {
 protected:
  /// A second connection between the same two, which must not notice anything.
  void openWithNeighbour() {
    open();
    connect(left(), right(), kNeighbour);
    neighbour_ = std::make_unique<Writer>(left().engine(), kNeighbour, 1, 1 << 13);
  }
  bool neighbourCarries(uint64_t more) {
    uint64_t target = right().arrived(kNeighbour, 1) + more;
    return until([&] {
      neighbour_->consumed(right().arrived(kNeighbour, 1));
      neighbour_->write(target - neighbour_->written());
      neighbour_->pump();
      return right().arrived(kNeighbour, 1) == target;
    });
  }
  void TearDown() override {
    if (neighbour_ != nullptr) neighbour_->close();
  }

  static constexpr LinkId kNeighbour = 99;
  std::unique_ptr<Writer> neighbour_;
};

/// What a status is called in a fault script, and in verbs.
struct Status {
  const char* name;
  ibv_wc_status code;
};
void PrintTo(const Status& status, std::ostream* out) {
  *out << status.name;
}

class FailedCompletion : public Failure, public ::testing::WithParamInterface<Status> {};

TEST_P(FailedCompletion, CostsItsConnectionAloneAndItComesAgain) {
  if (!whyNoFaults().empty()) GTEST_SKIP() << whyNoFaults();
  openWithNeighbour();
  script(left(), std::string("send@1:3=fail(") + GetParam().name + ")");
  {
    Writer writer(left().engine(), kId, 1, 1 << 14);
    writer.write(16'000);
    writer.pump();
    ASSERT_TRUE(until([&] { return !left().failureOf(kId).empty(); }));
    EXPECT_NE(left().failureOf(kId).find(verbs::statusName(GetParam().code)), std::string::npos)
        << left().failureOf(kId);
    EXPECT_EQ(right().arrived(kId, 1), 2U * 2032) << "what came before is heard";
  }
  EXPECT_TRUE(neighbourCarries(50'000));
  closeBoth();
  EXPECT_EQ(right().wrong(), 0U);
  EXPECT_EQ(left().failureOf(kNeighbour) + right().failureOf(kNeighbour), "");
  connect(left(), right(), 100);
  Writer again(left().engine(), 100, 1, 1 << 14);
  again.write(10'000);
  again.pump();
  EXPECT_TRUE(until([&] { return right().arrived(100, 1) == 10'000; }));
  EXPECT_TRUE(neighbourCarries(50'000));
}

INSTANTIATE_TEST_SUITE_P(
    OfASend, FailedCompletion,
    ::testing::Values(
        Status{"LOC_LEN_ERR", IBV_WC_LOC_LEN_ERR}, Status{"LOC_QP_OP_ERR", IBV_WC_LOC_QP_OP_ERR},
        Status{"LOC_EEC_OP_ERR", IBV_WC_LOC_EEC_OP_ERR},
        Status{"LOC_PROT_ERR", IBV_WC_LOC_PROT_ERR}, Status{"WR_FLUSH_ERR", IBV_WC_WR_FLUSH_ERR},
        Status{"MW_BIND_ERR", IBV_WC_MW_BIND_ERR}, Status{"BAD_RESP_ERR", IBV_WC_BAD_RESP_ERR},
        Status{"LOC_ACCESS_ERR", IBV_WC_LOC_ACCESS_ERR},
        Status{"REM_INV_REQ_ERR", IBV_WC_REM_INV_REQ_ERR},
        Status{"REM_ACCESS_ERR", IBV_WC_REM_ACCESS_ERR}, Status{"REM_OP_ERR", IBV_WC_REM_OP_ERR},
        Status{"RETRY_EXC_ERR", IBV_WC_RETRY_EXC_ERR},
        Status{"RNR_RETRY_EXC_ERR", IBV_WC_RNR_RETRY_EXC_ERR},
        Status{"LOC_RDD_VIOL_ERR", IBV_WC_LOC_RDD_VIOL_ERR},
        Status{"REM_INV_RD_REQ_ERR", IBV_WC_REM_INV_RD_REQ_ERR},
        Status{"REM_ABORT_ERR", IBV_WC_REM_ABORT_ERR}, Status{"INV_EECN_ERR", IBV_WC_INV_EECN_ERR},
        Status{"INV_EEC_STATE_ERR", IBV_WC_INV_EEC_STATE_ERR},
        Status{"FATAL_ERR", IBV_WC_FATAL_ERR}, Status{"RESP_TIMEOUT_ERR", IBV_WC_RESP_TIMEOUT_ERR},
        Status{"GENERAL_ERR", IBV_WC_GENERAL_ERR}, Status{"TM_ERR", IBV_WC_TM_ERR},
        Status{"TM_RNDV_INCOMPLETE", IBV_WC_TM_RNDV_INCOMPLETE}),
    [](const auto& status) { return std::string(status.param.name); });

TEST_F(Failure, OfAReceiveCostsItsConnectionAlone) {
  if (!whyNoFaults().empty()) GTEST_SKIP() << whyNoFaults();
  openWithNeighbour();
  script(right(), "receive@1:2=fail(LOC_LEN_ERR)");
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  ASSERT_TRUE(until([&] { return !right().failureOf(kId).empty(); }));
  EXPECT_NE(right().failureOf(kId).find("a receive"), std::string::npos) << right().failureOf(kId);
  EXPECT_TRUE(until([&] { return !left().failureOf(kId).empty(); })) << "the sender notices, too";
  EXPECT_TRUE(neighbourCarries(50'000));
  writer.close();
  closeBoth();
}

/// More often than devices can be told to try, short of without end.
TEST_F(Failure, AReceiverThatIsNotReadyForAMomentCostsNothingButThat) {
  if (!whyNoFaults().empty()) GTEST_SKIP() << whyNoFaults();
  open();
  script(left(), "send@1:3=rnr(500)");
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 16'000; }));
  EXPECT_EQ(left().failures(), 0) << left().failureOf(kId);
}

TEST_F(Failure, AReceiverThatIsNeverReadyIsNoticedByTheWatch) {
  if (!whyNoFaults().empty()) GTEST_SKIP() << whyNoFaults();
  EngineOptions options = small(1);
  options.patience = std::chrono::milliseconds(200);
  open(options, small(2));
  script(left(), "send@1:3+=rnr(600000)");
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  std::chrono::nanoseconds now{0};
  auto watch = [&](std::chrono::milliseconds later) { left().engine().watch(now += later); };
  watch(std::chrono::milliseconds(100));
  watch(std::chrono::milliseconds(199));
  turnFor({&left(), &right()}, std::chrono::milliseconds(1));
  EXPECT_EQ(left().failureOf(kId), "");
  watch(std::chrono::milliseconds(100));
  turnFor({&left(), &right()}, std::chrono::milliseconds(1));
  EXPECT_EQ(left().failureOf(kId), "") << "one look is not enough";
  EXPECT_TRUE(until([&] {
    watch(std::chrono::milliseconds(100));
    return !left().failureOf(kId).empty();
  }));
  EXPECT_NE(left().failureOf(kId).find("receiver-not-ready"), std::string::npos)
      << left().failureOf(kId);
}

/// The watch goes on while whoever polls pauses: what was confirmed meanwhile counts.
TEST_F(Failure, APauseOfThisSideIsNoStallOfTheFarSide) {
  EngineOptions options = small(1);
  options.patience = std::chrono::milliseconds(200);
  open(options, small(2));
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  ASSERT_TRUE(turnUntil({&right()}, [&] { return right().arrivals() >= 3; })) << "a window";
  for (int second = 1; second < 3; second++) left().engine().watch(std::chrono::seconds(second));
  EXPECT_TRUE(until([&] {
    writer.pump();
    return right().arrived(kId, 1) == 16'000;
  }));
  EXPECT_EQ(left().failures(), 0) << left().failureOf(kId);
}

TEST_F(Failure, AllBuffersComeBack) {
  open();
  uint32_t posted = right().engine().receivesPosted();
  for (LinkId id = 20; id < 60; id++) {
    connect(left(), right(), id);
    Writer writer(left().engine(), id, 1, 1 << 14);
    writer.write(16'000);
    writer.pump();
    if (id % 2 == 0) right().turn();
    right().engine().close(id, "enough");
    left().engine().close(id, "enough");
    ASSERT_TRUE(until([&] { return right().closedTimes(id) + left().closedTimes(id) == 2; }));
  }
  EXPECT_TRUE(until([&] { return right().engine().receivesPosted() + 31 >= posted; }))
      << "short by less than a chain: " << right().engine().receivesPosted() << " of " << posted;
  EXPECT_TRUE(until([&] { return right().engine().receivesHeld() == 0; }))
      << right().engine().receivesHeld();
  EXPECT_EQ(left().failures(), 0);
  EXPECT_EQ(left().engine().counters().lateEndings + right().engine().counters().lateEndings,
            saysLastReceive() ? 0U : 80U);
}

TEST_F(Failure, BuffersHeldAcrossTheEndCountForNobodyElse) {
  open();
  right().hold(true);
  {
    Writer writer(left().engine(), kId, 1, 1 << 14);
    writer.write(8'000);
    writer.pump();
    ASSERT_TRUE(until([&] { return right().held() == 3; }));
  }
  closeBoth();
  right().hold(false);
  connect(left(), right(), 8);  // at the same place
  right().giveBackHeld();
  Writer writer(left().engine(), 8, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  EXPECT_TRUE(until([&] { return right().arrived(8, 1) == 16'000; }));
  EXPECT_EQ(left().failures(), 0) << left().failureOf(8);
}

TEST_F(Failure, AReceiveGivenBackTwiceCountsOnce) {
  open();
  right().hold(true);
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(100);
  writer.pump();
  ASSERT_TRUE(until([&] { return right().held() == 1; }));
  right().giveBackHeld();
  right().engine().giveBack(127);
  right().engine().giveBack(4711);
  EXPECT_EQ(right().engine().counters().doubleReturns, 2U);
}

TEST_F(Failure, ClosedFromBothSidesUnderLoad) {
  open();
  for (LinkId id = 20; id < 50; id++) {
    connect(left(), right(), id);
    std::atomic<bool> over{false};
    Writer there(left().engine(), id, 1, 1 << 13), back(right().engine(), id, 1, 1 << 13);
    auto load = [&](Writer& writer) {
      while (!over) {
        writer.write(777);
        writer.pump();
      }
    };
    {
      std::jthread one(load, std::ref(there)), two(load, std::ref(back));
      turnFor({&left(), &right()}, std::chrono::milliseconds(1 + id % 3));
      left().engine().close(id, "enough");
      right().engine().close(id, "enough");
      EXPECT_TRUE(until([&] { return left().closedTimes(id) + right().closedTimes(id) == 2; }));
      over = true;
    }
    there.close();
    back.close();
  }
  EXPECT_EQ(left().wrong() + right().wrong(), 0U);
}

TEST_F(Failure, APeerThatDestroyedItsQueuePairIsNoticed) {
  open();
  Writer writer(left().engine(), kId, 1, 1 << 14);
  right().engine().close(kId, "gone");
  ASSERT_TRUE(until([&] { return right().closedTimes(kId) == 1; }));
  writer.write(100);
  writer.pump();
  EXPECT_TRUE(until([&] { return !left().failureOf(kId).empty(); }));
  writer.close();
  left().engine().close(kId, "gone");
  EXPECT_TRUE(until([&] { return left().closedTimes(kId) == 1; }));
}

TEST_F(Failure, AConnectionIsClosedInEveryState) {
  open();
  connect::LinkEnd far = must(right().engine().create({50, 1, kStreams}));
  must(left().engine().create({51, 2, kStreams}));  // Created
  must(left().engine().create({50, 2, kStreams}));
  must(left().engine().connect(50, far));  // Connected
  left().engine().close(50, "never mind");
  left().engine().close(50, "never mind, again");
  left().engine().close(51, "never mind");
  left().engine().close(52, "was never there");
  EXPECT_TRUE(until([&] { return left().closedTimes(50) == 1 && left().closedTimes(51) == 1; }));
  EXPECT_EQ(left().closedTimes(52), 0);
}

TEST_F(Failure, ADeviceThatHasGoneFailsEveryConnectionWithTheReason) {
  if (!whyNoFaults().empty()) GTEST_SKIP() << whyNoFaults();
  openWithNeighbour();
  script(left(), "send:2=device-fatal");
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  auto bothFailed = [&] {
    return !left().failureOf(kId).empty() && !left().failureOf(kNeighbour).empty();
  };
  ASSERT_TRUE(until(bothFailed));
  for (LinkId id : {kId, kNeighbour}) {
    EXPECT_NE(left().failureOf(id).find("device fatal"), std::string::npos)
        << "the cause, not that sends were flushed: " << left().failureOf(id);
  }
  auto end = std::chrono::steady_clock::now() + kPatience;
  base::Result<connect::LinkEnd> refused = base::Error{};
  while (std::chrono::steady_clock::now() < end) {
    left().turn();
    refused = left().engine().create({70, 2, kStreams});
    if (!refused) break;
    left().engine().close(70, "");
  }
  ASSERT_FALSE(refused) << "a device that has gone gets no new connections";
  EXPECT_NE(refused.error().sentence().find("cannot be used any more"), std::string::npos)
      << refused.error().sentence();
  writer.close();
  neighbour_->close();
  left().engine().close(kId, "");
  left().engine().close(kNeighbour, "");
  EXPECT_TRUE(until([&] { return left().closedTimes(kId) + left().closedTimes(kNeighbour) == 2; }));
  // The node lives on, perhaps by another transport: who waits here must not turn in circles.
  constexpr std::chrono::milliseconds kWait{100};
  auto began = std::chrono::steady_clock::now();
  left().engine().arm();
  left().turn();
  left().engine().wait(kWait);
  EXPECT_GE(std::chrono::steady_clock::now() - began, kWait);
  left().engine().arm();
  left().engine().wake();
  began = std::chrono::steady_clock::now();
  left().engine().wait(kPatience);
  EXPECT_LT(std::chrono::steady_clock::now() - began, kPatience) << "others can still wake it";
}

TEST_F(Failure, AnEngineWithOpenConnectionsGoesInAnyOrder) {
  openWithNeighbour();
  Writer writer(left().engine(), kId, 1, 1 << 14);
  writer.write(16'000);
  writer.pump();
  right().turn();
  writer.close();
  neighbour_->close();
  neighbour_.reset();
  left_.reset();
  right().turn();
}

TEST(EngineOptionsTest, AreHeldAgainstSoftnicAndNamed) {
  Folders folders;
  auto sentence = [](const EngineOptions& options) {
    auto opened = Engine::open(softnicPort(), options);
    return opened.ok() ? std::string("opened") : opened.error().sentence();
  };
  EngineOptions options = small(1);
  options.maxConnections = 100'000;
  EXPECT_NE(sentence(options).find("maxLinks"), std::string::npos) << sentence(options);
  options = small(1);
  options.sendWorkRequests = 50'000;
  EXPECT_NE(sentence(options).find("sendWorkRequests of 50000"), std::string::npos);
  options = small(1);
  options.maxConnections = 1000;
  options.sendWorkRequests = 16'000;
  EXPECT_NE(sentence(options).find("maxLinks times sendWorkRequests"), std::string::npos)
      << sentence(options);
  options = small(1);
  options.buffersPerReceive = 5;
  EXPECT_NE(sentence(options).find("buffersPerReceive of 5 is not between 1 and 4"),
            std::string::npos);
  options = small(1);
  options.controlRingBytes = 1000;
  EXPECT_NE(sentence(options).find("no power of two"), std::string::npos);
  EXPECT_EQ(sentence(small(1)), "opened");
}

TEST_F(Failure, TooManyConnectionsAreRefusedWithTheOption) {
  open();
  for (LinkId id = 10; id < 17; id++) must(left().engine().create({id, 2, kStreams}));
  base::Result<connect::LinkEnd> refused = left().engine().create({17, 2, kStreams});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("maxConnections of 8"), std::string::npos);
  left().engine().close(10, "");
  ASSERT_TRUE(until([&] { return left().closedTimes(10) == 1; }));
  EXPECT_TRUE(left().engine().create({17, 2, kStreams}).ok());
}

TEST_F(Failure, AFarEndThatDoesNotFitIsRefused) {
  open();
  connect::LinkEnd far = must(right().engine().create({8, 1, kStreams}));
  must(left().engine().create({8, 2, kStreams}));
  auto refuses = [&](auto change) {
    auto end = must(fabric::QueuePairEnd::of(2, far));
    Terms terms = must(Terms::of(2, fabric::QueuePairEnd::termsOf(far)));
    change(end, terms);
    connect::LinkEnd bytes = end.with(terms.bytes());
    bool isRefusedAtOnce = !left().engine().create({9, 2, kStreams, &bytes}).ok();
    return isRefusedAtOnce && !left().engine().connect(8, bytes).ok();
  };
  EXPECT_TRUE(refuses([](auto&, Terms& terms) { terms.version = 1; }));
  EXPECT_TRUE(refuses([](auto&, Terms& terms) { terms.window = 2; }));
  EXPECT_TRUE(refuses([](auto&, Terms& terms) { terms.mostWindow = terms.window - 1; }));
  EXPECT_TRUE(refuses([](auto&, Terms& terms) { terms.mostWindow = 0x8000; }));
  EXPECT_TRUE(refuses([](auto&, Terms& terms) { terms.maxSendBytes = 16; }));
  EXPECT_TRUE(refuses([](auto& end, Terms&) { end.mtu = 9; }));
  EXPECT_TRUE(refuses([](auto& end, Terms&) { end.qpNum = 1 << 24; }));
  EXPECT_TRUE(refuses([](auto& end, Terms&) { end.sendPsn = 1 << 24; }));
  for (size_t count = 0; count < far.bytes().size(); count++) {
    connect::LinkEnd tooShort(far.bytes().first(count));
    EXPECT_EQ(left().engine().create({9, 2, kStreams, &tooShort}).error().code, EPROTO) << count;
  }
  EXPECT_EQ(left().engine().create({9, 2, {9, 0}}).error().code, EPROTO) << "another service";
  EXPECT_TRUE(left().engine().connect(8, far).ok());
}

}  // namespace
}  // namespace verbena::streams::testing
