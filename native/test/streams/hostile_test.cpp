// SPDX-License-Identifier: Apache-2.0
//
// A peer that speaks verbs and not the engine's language. It is made of softnic, and so these tests
// use that, whatever device the others do.
#include "fabric/queue_pair_end.h"
#include "sides.h"
#include "streams/slice.h"
#include "streams/terms.h"

namespace verbena::streams::testing {
namespace {

using softnic::testing::End;

class Hostile : public ::testing::Test {
 protected:
  static constexpr LinkId kId = 7;
  static constexpr NodeId kNode = 2;
  static constexpr uint32_t kPsn = 77;

  Hostile() : victim_(small(1), softnicPort()), friend_(small(3), softnicPort()) {
    fabric::QueuePairEnd near = must(
        fabric::QueuePairEnd::of(kNode, must(victim_.engine().create({kId, kNode, kStreams}))));
    must(peer_.qp.toInit({}));
    for (uint64_t i = 0; i < 64; i++) EXPECT_EQ(peer_.postReceive(i, 65536 + i * 4096, 4096), 0);
    verbs::RtrAttributes rtr;
    rtr.path.remoteGid = near.gid;
    rtr.remoteQpNum = near.qpNum;
    rtr.receivePsn = near.sendPsn;
    must(peer_.qp.toRtr(rtr));
    must(peer_.qp.toRts({.sendPsn = kPsn}));
    fabric::QueuePairEnd end{
        .qpNum = peer_.qp.qpNum(), .sendPsn = kPsn, .gid = peer_.gid(), .maxReadsServed = 1};
    Terms terms{.window = 4, .maxSendBytes = 4096, .mostWindow = 6};
    must(victim_.engine().connect(kId, end.with(terms.bytes())));
    victim_.engine().ready(kId);
    connect(friend_, victim_, 8);
  }

  void send(size_t bytes, Immediate immediate, SliceHeader header = toWire(1, 0, 0)) {
    std::memcpy(peer_.memory(), &header, sizeof header);
    ibv_sge list = peer_.sge(0, bytes);
    ibv_send_wr request = peer_.request(IBV_WR_SEND_WITH_IMM, 1, bytes == 0 ? nullptr : &list);
    request.imm_data = immediate.toWire();
    ASSERT_EQ(peer_.post(request), 0);
  }

