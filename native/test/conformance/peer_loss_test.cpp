// SPDX-License-Identifier: Apache-2.0
//
// A peer that does not answer any more: RETRY_EXC_ERR.
#include "conformance_test.h"

namespace verbena::conformance {
namespace {

constexpr LinkOptions kImpatient{.timeout = 12, .retryCount = 2};  // 17 ms, three times

class PeerLoss : public Connected {
 protected:
  void SetUp() override {
    Connected::SetUp();
    if (!HasFailure()) connectPair({}, {}, kImpatient);
  }

  void expectUnanswered(const Send& send) {
    requester().post(send);
    expectStatus(sent(), send.id, IBV_WC_RETRY_EXC_ERR);
    EXPECT_EQ(must(requester().queuePair().state()), IBV_QPS_ERR);
  }

  Send message() { return {.id = 1, .pieces = {requester().piece(0, 8)}}; }
};

TEST_F(PeerLoss, IsNoticedWhenTheQueuePairHasGone) {
  Send send = message();
  responder().destroyQueuePair();
  expectUnanswered(send);
}

TEST_F(PeerLoss, IsNoticedByAWrite) {
  Send send = oneSided(IBV_WR_RDMA_WRITE, 1, {requester().piece(0, 8)});
  responder().destroyQueuePair();
  expectUnanswered(send);
}

TEST_F(PeerLoss, IsNoticedByARead) {
  Send send = oneSided(IBV_WR_RDMA_READ, 1, {requester().piece(0, 8)});
  responder().destroyQueuePair();
  expectUnanswered(send);
}

TEST_F(PeerLoss, IsNoticedWhenTheQueuePairIsInError) {
  must(responder().queuePair().toError());
  expectUnanswered(message());
}

TEST_F(PeerLoss, IsNoticedWhenTheQueuePairWasReset) {
  must(responder().queuePair().toReset());
  expectUnanswered(message());
}

TEST_F(PeerLoss, IsNoticedWhenNobodyHasEverBeenThere) {
  Endpoint lonely(*context);
  lonely.connectTo(0xfedcba, kImpatient);
  lonely.post({.id = 3, .pieces = {lonely.piece(0, 8)}});
  expectStatus(await(lonely.sendQueue()), 3, IBV_WC_RETRY_EXC_ERR);
}

TEST_F(PeerLoss, IsNoticedWithAsManyRetriesAsThereCanBe) {
  connectPair({}, {}, {.timeout = 8, .retryCount = 7});  // 1 ms, eight times
  Send send = message();
  responder().destroyQueuePair();
  if (device().has(KnownDifference::sevenRetriesAreWithoutEnd)) {
    requester().post(send);
    expectSilence(requester().sendQueue());
    EXPECT_EQ(must(requester().queuePair().state()), IBV_QPS_RTS);
  } else {
    expectUnanswered(send);
  }
}

TEST_F(PeerLoss, IsNotNoticedWhileThereIsNothingToSay) {
  responder().destroyQueuePair();
  expectSilence(requester().sendQueue());
  EXPECT_EQ(must(requester().queuePair().state()), IBV_QPS_RTS);
}

TEST_F(PeerLoss, FlushesWhatFollows) {
  Send send = message();
  responder().destroyQueuePair();
  Send second = send;
  second.id = 2;
  std::vector<Send> chain = {send, second};
  ASSERT_EQ(requester().tryPostChain(chain).first, 0);
  expectStatus(sent(), 1, IBV_WC_RETRY_EXC_ERR);
  expectStatus(sent(), 2, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(PeerLoss, LeavesOtherConnectionsAlone) {
  Endpoint one(*context);
  Endpoint other(*context);
  connect(one, other);
  Send send = message();
  responder().destroyQueuePair();
  expectUnanswered(send);
  other.postReceive(1, {other.piece(0, 8)});
  one.post({.id = 2, .pieces = {one.piece(0, 8)}});
  expectSuccess(await(other.receiveQueue()), 1, IBV_WC_RECV);
}

}  // namespace
}  // namespace verbena::conformance
