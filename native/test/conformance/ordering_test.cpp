// SPDX-License-Identifier: Apache-2.0
//
// What happens before what.
#include <random>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using Ordering = Connected;

TEST_F(Ordering, AWriteIsVisibleWhenTheSendBehindItIsReceived) {
  for (uint64_t i = 1; i <= 200; i++) {
    responder().postReceive(i, {responder().piece(0, 8)});
    requester().fill(1024, 5000, static_cast<unsigned>(i));
    std::vector<Send> chain = {
        oneSided(IBV_WR_RDMA_WRITE, 0, {requester().piece(1024, 5000)}, 1024),
        {.id = i, .pieces = {requester().piece(0, 8)}}};
    chain.front().flags = 0;
    ASSERT_EQ(requester().tryPostChain(chain).first, 0);
    expectSuccess(received(), i, IBV_WC_RECV);
    ASSERT_TRUE(responder().holds(1024, 5000, static_cast<unsigned>(i))) << "round " << i;
    expectSuccess(sent(), i, IBV_WC_SEND);
  }
}

TEST_F(Ordering, AReadSeesTheWritesBeforeIt) {
  for (uint64_t i = 1; i <= 100; i++) {
    requester().word(0) = i;
    requester().word(8) = 0;
    std::vector<Send> chain = {oneSided(IBV_WR_RDMA_WRITE, i, {requester().piece(0, 8)}),
                               oneSided(IBV_WR_RDMA_READ, i, {requester().piece(8, 8)})};
    ASSERT_EQ(requester().tryPostChain(chain).first, 0);
    expectSuccess(sent(), i, IBV_WC_RDMA_WRITE);
    expectSuccess(sent(), i, IBV_WC_RDMA_READ);
    ASSERT_EQ(requester().word(8), i);
  }
}

TEST_F(Ordering, AFencedSendCarriesWhatAReadHasFetched) {
  // Memory of the device's own allocator may be read at once; this has to be asked for.
  EndpointOptions foreign{.memory = MemoryKind::foreign};
  connectPair(foreign, foreign);
  for (uint64_t i = 1; i <= 100; i++) {
    responder().word(1024) = i;
    requester().word(0) = 0;
    responder().postReceive(i, {responder().piece(0, 8)});
    std::vector<Send> chain = {oneSided(IBV_WR_RDMA_READ, 1, {requester().piece(0, 8)}, 1024),
                               {.id = 2,
                                .pieces = {requester().piece(0, 8)},
                                .flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE}};
    ASSERT_EQ(requester().tryPostChain(chain).first, 0);
    expectSuccess(sent(), 1, IBV_WC_RDMA_READ);
    expectSuccess(sent(), 2, IBV_WC_SEND);
    expectSuccess(received(), i, IBV_WC_RECV);
    ASSERT_EQ(responder().word(0), i);
  }
}

TEST_F(Ordering, CompletionsComeInTheOrderOfPostingWhateverTheOperation) {
  std::vector<Send> chain;
  std::vector<ibv_wc_opcode> opcodes;
  for (uint64_t i = 0; i < 30; i += 5) {
    responder().postReceive(i, {responder().piece(2048, 64)});
    auto add = [&](ibv_wr_opcode opcode, ibv_wc_opcode done) {
      chain.push_back(oneSided(opcode, chain.size(), {requester().piece(8 * chain.size(), 8)}));
      opcodes.push_back(done);
    };
    add(IBV_WR_RDMA_READ, IBV_WC_RDMA_READ);
    add(IBV_WR_RDMA_WRITE, IBV_WC_RDMA_WRITE);
    add(IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WC_FETCH_ADD);
    add(IBV_WR_SEND, IBV_WC_SEND);
    add(IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WC_COMP_SWAP);
  }
  ASSERT_EQ(requester().tryPostChain(chain).first, 0);
  for (size_t i = 0; i < chain.size(); i++) expectSuccess(sent(), i, opcodes[i]);
}

TEST_F(Ordering, AStreamOfMessagesOfAllSizesArrivesAsItWasSent) {
  constexpr uint64_t kMessages = 600;
  constexpr uint64_t kWindow = 16;
  constexpr size_t kSlot = 4096;
  connectPair({}, {}, {.rnrRetry = 7, .minRnrTimer = 1});
  std::minstd_rand random(20240611);  // NOLINT: the same sizes in every run
  std::vector<size_t> lengths;
  for (uint64_t i = 0; i < kMessages; i++) lengths.push_back(random() % (kSlot - 100));
  auto slot = [](uint64_t i) { return kSlot * (i % kWindow); };
  for (uint64_t i = 0; i < kWindow; i++)
    responder().postReceive(i, {responder().piece(slot(i), kSlot)});
  uint64_t next = 0;
  for (uint64_t i = 0; i < kMessages; i++) {
    for (; next < kMessages && next < i + kWindow; next++) {
      requester().fill(slot(next), lengths[next], static_cast<unsigned>(next));
      requester().post({.id = next, .pieces = {requester().piece(slot(next), lengths[next])}});
    }
    ibv_wc at = received();
    expectSuccess(at, i, IBV_WC_RECV);
    ASSERT_EQ(at.byte_len, lengths[i]);
    ASSERT_TRUE(responder().holds(slot(i), lengths[i], static_cast<unsigned>(i)))
        << "message " << i;
    responder().postReceive(i + kWindow, {responder().piece(slot(i), kSlot)});
    expectSuccess(sent(), i, IBV_WC_SEND);
  }
}

}  // namespace
}  // namespace verbena::conformance
