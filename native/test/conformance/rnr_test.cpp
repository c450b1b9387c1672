// SPDX-License-Identifier: Apache-2.0
//
// Messages that find no receive.
#include <thread>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

constexpr uint8_t kTenMilliseconds = 20;  // code of a 10.24 ms RNR timer
constexpr uint8_t kWithoutEnd = 7;

class ReceiverNotReady : public Connected {
 protected:
  void postReceiveLater(std::chrono::milliseconds pause) {
    std::this_thread::sleep_for(pause);
    responder().postReceive(5, {responder().piece(0, 64)});
  }
};

TEST_F(ReceiverNotReady, EndsTheConnectionWhenNoRetryIsAllowed) {
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectStatus(sent(), 1, IBV_WC_RNR_RETRY_EXC_ERR);
  EXPECT_EQ(must(requester().queuePair().state()), IBV_QPS_ERR);
  EXPECT_EQ(must(responder().queuePair().state()), IBV_QPS_RTS)
      << "the responder has done nothing wrong";
}

TEST_F(ReceiverNotReady, TakesAsLongAsItsRetriesAndPauses) {
  connectPair({}, {}, {.rnrRetry = 3, .minRnrTimer = kTenMilliseconds});
  auto start = std::chrono::steady_clock::now();
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  expectStatus(sent(), 1, IBV_WC_RNR_RETRY_EXC_ERR);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(30));
}

TEST_F(ReceiverNotReady, IsOverWhenAReceiveComesInTime) {
  connectPair({}, {}, {.rnrRetry = 6, .minRnrTimer = 28});  // 6 * 163.84 ms
  requester().fill(0, 64, 1);
  requester().post({.id = 1, .pieces = {requester().piece(0, 64)}});
  postReceiveLater(std::chrono::milliseconds(50));
  expectSuccess(received(), 5, IBV_WC_RECV);
  expectSuccess(sent(), 1, IBV_WC_SEND);
  EXPECT_TRUE(responder().holds(0, 64, 1));
}

TEST_F(ReceiverNotReady, ConcernsMessagesOfAnyLength) {
  // Refused by its first packet, while the sender is still busy with the others.
  constexpr size_t kBytes = 3 << 20;
  EndpointOptions options{.memoryBytes = kBytes};
  connectPair(options, options, {.rnrRetry = 6, .minRnrTimer = 28});
  requester().fill(0, kBytes, 1);
  requester().post({.id = 1, .pieces = {requester().piece(0, kBytes)}});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  responder().postReceive(5, {responder().piece(0, kBytes)});
  expectSuccess(received(), 5, IBV_WC_RECV);
  expectSuccess(sent(), 1, IBV_WC_SEND);
  EXPECT_TRUE(responder().holds(0, kBytes, 1));
}

TEST_F(ReceiverNotReady, IsRetriedWithoutEndWhenAskedTo) {
  connectPair({}, {},
              {.rnrRetry = kWithoutEnd, .minRnrTimer = 1});  // 0.01 ms: thousands of retries
  requester().post({.id = 1, .pieces = {requester().piece(0, 64)}});
  expectSilence(requester().sendQueue());
  postReceiveLater(std::chrono::milliseconds(50));
  expectSuccess(received(), 5, IBV_WC_RECV);
  expectSuccess(sent(), 1, IBV_WC_SEND);
}

TEST_F(ReceiverNotReady, HoldsBackWhatFollows) {
  connectPair({}, {}, {.rnrRetry = kWithoutEnd, .minRnrTimer = kTenMilliseconds});
  requester().word(0) = 1;
  requester().post({.id = 1, .pieces = {requester().piece(0, 8)}});
  requester().post(oneSided(IBV_WR_RDMA_WRITE, 2, {requester().piece(0, 8)}, 1024));
  expectSilence(requester().sendQueue());
  EXPECT_EQ(responder().word(1024), 0U) << "the WRITE has overtaken the SEND";
  postReceiveLater(std::chrono::milliseconds(0));
  expectSuccess(sent(), 1, IBV_WC_SEND);
  expectSuccess(sent(), 2, IBV_WC_RDMA_WRITE);
  EXPECT_EQ(responder().word(1024), 1U);
}

TEST_F(ReceiverNotReady, ConcernsWriteWithImmediateToo) {
  requester().post(oneSided(IBV_WR_RDMA_WRITE_WITH_IMM, 1, {requester().piece(0, 8)}));
  expectStatus(sent(), 1, IBV_WC_RNR_RETRY_EXC_ERR);
}

TEST_F(ReceiverNotReady, DoesNotConcernOneSidedOperations) {
  requester().post(oneSided(IBV_WR_RDMA_WRITE, 1, {requester().piece(0, 8)}));
  requester().post(oneSided(IBV_WR_RDMA_READ, 2, {requester().piece(0, 8)}));
  expectSuccess(sent(), 1, IBV_WC_RDMA_WRITE);
  expectSuccess(sent(), 2, IBV_WC_RDMA_READ);
}

}  // namespace
}  // namespace verbena::conformance
