// SPDX-License-Identifier: Apache-2.0
//
// Receives that many queue pairs take from one queue.
#include <cerrno>
#include <memory>
#include <set>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using verbs::ProtectionDomain;
using verbs::SharedReceiveQueue;

class SharedReceives : public Conformance {
 protected:
  static constexpr size_t kPairs = 2;
  static constexpr uint32_t kLength = 16;

  void SetUp() override {
    Conformance::SetUp();
    if (HasFailure()) return;
    pd.emplace(must(ProtectionDomain::allocate(*context)));
    shared.emplace(must(SharedReceiveQueue::create(*pd, kLength, 2)));
    for (size_t i = 0; i < kPairs; i++) {
      senders.push_back(std::make_unique<Endpoint>(*context));
      receivers.push_back(std::make_unique<Endpoint>(
          *context, EndpointOptions{.pd = &*pd, .sharedReceiveQueue = &*shared}));
      connect(*senders[i], *receivers[i]);
    }
  }

  /// Into the memory of the first receiver, at 64 bytes for each id.
  int tryPost(uint64_t id) {
    ibv_sge piece = receivers[0]->piece(64 * id, 64);
    ibv_recv_wr work{};
    work.wr_id = id;
    work.sg_list = &piece;
    work.num_sge = 1;
    ibv_recv_wr* refused = nullptr;
    return ibv_post_srq_recv(shared->get(), &work, &refused);
  }

  void post(uint64_t id) { ASSERT_EQ(tryPost(id), 0); }

  void send(size_t pair, uint64_t value) {
    senders[pair]->word(0) = value;
    senders[pair]->post({.id = value, .pieces = {senders[pair]->piece(0, 8)}});
  }

  ibv_wc received(size_t pair) { return await(receivers[pair]->receiveQueue()); }

  std::optional<ProtectionDomain> pd;
  std::optional<SharedReceiveQueue> shared;
  std::vector<std::unique_ptr<Endpoint>> senders;
  std::vector<std::unique_ptr<Endpoint>> receivers;
};

/// Which of them is taken verbs leaves open: the completion tells.
TEST_F(SharedReceives, GoToWhicheverQueuePairAMessageComesFor) {
  std::set<uint64_t> left = {0, 1, 2, 3};
  for (uint64_t id : left) post(id);
  for (uint64_t i = 0; i < 4; i++) {
    size_t pair = i % kPairs;
    send(pair, 100 + i);
    ibv_wc at = received(pair);
    EXPECT_EQ(left.erase(at.wr_id), 1U) << "number " << at.wr_id << " is not posted";
    expectSuccess(at, at.wr_id, IBV_WC_RECV);
    EXPECT_EQ(at.qp_num, receivers[pair]->queuePair().qpNum());
    EXPECT_EQ(receivers[0]->word(64 * at.wr_id), 100 + i);
    expectSuccess(await(senders[pair]->sendQueue()), 100 + i, IBV_WC_SEND);
  }
}

TEST_F(SharedReceives, AreMissedLikeAnyOther) {
  send(0, 1);
  expectStatus(await(senders[0]->sendQueue()), 1, IBV_WC_RNR_RETRY_EXC_ERR);
}

TEST_F(SharedReceives, AreTakenByWriteWithImmediateToo) {
  post(3);
  senders[1]->post({.id = 1,
                    .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
                    .pieces = {senders[1]->piece(0, 8)},
                    .remoteAddress = receivers[1]->address(),
                    .remoteKey = receivers[1]->rkey()});
  expectSuccess(received(1), 3, IBV_WC_RECV_RDMA_WITH_IMM);
}

TEST_F(SharedReceives, AreNoMoreThanTheQueueHolds) {
  uint32_t room = must(shared->query()).max_wr;
  for (uint32_t i = 0; i < room; i++) ASSERT_EQ(tryPost(i % 8), 0) << i;
  EXPECT_EQ(tryPost(0), ENOMEM);
}

TEST_F(SharedReceives, CannotBePostedToTheQueuePair) {
  EXPECT_NE(receivers[0]->tryPostReceive(1, {receivers[0]->piece(0, 8)}), 0);
}

TEST_F(SharedReceives, RaiseOneEventBelowTheLimit) {
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  for (uint64_t id = 0; id < 4; id++) post(id);
  must(shared->armLimit(3));
  EXPECT_EQ(must(shared->query()).srq_limit, 3U);
  send(0, 1);
  received(0);
  EXPECT_FALSE(events.wait(kSilence)) << "3 are left, which is not below 3";
  send(0, 2);
  received(0);
  std::optional<verbs::AsyncEvent> event = await(events);
  ASSERT_TRUE(event) << "no event came";
  EXPECT_EQ(event->type, IBV_EVENT_SRQ_LIMIT_REACHED);
  EXPECT_EQ(event->srq, shared->get());
  EXPECT_EQ(must(shared->query()).srq_limit, 0U) << "the event disarms the limit";
  send(0, 3);
  received(0);
  EXPECT_FALSE(events.wait(kSilence)) << "a second event without a second arming";
}

TEST_F(SharedReceives, RefuseALimitAboveTheirNumber) {
  uint32_t room = must(shared->query()).max_wr;
  EXPECT_EQ(shared->armLimit(room + 1).error().code, EINVAL);
}

TEST_F(SharedReceives, SurviveAQueuePairInError) {
  for (uint64_t id = 0; id < 2; id++) post(id);
  must(receivers[0]->queuePair().toError());
  send(1, 5);
  ibv_wc at = received(1);
  EXPECT_LT(at.wr_id, 2U);
  expectSuccess(at, at.wr_id, IBV_WC_RECV);
}

TEST_F(SharedReceives, KeepTheirQueueFromGoing) {
  EXPECT_EQ(context->provider().destroy_srq(shared->get()), EBUSY);
}

}  // namespace
}  // namespace verbena::conformance
