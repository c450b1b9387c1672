// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>

#include "ends.h"

namespace verbena::softnic::testing {
namespace {

TEST(SoftnicSend, CarriesAMessageToTheOldestReceive) {
  Pair pair;
  fill(pair.left.memory(), 100, 1);
  ASSERT_EQ(pair.right.postReceive(7, 0, 4096), 0);
  ASSERT_EQ(pair.left.send(8, 0, 100), 0);
  ibv_wc received = pair.right.waitOne();
  EXPECT_EQ(received.status, IBV_WC_SUCCESS);
  EXPECT_EQ(received.opcode, IBV_WC_RECV);
  EXPECT_EQ(received.wr_id, 7U);
  EXPECT_EQ(received.byte_len, 100U);
  EXPECT_EQ(received.qp_num, pair.right.qp.qpNum());
  EXPECT_TRUE(holds(pair.right.memory(), 100, 1));
  ibv_wc sent = pair.left.waitOne();
  EXPECT_EQ(sent.status, IBV_WC_SUCCESS);
  EXPECT_EQ(sent.opcode, IBV_WC_SEND);
  EXPECT_EQ(sent.wr_id, 8U);
  EXPECT_EQ(sent.qp_num, pair.left.qp.qpNum());
}

TEST(SoftnicSend, CarriesEverySizeAcrossFragmentsAndTheEndOfTheRing) {
  Pair pair;
  unsigned seed = 0;
  for (size_t bytes : {0U, 1U, 63U, 64U, 4095U, 4096U, 16383U, 16384U, 16385U, 100000U, 262144U,
                       300001U, 500000U}) {
    SCOPED_TRACE(bytes);
    fill(pair.left.memory(), bytes, ++seed);
    ASSERT_EQ(pair.right.postReceive(seed, 0, bytes), 0);
    ASSERT_EQ(pair.left.send(seed, 0, bytes), 0);
    // Larger than the ring: both sides have to take part.
    std::vector<ibv_wc> received;
    while (received.empty()) {
      received = pair.right.pollFor(std::chrono::milliseconds(1));
      ibv_wc none;
      ASSERT_GE(pair.left.cq.poll({&none, 0}), 0);
    }
    EXPECT_EQ(received[0].byte_len, bytes);
    EXPECT_TRUE(holds(pair.right.memory(), bytes, seed));
    EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
  }
}

TEST(SoftnicSend, KeepsTheOrderOfManyMessages) {
  Pair pair;
  constexpr size_t kWindow = 64;
  constexpr uint32_t kRounds = 2000;
  for (uint32_t round = 0; round < kRounds; round++) {
    for (size_t i = 0; i < kWindow; i++) ASSERT_EQ(pair.right.postReceive(i, i * 64, 64), 0);
    for (size_t i = 0; i < kWindow; i++) {
      fill(pair.left.memory() + i * 64, 64, static_cast<unsigned>(round * kWindow + i));
      ASSERT_EQ(pair.left.send(i, i * 64, 64), 0);
    }
    std::vector<ibv_wc> received = pair.right.wait(kWindow);
    for (size_t i = 0; i < kWindow; i++) {
      ASSERT_EQ(received[i].wr_id, i);
      ASSERT_TRUE(
          holds(pair.right.memory() + i * 64, 64, static_cast<unsigned>(round * kWindow + i)));
    }
    pair.left.wait(kWindow);
  }
}

TEST(SoftnicSend, TellsImmediateDataAndLoopsBackOnOneQueuePair) {
  Folders folders;
  End end;
  end.connect(end);
  ASSERT_EQ(end.postReceive(1, 4096, 64), 0);
  fill(end.memory(), 64, 3);
  ibv_sge list = end.sge(0, 64);
  ibv_send_wr request = end.request(IBV_WR_SEND_WITH_IMM, 2, &list);
  request.imm_data = htonl(0x01020304);
  ASSERT_EQ(end.post(request), 0);
  std::vector<ibv_wc> done = end.wait(2);
  EXPECT_EQ(done[0].wr_id, 1U);
  EXPECT_EQ(done[0].wc_flags, static_cast<unsigned>(IBV_WC_WITH_IMM));
  EXPECT_EQ(ntohl(done[0].imm_data), 0x01020304U);
  EXPECT_EQ(done[1].wr_id, 2U);
  EXPECT_TRUE(holds(end.memory() + 4096, 64, 3));
}

TEST(SoftnicChannel, WakesASleeperWhoseApplicationDoesNotPoll) {
  EndOptions withChannel;
  withChannel.channel = true;
  Pair pair({}, withChannel);
  for (uint64_t i = 0; i < 20; i++) {
    ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
    ASSERT_EQ(pair.right.cq.arm(), 0);
    ASSERT_EQ(pair.left.send(i, 0, 64), 0);
    ASSERT_TRUE(pair.right.channel->wait(kPatience));
    ASSERT_TRUE(must(pair.right.channel->takeEvent()).has_value());
    EXPECT_EQ(pair.right.waitOne().wr_id, i);
    EXPECT_EQ(pair.left.waitOne().wr_id, i);
  }
  EXPECT_FALSE(must(pair.right.channel->takeEvent()).has_value()) << "an event without arming";
}

TEST(SoftnicChannel, SolicitedArmingIgnoresOrdinaryMessages) {
  EndOptions withChannel;
  withChannel.channel = true;
  Pair pair({}, withChannel);
  ASSERT_EQ(pair.right.postReceive(0, 0, 64), 0);
  ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(pair.right.cq.arm(true), 0);
  ASSERT_EQ(pair.left.send(0, 0, 64), 0);
  EXPECT_FALSE(pair.right.channel->wait(std::chrono::milliseconds(50)));
  ibv_sge list = pair.left.sge(0, 64);
  ibv_send_wr request = pair.left.request(IBV_WR_SEND, 1, &list);
  request.send_flags |= IBV_SEND_SOLICITED;
  ASSERT_EQ(pair.left.post(request), 0);
  EXPECT_TRUE(pair.right.channel->wait(kPatience));
  EXPECT_TRUE(must(pair.right.channel->takeEvent()).has_value());
}

}  // namespace
}  // namespace verbena::softnic::testing
