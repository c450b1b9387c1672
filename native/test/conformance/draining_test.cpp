// SPDX-License-Identifier: Apache-2.0
//
// The state SQD: what has begun is finished, nothing new begins.
#include "conformance_test.h"

namespace verbena::conformance {
namespace {

class Draining : public Connected {
 protected:
  void moveRequester(ibv_qp_state state, bool notify = false) {
    ibv_qp_attr attributes{};
    attributes.qp_state = state;
    attributes.en_sqd_async_notify = notify ? 1 : 0;
    int mask = IBV_QP_STATE | (notify ? IBV_QP_EN_SQD_ASYNC_NOTIFY : 0);
    const verbs::QueuePair& queuePair = requester().queuePair();
    ASSERT_EQ(queuePair.provider().modify_qp(queuePair.get(), &attributes, mask), 0);
  }

  void expectDrained(const verbs::AsyncEvents& events) {
    std::optional<verbs::AsyncEvent> event = await(events);
    ASSERT_TRUE(event) << "no event came";
    EXPECT_EQ(event->type, IBV_EVENT_SQ_DRAINED);
    EXPECT_EQ(event->qpNum, requester().queuePair().qpNum());
  }
};

TEST_F(Draining, IsOverAtOnceWhenNothingHasBegun) {
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  moveRequester(IBV_QPS_SQD, true);
  expectDrained(events);
  EXPECT_EQ(must(requester().queuePair().state()), IBV_QPS_SQD);
}

TEST_F(Draining, WaitsForARequestThatHasToBeSentAgain) {
  connectPair({}, {}, {.rnrRetry = 7, .minRnrTimer = 12});
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectSilence(requester().sendQueue());
  moveRequester(IBV_QPS_SQD, true);
  if (device().has(KnownDifference::drainedBeforeRefusedRequests)) return expectDrained(events);
  EXPECT_FALSE(events.wait(kSilence)) << "drained while a request was under way";
  responder().postReceive(5, {responder().piece(0, 64)});
  expectSuccess(received(), 5, IBV_WC_RECV);
  expectSuccess(sent(), 1, IBV_WC_SEND);
  expectDrained(events);
}

TEST_F(Draining, HoldsBackWhatIsPostedMeanwhile) {
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  responder().postReceive(5, {responder().piece(0, 64)});
  moveRequester(IBV_QPS_SQD, true);
  expectDrained(events);
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectSilence(responder().receiveQueue());
  moveRequester(IBV_QPS_RTS);
  if (device().has(KnownDifference::goesOnWithTheNextPost)) {
    expectSilence(requester().sendQueue());
    requester().post({.id = 2, .pieces = {requester().piece(0, 8)}});
  }
  expectSuccess(received(), 5, IBV_WC_RECV);
  expectSuccess(sent(), 1, IBV_WC_SEND);
}

TEST_F(Draining, DoesNotConcernReceiving) {
  requester().postReceive(5, {requester().piece(0, 64)});
  moveRequester(IBV_QPS_SQD);
  responder().post({.id = 1, .pieces = {responder().piece(0, 8)}});
  expectSuccess(await(requester().receiveQueue()), 5, IBV_WC_RECV);
  expectSuccess(await(responder().sendQueue()), 1, IBV_WC_SEND);
}

}  // namespace
}  // namespace verbena::conformance
