// SPDX-License-Identifier: Apache-2.0
//
// The way of a queue pair through its states, and what each state lets a program do.
#include <cerrno>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using verbs::QueuePair;

class QueuePairState : public Connected {
 protected:
  static ibv_qp_state stateOf(Endpoint& endpoint) { return must(endpoint.queuePair().state()); }

  /// modify_qp with nothing but a state and what `mask` names, all zero.
  static int move(Endpoint& endpoint, ibv_qp_state state, int mask = 0) {
    ibv_qp_attr attributes{};
    attributes.qp_state = state;
    attributes.port_num = device().selection().port;
    return endpoint.queuePair().provider().modify_qp(endpoint.queuePair().get(), &attributes,
                                                     mask | IBV_QP_STATE);
  }

  /// The responder stays in RTR, with one receive.
  void connectHalf() {
    requester_.emplace(*context);
    responder_.emplace(*context);
    requester_->connectTo(responder_->queuePair().qpNum());
    responder_->initialize();
    responder_->postReceive(7, {responder_->piece(0, 64)});
    must(responder_->queuePair().toRtr({.path = loopback(),
                                        .mtu = device().selection().mtu,
                                        .remoteQpNum = requester_->queuePair().qpNum(),
                                        .receivePsn = 0xfffff0}));
  }
};

TEST_F(QueuePairState, IsResetAfterCreation) {
  Endpoint endpoint(*context);
  EXPECT_EQ(stateOf(endpoint), IBV_QPS_RESET);
}

TEST_F(QueuePairState, GoesFromResetToReadyToSend) {
  Endpoint endpoint(*context);
  endpoint.initialize();
  EXPECT_EQ(stateOf(endpoint), IBV_QPS_INIT);
  Endpoint connected(*context);
  connected.connectTo(endpoint.queuePair().qpNum());
  EXPECT_EQ(stateOf(connected), IBV_QPS_RTS);
}

TEST_F(QueuePairState, HasANumberThatNoOtherHas) {
  Endpoint one(*context);
  Endpoint other(*context);
  EXPECT_NE(one.queuePair().qpNum(), other.queuePair().qpNum());
  EXPECT_LT(one.queuePair().qpNum(), 1U << 24);
  EXPECT_GT(one.queuePair().qpNum(), 1U) << "0 and 1 belong to the management of the fabric";
}

TEST_F(QueuePairState, RefusesToLeaveOneOut) {
  Endpoint endpoint(*context);
  constexpr int kRtrMask = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                           IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  constexpr int kRtsMask = IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                           IBV_QP_MAX_QP_RD_ATOMIC;
  EXPECT_EQ(move(endpoint, IBV_QPS_RTR, kRtrMask), EINVAL);
  EXPECT_EQ(move(endpoint, IBV_QPS_RTS, kRtsMask), EINVAL);
  endpoint.initialize();
  EXPECT_EQ(move(endpoint, IBV_QPS_RTS, kRtsMask), EINVAL);
  EXPECT_EQ(stateOf(endpoint), IBV_QPS_INIT);
}

TEST_F(QueuePairState, RefusesAMoveWithoutItsAttributes) {
  Endpoint endpoint(*context);
  EXPECT_EQ(move(endpoint, IBV_QPS_INIT), EINVAL);
  EXPECT_EQ(move(endpoint, IBV_QPS_INIT, IBV_QP_PORT | IBV_QP_PKEY_INDEX), EINVAL);
  endpoint.initialize();
  EXPECT_EQ(move(endpoint, IBV_QPS_RTR, IBV_QP_AV), EINVAL);
}

TEST_F(QueuePairState, RefusesAttributesThatDoNotBelongToAMove) {
  Endpoint endpoint(*context);
  EXPECT_EQ(move(endpoint, IBV_QPS_INIT,
                 IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS | IBV_QP_DEST_QPN),
            EINVAL);
}

TEST_F(QueuePairState, GoesBackToResetFromEverywhere) {
  for (bool error : {false, true}) {
    if (error) must(responder().queuePair().toError());
    must(responder().queuePair().toReset());
    EXPECT_EQ(stateOf(responder()), IBV_QPS_RESET);
    responder().connectTo(requester().queuePair().qpNum());
    EXPECT_EQ(stateOf(responder()), IBV_QPS_RTS);
  }
}

