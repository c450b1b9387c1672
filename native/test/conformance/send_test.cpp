// SPDX-License-Identifier: Apache-2.0
//
// SEND over a reliable connection.
#include <arpa/inet.h>

#include <array>
#include <cerrno>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using SendReceive = Connected;

TEST_F(SendReceive, CompletesOnBothSidesWithAllFields) {
  requester().fill(0, 100, 1);
  responder().postReceive(7, {responder().piece(0, 4096)});
  requester().post({.id = 9, .pieces = {requester().piece(0, 100)}});
  ibv_wc at = received();
  expectSuccess(at, 7, IBV_WC_RECV);
  EXPECT_EQ(at.byte_len, 100U);
  EXPECT_EQ(at.qp_num, responder().queuePair().qpNum());
  EXPECT_EQ(at.wc_flags & IBV_WC_WITH_IMM, 0U);
  EXPECT_TRUE(responder().holds(0, 100, 1));
  ibv_wc from = sent();
  expectSuccess(from, 9, IBV_WC_SEND);
  EXPECT_EQ(from.qp_num, requester().queuePair().qpNum());
}

TEST_F(SendReceive, CarriesImmediateData) {
  responder().postReceive(1, {responder().piece(0, 8)});
  requester().post({.opcode = IBV_WR_SEND_WITH_IMM,
                    .pieces = {requester().piece(0, 8)},
                    .immediate = 0xcafe0001});
  ibv_wc at = received();
  expectSuccess(at, 1, IBV_WC_RECV);
  EXPECT_NE(at.wc_flags & IBV_WC_WITH_IMM, 0U);
  EXPECT_EQ(ntohl(at.imm_data), 0xcafe0001U);
  EXPECT_EQ(at.byte_len, 8U);
}

TEST_F(SendReceive, CarriesImmediateDataAlone) {
  responder().postReceive(1, {});
  requester().post({.opcode = IBV_WR_SEND_WITH_IMM, .immediate = 5});
  ibv_wc at = received();
  EXPECT_EQ(at.byte_len, 0U);
  EXPECT_EQ(ntohl(at.imm_data), 5U);
  expectSuccess(sent(), 0, IBV_WC_SEND);
}

TEST_F(SendReceive, LeavesTheRestOfALongerReceiveAlone) {
  responder().fill(0, 64, 5);
  requester().fill(0, 16, 1);
  responder().postReceive(1, {responder().piece(0, 64)});
  requester().post({.pieces = {requester().piece(0, 16)}});
  EXPECT_EQ(received().byte_len, 16U);
  EXPECT_TRUE(responder().holds(0, 16, 1));
  responder().fill(0, 16, 5);
  EXPECT_TRUE(responder().holds(0, 64, 5));
}

TEST_F(SendReceive, GathersAndScatters) {
  requester().fill(0, 100, 1);
  // One message out of three pieces, into four that are cut elsewhere; a piece of length 0 is
  // nothing.
  std::vector<ibv_sge> from = {requester().piece(0, 10), requester().piece(10, 0),
                               requester().piece(10, 60), requester().piece(70, 30)};
  std::vector<ibv_sge> to = {responder().piece(0, 33), responder().piece(1000, 33),
                             responder().piece(2000, 33), responder().piece(3000, 33)};
  responder().postReceive(1, to);
  requester().post({.pieces = from});
  EXPECT_EQ(received().byte_len, 100U);
  std::span<std::byte> memory = responder().memory();
  std::array<std::pair<size_t, size_t>, 4> parts = {{{0, 33}, {1000, 33}, {2000, 33}, {3000, 1}}};
  size_t position = 0;
  for (auto [offset, length] : parts) {
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(offset), length,
                memory.begin() + static_cast<std::ptrdiff_t>(8000 + position));
    position += length;
  }
  EXPECT_TRUE(responder().holds(8000, 100, 1));
}

