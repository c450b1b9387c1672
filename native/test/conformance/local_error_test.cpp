// SPDX-License-Identifier: Apache-2.0
//
// Work requests that name memory wrongly, and messages that are longer than their receive.
#include "conformance_test.h"

namespace verbena::conformance {
namespace {

class LocalError : public Connected {
 protected:
  ibv_sge wrongKey(const Endpoint& endpoint) const {
    ibv_sge piece = endpoint.piece(0, 8);
    piece.lkey ^= 0x5a00;
    return piece;
  }

  static ibv_wc_status wrongKeyStatus() {
    return device().has(KnownDifference::wrongKeyIsQpOperationError) ? IBV_WC_LOC_QP_OP_ERR
                                                                     : IBV_WC_LOC_PROT_ERR;
  }

  void expectTooShort() {
    bool differs = device().has(KnownDifference::shortReceiveIsQpOperationError);
    expectStatus(received(), 5, differs ? IBV_WC_LOC_QP_OP_ERR : IBV_WC_LOC_LEN_ERR);
    expectStatus(sent(), 1, differs ? IBV_WC_REM_OP_ERR : IBV_WC_REM_INV_REQ_ERR);
  }

  void expectLost(Endpoint& endpoint) {
    EXPECT_EQ(must(endpoint.queuePair().state()), IBV_QPS_ERR);
  }
};

TEST_F(LocalError, OfASendWithAWrongKey) {
  responder().postReceive(5, {responder().piece(0, 8)});
  requester().post({.id = 1, .pieces = {wrongKey(requester())}});
  expectStatus(sent(), 1, wrongKeyStatus());
  expectLost(requester());
}

TEST_F(LocalError, OfASendBeyondTheRegion) {
  responder().postReceive(5, {responder().piece(0, 64)});
  ibv_sge piece = requester().piece(0, 64);
  piece.addr = requester().address(requester().memory().size() - 32);
  requester().post({.id = 1, .pieces = {piece}});
  expectStatus(sent(), 1, IBV_WC_LOC_PROT_ERR);
}

TEST_F(LocalError, OfASendWithTheKeyOfAnotherProtectionDomain) {
  Endpoint stranger(*context);
  responder().postReceive(5, {responder().piece(0, 8)});
  requester().post({.id = 1, .pieces = {stranger.piece(0, 8)}});
  expectStatus(sent(), 1, wrongKeyStatus());
}

TEST_F(LocalError, IsReportedForAnUnsignalledSendToo) {
  responder().postReceive(5, {responder().piece(0, 8)});
  requester().post({.id = 1, .pieces = {wrongKey(requester())}, .flags = 0});
  expectStatus(sent(), 1, wrongKeyStatus());
}

TEST_F(LocalError, DoesNotReachTheResponder) {
  responder().postReceive(5, {responder().piece(0, 8)});
  requester().post({.id = 1, .pieces = {wrongKey(requester())}});
  expectStatus(sent(), 1, wrongKeyStatus());
  expectSilence(responder().receiveQueue());
  EXPECT_EQ(must(responder().queuePair().state()), IBV_QPS_RTS);
}

TEST_F(LocalError, OfAReadIntoMemoryThatMayNotBeWritten) {
  connectPair({.memoryAccess = 0});
  responder().word(0) = 9;
  requester().post(oneSided(IBV_WR_RDMA_READ, 1, {requester().piece(0, 8)}));
  expectStatus(sent(), 1, IBV_WC_LOC_PROT_ERR);
  EXPECT_EQ(requester().word(0), 0U);
}

TEST_F(LocalError, OfAReceiveWithAWrongKeyIsARemoteOperationErrorForTheSender) {
  responder().postReceive(5, {wrongKey(responder())});
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectStatus(received(), 5, wrongKeyStatus());
  expectStatus(sent(), 1, IBV_WC_REM_OP_ERR);
  expectLost(requester());
  expectLost(responder());
}

TEST_F(LocalError, OfAReceiveIntoMemoryThatMayNotBeWritten) {
  connectPair({}, {.memoryAccess = 0});
  responder().postReceive(5, {responder().piece(0, 8)});
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectStatus(received(), 5, wrongKeyStatus());
  expectStatus(sent(), 1, IBV_WC_REM_OP_ERR);
}

TEST_F(LocalError, OfAReceiveThatIsTooShortIsAnInvalidRequestForTheSender) {
  responder().fill(64, 64, 1);
  responder().postReceive(5, {responder().piece(0, 64)});
  requester().post({.id = 1, .pieces = {requester().piece(0, 65)}});
  expectTooShort();
  expectLost(requester());
  expectLost(responder());
  EXPECT_TRUE(responder().holds(64, 64, 1)) << "bytes behind the receive were written";
}

TEST_F(LocalError, OfAReceiveThatIsTooShortForAMessageOfManyPackets) {
  responder().postReceive(5, {responder().piece(0, 10000)});
  requester().post({.id = 1, .pieces = {requester().piece(0, 20000)}});
  expectTooShort();
}

TEST_F(LocalError, OfAReceiveWithoutMemoryForAMessageWithBytes) {
  responder().postReceive(5, {});
  requester().post({.id = 1, .pieces = {requester().piece(0, 1)}});
  expectTooShort();
}

}  // namespace
}  // namespace verbena::conformance
