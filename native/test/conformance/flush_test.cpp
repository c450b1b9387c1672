// SPDX-License-Identifier: Apache-2.0
//
// What becomes of posted work once a queue pair is in the error state.
#include <thread>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using Flush = Connected;

TEST_F(Flush, CompletesEveryReceiveInOrder) {
  for (uint64_t i = 0; i < 5; i++) responder().postReceive(i, {responder().piece(0, 8)});
  must(responder().queuePair().toError());
  for (uint64_t i = 0; i < 5; i++) {
    ibv_wc at = received();
    expectStatus(at, i, IBV_WC_WR_FLUSH_ERR);
    EXPECT_EQ(at.qp_num, responder().queuePair().qpNum());
  }
  expectSilence(responder().receiveQueue());
}

TEST_F(Flush, CompletesEverySendInOrderSignalledOrNot) {
  // None of them can leave: the responder has no receive and the requester asks without end.
  connectPair({}, {}, {.rnrRetry = 7, .minRnrTimer = 31});
  for (uint64_t i = 0; i < 4; i++) {
    requester().post({.id = i,
                      .pieces = {requester().piece(0, 8)},
                      .flags = i % 2 == 0 ? unsigned{IBV_SEND_SIGNALED} : 0U});
  }
  must(requester().queuePair().toError());
  for (uint64_t i = 0; i < 4; i++) expectStatus(sent(), i, IBV_WC_WR_FLUSH_ERR);
  expectSilence(requester().sendQueue());
}

TEST_F(Flush, FollowsTheCompletionThatFailed) {
  ibv_sge wrong = requester().piece(0, 8);
  wrong.lkey ^= 0x5a00;
  std::vector<Send> chain = {{.id = 1, .pieces = {wrong}},
                             {.id = 2, .pieces = {requester().piece(0, 8)}},
                             {.id = 3, .pieces = {requester().piece(0, 8)}, .flags = 0}};
  requester().postReceive(9, {requester().piece(0, 8)});
  ASSERT_EQ(requester().tryPostChain(chain).first, 0);
  bool differs = device().has(KnownDifference::wrongKeyIsQpOperationError);
  expectStatus(sent(), 1, differs ? IBV_WC_LOC_QP_OP_ERR : IBV_WC_LOC_PROT_ERR);
  expectStatus(sent(), 2, IBV_WC_WR_FLUSH_ERR);
  expectStatus(sent(), 3, IBV_WC_WR_FLUSH_ERR);
  expectStatus(await(requester().receiveQueue()), 9, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(Flush, KeepsWhatHadCompletedBefore) {
  responder().postReceive(1, {responder().piece(0, 8)});
  requester().post({.id = 2, .pieces = {requester().piece(0, 8)}});
  expectSuccess(sent(), 2, IBV_WC_SEND);
  must(responder().queuePair().toError());
  expectSuccess(received(), 1, IBV_WC_RECV);
}

TEST_F(Flush, CompletesASendThatIsPostedAfterwards) {
  must(requester().queuePair().toError());
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectStatus(sent(), 1, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(Flush, CompletesAReceiveThatIsPostedAfterwards) {
  must(requester().queuePair().toError());
  std::this_thread::sleep_for(kSilence);  // long after: no flushing is under way
  requester().postReceive(2, {requester().piece(0, 8)});
  if (device().has(KnownDifference::lateReceivesAreNotFlushed)) {
    expectSilence(requester().receiveQueue());
  } else {
    expectStatus(await(requester().receiveQueue()), 2, IBV_WC_WR_FLUSH_ERR);
  }
}

TEST_F(Flush, LeavesASharedReceiveQueueAloneAndSaysWhenItsLastReceiveIsDone) {
  verbs::ProtectionDomain pd = must(verbs::ProtectionDomain::allocate(*context));
  verbs::SharedReceiveQueue shared = must(verbs::SharedReceiveQueue::create(pd, 16, 1));
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  connectPair({}, {.pd = &pd, .sharedReceiveQueue = &shared});
  must(responder().queuePair().toError());
  if (device().has(KnownDifference::noLastWqeEvent)) {
    EXPECT_FALSE(events.wait(kSilence));
  } else {
    std::optional<verbs::AsyncEvent> event = await(events);
    ASSERT_TRUE(event) << "no event came";
    EXPECT_EQ(event->type, IBV_EVENT_QP_LAST_WQE_REACHED);
    EXPECT_EQ(event->qpNum, responder().queuePair().qpNum());
  }
  expectSilence(responder().receiveQueue());
}

}  // namespace
}  // namespace verbena::conformance