TEST_F(SendReceive, TakesInlineDataBeforeItReturns) {
  connectPair({.inlineBytes = 64});
  for (uint64_t i = 0; i < 8; i++) responder().postReceive(i, {responder().piece(64 * i, 64)});
  for (unsigned i = 0; i < 8; i++) {
    requester().fill(0, 64, i);
    // The key of an inline piece is not looked at.
    ibv_sge piece = requester().piece(0, 64);
    piece.lkey = 0;
    requester().post({.id = i, .pieces = {piece}, .flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE});
  }
  for (unsigned i = 0; i < 8; i++) {
    expectSuccess(received(), i, IBV_WC_RECV);
    EXPECT_TRUE(responder().holds(size_t{64} * i, 64, i)) << "message " << i;
  }
}

TEST_F(SendReceive, RefusesInlineDataThatDoesNotFit) {
  connectPair({.inlineBytes = 64});
  size_t tooMuch = requester().queuePair().capacity().max_inline_data + 1;
  EXPECT_NE(
      requester().tryPost({.pieces = {requester().piece(0, tooMuch)}, .flags = IBV_SEND_INLINE}),
      0);
}

TEST_F(SendReceive, RefusesMorePiecesThanTheQueueTakes) {
  size_t tooMany = requester().queuePair().capacity().max_send_sge + 1;
  EXPECT_NE(requester().tryPost({.pieces = std::vector(tooMany, requester().piece(0, 1))}), 0);
  size_t tooManyToReceive = responder().queuePair().capacity().max_recv_sge + 1;
  EXPECT_NE(responder().tryPostReceive(1, std::vector(tooManyToReceive, responder().piece(0, 1))),
            0);
}

TEST_F(SendReceive, CompletesOnlyWhatIsSignalled) {
  for (uint64_t i = 0; i < 4; i++) responder().postReceive(i, {responder().piece(0, 8)});
  for (uint64_t i = 0; i < 4; i++) {
    unsigned flags = i == 3 ? unsigned{IBV_SEND_SIGNALED} : 0U;
    requester().post({.id = i, .pieces = {requester().piece(0, 8)}, .flags = flags});
  }
  expectSuccess(sent(), 3, IBV_WC_SEND);
  expectSilence(requester().sendQueue());
}

TEST_F(SendReceive, CompletesAllWhenTheQueuePairSignalsAll) {
  connectPair({.signalAll = true});
  for (uint64_t i = 0; i < 4; i++) responder().postReceive(i, {responder().piece(0, 8)});
  for (uint64_t i = 0; i < 4; i++)
    requester().post({.id = i, .pieces = {requester().piece(0, 8)}, .flags = 0});
  for (uint64_t i = 0; i < 4; i++) expectSuccess(sent(), i, IBV_WC_SEND);
}

TEST_F(SendReceive, TakesAChainOfWorkRequests) {
  std::vector<Send> chain;
  for (uint64_t i = 0; i < 32; i++) {
    responder().postReceive(i, {responder().piece(8 * i, 8)});
    requester().word(8 * i) = i * i;
    chain.push_back({.id = i, .pieces = {requester().piece(8 * i, 8)}});
  }
  EXPECT_EQ(requester().tryPostChain(chain), (std::pair<int, size_t>(0, 32)));
  for (uint64_t i = 0; i < 32; i++) {
    expectSuccess(received(), i, IBV_WC_RECV);
    EXPECT_EQ(responder().word(8 * i), i * i);
    expectSuccess(sent(), i, IBV_WC_SEND);
  }
}

TEST_F(SendReceive, SaysWhereInAChainTheQueueWasFull) {
  // Nothing leaves the queue while the responder is not ready.
  connectPair({.sendWorkRequests = 8}, {}, {.rnrRetry = 7});
  std::vector<Send> chain;
  for (uint64_t i = 0; i < 60; i++) chain.push_back({.id = i, .pieces = {requester().piece(0, 8)}});
  auto [code, taken] = requester().tryPostChain(chain);
  EXPECT_EQ(code, ENOMEM);
  EXPECT_GE(taken, requester().queuePair().capacity().max_send_wr);
  for (uint64_t i = 0; i < taken; i++) responder().postReceive(i, {responder().piece(0, 8)});
  for (uint64_t i = 0; i < taken; i++) expectSuccess(sent(), i, IBV_WC_SEND);
  expectSilence(requester().sendQueue());
}