TEST_F(QueuePairState, GoesToErrorFromEverywhereButReset) {
  Endpoint endpoint(*context);
  endpoint.initialize();
  must(endpoint.queuePair().toError());
  EXPECT_EQ(stateOf(endpoint), IBV_QPS_ERR);
  must(requester().queuePair().toError());
  EXPECT_EQ(stateOf(requester()), IBV_QPS_ERR);
}

TEST_F(QueuePairState, InResetTakesNoWork) {
  Endpoint endpoint(*context);
  EXPECT_NE(endpoint.tryPost({.pieces = {endpoint.piece(0, 8)}}), 0);
  EXPECT_NE(endpoint.tryPostReceive(1, {endpoint.piece(0, 8)}), 0);
}

TEST_F(QueuePairState, InInitTakesReceivesButNoSends) {
  Endpoint endpoint(*context);
  endpoint.initialize();
  EXPECT_EQ(endpoint.tryPostReceive(1, {endpoint.piece(0, 8)}), 0);
  EXPECT_NE(endpoint.tryPost({.pieces = {endpoint.piece(0, 8)}}), 0);
  expectSilence(endpoint.receiveQueue());
}

TEST_F(QueuePairState, ReceivesBeforeItMaySend) {
  connectHalf();
  requester_->post({.id = 1, .pieces = {requester_->piece(0, 8)}});
  expectSuccess(received(), 7, IBV_WC_RECV);
  EXPECT_NE(responder_->tryPost({.pieces = {responder_->piece(0, 8)}}), 0) << "RTR takes no sends";
}

TEST_F(QueuePairState, TellsOfTheFirstMessageBeforeItMaySend) {
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  connectHalf();
  requester_->post({.id = 1, .pieces = {requester_->piece(0, 8)}});
  expectSuccess(received(), 7, IBV_WC_RECV);
  if (device().has(KnownDifference::noEstablishedEvent)) {
    EXPECT_FALSE(events.wait(kSilence));
    return;
  }
  std::optional<verbs::AsyncEvent> event = await(events);
  ASSERT_TRUE(event) << "no event came";
  EXPECT_EQ(event->type, IBV_EVENT_COMM_EST);
  EXPECT_EQ(event->qpNum, responder_->queuePair().qpNum());
}

TEST_F(QueuePairState, ResetForgetsWhatWasPosted) {
  responder().postReceive(1, {responder().piece(0, 8)});
  must(responder().queuePair().toReset());
  expectSilence(responder().receiveQueue());
}

TEST_F(QueuePairState, LivesAgainAfterReset) {
  responder().postReceive(1, {responder().piece(0, 8)});
  for (Endpoint* endpoint : {&requester(), &responder()}) must(endpoint->queuePair().toReset());
  connect(requester(), responder());
  responder().postReceive(2, {responder().piece(0, 8)});
  requester().post({.id = 3, .pieces = {requester().piece(0, 8)}});
  expectSuccess(sent(), 3, IBV_WC_SEND);
  expectSuccess(received(), 2, IBV_WC_RECV);
}

TEST_F(QueuePairState, AnswersWhatItWasSetTo) {
  connectPair({.inlineBytes = 32}, {},
              {.timeout = 15, .retryCount = 5, .rnrRetry = 3, .minRnrTimer = 9});
  ibv_qp_attr attributes{};
  ibv_qp_init_attr initial{};
  QueuePair& queuePair = requester().queuePair();
  ASSERT_EQ(queuePair.provider().query_qp(queuePair.get(), &attributes,
                                          IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                              IBV_QP_RNR_RETRY | IBV_QP_MIN_RNR_TIMER |
                                              IBV_QP_DEST_QPN | IBV_QP_CAP,
                                          &initial),
            0);
  EXPECT_EQ(attributes.dest_qp_num, responder().queuePair().qpNum());
  EXPECT_EQ(attributes.timeout, 15);
  EXPECT_EQ(attributes.retry_cnt, 5);
  EXPECT_EQ(attributes.rnr_retry, 3);
  EXPECT_EQ(attributes.min_rnr_timer, 9);
  EXPECT_GE(attributes.cap.max_send_wr, 64U);
  EXPECT_GE(attributes.cap.max_inline_data, 32U);
  EXPECT_EQ(initial.qp_type, IBV_QPT_RC);
  EXPECT_EQ(initial.send_cq, requester().sendQueue().get());
}

TEST_F(QueuePairState, KeepsItsCompletionQueueFromGoing) {
  const verbs::Provider& provider = context->provider();
  EXPECT_EQ(provider.destroy_cq(requester().sendQueue().get()), EBUSY);
}

}  // namespace
}  // namespace verbena::conformance