  /// The connection fails with a reason that has `word`, and its neighbour carries on.
  void expectFailure(const char* word) {
    EXPECT_TRUE(turnUntil({&victim_, &friend_}, [&] { return !victim_.failureOf(kId).empty(); }));
    EXPECT_NE(victim_.failureOf(kId).find(word), std::string::npos) << victim_.failureOf(kId);
    Writer writer(friend_.engine(), 8, 1, 1 << 14);
    writer.write(16'000);
    writer.pump();
    EXPECT_TRUE(turnUntil({&victim_, &friend_}, [&] { return victim_.arrived(8, 1) == 16'000; }));
    EXPECT_EQ(victim_.failureOf(8), "");
    victim_.engine().close(kId, "nonsense");
    EXPECT_TRUE(turnUntil({&victim_}, [&] { return victim_.closedTimes(kId) == 1; }));
    EXPECT_EQ(victim_.engine().receivesHeld(), 0U);
  }

  Folders folders_;
  Side victim_, friend_;
  End peer_;
};

TEST_F(Hostile, IsHeardAsLongAsItMakesSense) {
  send(20, {kNode, 0});
  EXPECT_TRUE(turnUntil({&victim_}, [&] { return victim_.arrivals() == 1; }));
  EXPECT_EQ(victim_.failures(), 0);
}

TEST_F(Hostile, SaysItIsAnotherNode) {
  send(20, {kNode + 1, 0});
  expectFailure("says that it is node 3");
  EXPECT_EQ(victim_.engine().counters().nonsense, 1U);
}

TEST_F(Hostile, ReportsMoreThanWasSent) {
  send(0, {kNode, 3});  // two are what its window may grow by
  expectFailure("more than was sent");
}

TEST_F(Hostile, SendsLessThanASliceHeader) {
  send(15, {kNode, 0});
  expectFailure("no slice");
}

TEST_F(Hostile, SendsASliceHeaderAlone) {
  send(16, {kNode, 0});
  expectFailure("no slice");
}

TEST_F(Hostile, SaysThatItHasPlacedBytesAndSendsThem) {
  send(20, {kNode, 0}, toWire(1, 0, 4));
  expectFailure("no slice");
}

TEST_F(Hostile, SaysThatItHasPlacedControl) {
  send(16, {kNode, 0}, toWire(kControlStream, 0, 64));
  expectFailure("no slice");
}

TEST_F(Hostile, SaysThatItHasPlacedMoreThanAnybodyMay) {
  send(16, {kNode, 0}, toWire(1, 0, kMostPlaced + 1));
  expectFailure("no slice");
}

/// What it has been told of one connection's memory it has no use for elsewhere, and guesses cost
/// it its connection.
TEST_F(Hostile, WritesWhereItMayNot) {
  std::shared_ptr<Replica> replica = must(victim_.engine().allocateReplica(4096));
  Replica::Grant grant = must(victim_.engine().grant(*replica, 0));
  std::memset(peer_.memory(), 0xff, 64);
  ibv_sge list = peer_.sge(0, 64);
  ibv_send_wr request = peer_.request(IBV_WR_RDMA_WRITE, 1, &list);
  request.wr.rdma = {grant.address + 4096 - 32, grant.key};  // beyond its end
  ASSERT_EQ(peer_.post(request), 0);
  expectFailure("access");
  for (uint64_t i = 0; i < 4096; i++) ASSERT_EQ(replica->start()[i], std::byte{0}) << i;
}

TEST_F(Hostile, SendsWithoutImmediateData) {
  ibv_sge list = peer_.sge(0, 20);
  ibv_send_wr request = peer_.request(IBV_WR_SEND, 1, &list);
  ASSERT_EQ(peer_.post(request), 0);
  expectFailure("without a report");
}

TEST_F(Hostile, WritesNothingButImmediateData) {
  ibv_send_wr request = peer_.request(IBV_WR_RDMA_WRITE_WITH_IMM, 1, nullptr);
  request.imm_data = Immediate{kNode, 0}.toWire();
  ASSERT_EQ(peer_.post(request), 0);
  EXPECT_TRUE(turnUntil({&victim_}, [&] { return !victim_.failureOf(kId).empty(); }));
}

TEST_F(Hostile, SendsMoreThanFits) {
  send(2049, {kNode, 0});
  expectFailure("local length error");
}

TEST_F(Hostile, SendsMoreThanItsWindow) {
  victim_.hold(true);
  for (int i = 0; i < 5; i++) send(20, {kNode, 0});
  EXPECT_TRUE(turnUntil({&victim_}, [&] { return !victim_.failureOf(kId).empty(); }));
  EXPECT_NE(victim_.failureOf(kId).find("more than its window"), std::string::npos);
  EXPECT_EQ(victim_.held(), 4U);
  victim_.hold(false);
  victim_.giveBackHeld();
  victim_.turn();
  expectFailure("more than its window");
}

TEST_F(Hostile, SendsMoreReportsThanItsWindow) {
  for (int i = 0; i < 5; i++) send(0, {kNode, 0});  // before anybody posts receives again
  expectFailure("more than its window");
}

TEST_F(Hostile, ARepeatedReportDoesNoHarm) {
  Writer writer(victim_.engine(), kId, 1, 1 << 14);
  writer.write(1000);
  writer.pump();
  for (int i = 0; i < 3; i++) send(0, {kNode, 1});
  EXPECT_TRUE(
      turnUntil({&victim_}, [&] { return victim_.engine().counters().reportsReceived == 3; }));
  EXPECT_EQ(victim_.failures(), 0);
  send(0, {kNode, 0});
  EXPECT_TRUE(turnUntil({&victim_}, [&] { return victim_.failures() == 1; }))
      << "an older count cannot come on a connection that keeps order";
}

TEST_F(Hostile, GoesOnAfterItWasNotBelieved) {
  send(0, {kNode, 3});
  ASSERT_TRUE(turnUntil({&victim_}, [&] { return !victim_.failureOf(kId).empty(); }));
  for (int i = 0; i < 100; i++) {
    send(20, {kNode, 0});
    victim_.turn();
  }
  EXPECT_TRUE(
      turnUntil({&victim_}, [&] { return victim_.engine().counters().arrivalsDropped >= 101; }));
  EXPECT_EQ(victim_.arrivals(), 0U);
  expectFailure("more than was sent");
}

}  // namespace
}  // namespace verbena::streams::testing