TEST_F(SendReceive, TakesNoMoreReceivesThanTheQueueHolds) {
  connectPair({}, {.receiveWorkRequests = 4});
  uint32_t taken = 0;
  int code = 0;
  for (; code == 0 && taken < 1000; taken++) {
    code = responder().tryPostReceive(taken, {responder().piece(0, 8)});
  }
  EXPECT_EQ(code, ENOMEM);
  EXPECT_GT(taken, responder().queuePair().capacity().max_recv_wr);
}

TEST_F(SendReceive, WorksInBothDirectionsAtOnce) {
  requester().fill(0, 512, 1);
  responder().fill(1024, 512, 2);
  requester().postReceive(1, {requester().piece(1024, 512)});
  responder().postReceive(2, {responder().piece(0, 512)});
  requester().post({.id = 3, .pieces = {requester().piece(0, 512)}});
  responder().post({.id = 4, .pieces = {responder().piece(1024, 512)}});
  expectSuccess(received(), 2, IBV_WC_RECV);
  expectSuccess(await(requester().receiveQueue()), 1, IBV_WC_RECV);
  EXPECT_TRUE(responder().holds(0, 512, 1));
  EXPECT_TRUE(requester().holds(1024, 512, 2));
}

TEST_F(SendReceive, WorksFromAQueuePairToItself) {
  Endpoint endpoint(*context);
  endpoint.connectTo(endpoint.queuePair().qpNum());
  endpoint.fill(0, 64, 3);
  endpoint.postReceive(1, {endpoint.piece(1024, 64)});
  endpoint.post({.id = 2, .pieces = {endpoint.piece(0, 64)}});
  expectSuccess(await(endpoint.receiveQueue()), 1, IBV_WC_RECV);
  EXPECT_TRUE(endpoint.holds(1024, 64, 3));
}

TEST_F(SendReceive, WorksBetweenTwoOpeningsOfTheDevice) {
  verbs::Context second = must(verbs::Context::open(device().selection().device));
  Endpoint here(*context);
  Endpoint there(second);
  connect(here, there);
  here.fill(0, 64, 3);
  there.postReceive(1, {there.piece(0, 64)});
  here.post({.id = 2, .pieces = {here.piece(0, 64)}});
  expectSuccess(await(there.receiveQueue()), 1, IBV_WC_RECV);
  EXPECT_TRUE(there.holds(0, 64, 3));
}

class SendOfSize : public Connected,
                   public ::testing::WithParamInterface<std::tuple<size_t, MemoryKind>> {};

TEST_P(SendOfSize, ArrivesWhole) {
  auto [bytes, kind] = GetParam();
  EndpointOptions options{.memory = kind, .memoryBytes = bytes + 64};
  connectPair(options, options);
  requester().fill(1, bytes, 4);
  responder().postReceive(1, {responder().piece(3, bytes)});
  requester().post({.id = 2, .pieces = {requester().piece(1, bytes)}});
  ibv_wc at = received();
  expectSuccess(at, 1, IBV_WC_RECV);
  EXPECT_EQ(at.byte_len, bytes);
  EXPECT_TRUE(responder().holds(3, bytes, 4));
  expectSuccess(sent(), 2, IBV_WC_SEND);
}

INSTANTIATE_TEST_SUITE_P(Bytes, SendOfSize,
                         ::testing::Combine(::testing::Values(0, 1, 7, 64, 1023, 1024, 1025, 4095,
                                                              4096, 4097, 65536, 100003, 1 << 20),
                                            ::testing::Values(MemoryKind::shareable,
                                                              MemoryKind::foreign)),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) +
                                  (std::get<1>(test.param) == MemoryKind::shareable ? "Shareable"
                                                                                    : "Foreign");
                         });

}  // namespace
}  // namespace verbena::conformance
