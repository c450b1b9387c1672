// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations that succeed.
#include <arpa/inet.h>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

class OneSided : public Connected, public ::testing::WithParamInterface<MemoryKind> {
 protected:
  void SetUp() override {
    Connected::SetUp();
    if (HasFailure()) return;
    EndpointOptions options{.memory = GetParam(), .memoryBytes = (1 << 20) + 4096};
    connectPair(options, options);
  }
};

TEST_P(OneSided, WritePutsBytesWithoutTheRespondersKnowledge) {
  for (size_t bytes : {1U, 8U, 1023U, 4096U, 4097U, 100003U, 1U << 20}) {
    requester().fill(0, bytes, 6);
    requester().post(oneSided(IBV_WR_RDMA_WRITE, bytes, {requester().piece(0, bytes)}, 5));
    expectSuccess(sent(), bytes, IBV_WC_RDMA_WRITE);
    EXPECT_TRUE(responder().holds(5, bytes, 6)) << bytes << " bytes";
  }
  expectSilence(responder().receiveQueue());
}

TEST_P(OneSided, WriteTouchesNothingElse) {
  responder().fill(0, 1000, 2);
  requester().fill(0, 100, 6);
  requester().post(oneSided(IBV_WR_RDMA_WRITE, 1, {requester().piece(0, 100)}, 400));
  expectSuccess(sent(), 1, IBV_WC_RDMA_WRITE);
  EXPECT_TRUE(responder().holds(0, 400, 2));
  EXPECT_TRUE(responder().holds(400, 100, 6));
  EXPECT_FALSE(responder().holds(0, 1000, 2));
}

TEST_P(OneSided, WriteGathers) {
  requester().fill(0, 90, 6);
  requester().post(
      oneSided(IBV_WR_RDMA_WRITE, 1,
               {requester().piece(0, 30), requester().piece(30, 1), requester().piece(31, 59)}));
  expectSuccess(sent(), 1, IBV_WC_RDMA_WRITE);
  EXPECT_TRUE(responder().holds(0, 90, 6));
}

TEST_P(OneSided, WriteWithImmediateTakesAReceiveButNotItsMemory) {
  requester().fill(0, 5000, 6);
  responder().postReceive(7, {responder().piece(8192, 64)});
  Send write = oneSided(IBV_WR_RDMA_WRITE_WITH_IMM, 1, {requester().piece(0, 5000)});
  write.immediate = 77;
  requester().post(write);
  ibv_wc at = received();
  expectSuccess(at, 7, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(at.byte_len, 5000U);
  EXPECT_NE(at.wc_flags & IBV_WC_WITH_IMM, 0U);
  EXPECT_EQ(ntohl(at.imm_data), 77U);
  EXPECT_TRUE(responder().holds(0, 5000, 6));
  for (std::byte byte : responder().memory().subspan(8192, 64)) ASSERT_EQ(byte, std::byte{0});
  expectSuccess(sent(), 1, IBV_WC_RDMA_WRITE);
}

TEST_P(OneSided, WriteWithImmediateMayBeEmpty) {
  responder().postReceive(7, {});
  Send write = oneSided(IBV_WR_RDMA_WRITE_WITH_IMM, 1, {});
  write.immediate = 78;
  requester().post(write);
  ibv_wc at = received();
  expectSuccess(at, 7, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(at.byte_len, 0U);
  EXPECT_EQ(ntohl(at.imm_data), 78U);
}

TEST_P(OneSided, ReadFetchesBytes) {
  for (size_t bytes : {1U, 8U, 1023U, 4096U, 4097U, 100003U, 1U << 20}) {
    responder().fill(3, bytes, 7);
    requester().post(oneSided(IBV_WR_RDMA_READ, bytes, {requester().piece(0, bytes)}, 3));
    expectSuccess(sent(), bytes, IBV_WC_RDMA_READ);
    EXPECT_TRUE(requester().holds(0, bytes, 7)) << bytes << " bytes";
  }
  expectSilence(responder().receiveQueue());
}

TEST_P(OneSided, ReadScatters) {
  responder().fill(0, 9000, 7);
  requester().post(oneSided(
      IBV_WR_RDMA_READ, 1,
      {requester().piece(0, 30), requester().piece(30, 5000), requester().piece(5030, 3970)}));
  expectSuccess(sent(), 1, IBV_WC_RDMA_READ);
  EXPECT_TRUE(requester().holds(0, 9000, 7));
}

TEST_P(OneSided, ReadsMayOutnumberThoseInFlight) {
  constexpr uint64_t kReads = 40;  // the connection has 4 in flight
  for (uint64_t i = 0; i < kReads; i++) responder().word(8 * i) = i;
  for (uint64_t i = 0; i < kReads; i++) {
    requester().post(oneSided(IBV_WR_RDMA_READ, i, {requester().piece(8 * i, 8)}, 8 * i));
  }
  for (uint64_t i = 0; i < kReads; i++) {
    expectSuccess(sent(), i, IBV_WC_RDMA_READ);
    EXPECT_EQ(requester().word(8 * i), i);
  }
}

TEST_P(OneSided, ZeroBytesNeedNoValidKey) {
  // The specification demands no check of a key when there is nothing to access.
  for (ibv_wr_opcode opcode : {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ}) {
    requester().post({.id = 4, .opcode = opcode, .remoteAddress = 0x1000, .remoteKey = 0xdeadbeef});
    EXPECT_EQ(sent().status, IBV_WC_SUCCESS);
  }
}

TEST_P(OneSided, OperationsWorkOnAMemoryRegionOverOthersMemory) {
  // A second region over the same bytes has its own key and its own bounds.
  std::span<std::byte> part = responder().memory().subspan(4096, 4096);
  verbs::MemoryRegion region =
      must(verbs::MemoryRegion::registerRange(responder().pd(), part, kAllAccess));
  requester().fill(0, 4096, 8);
  Send write = oneSided(IBV_WR_RDMA_WRITE, 1, {requester().piece(0, 4096)}, 4096);
  write.remoteKey = region.rkey();
  requester().post(write);
  expectSuccess(sent(), 1, IBV_WC_RDMA_WRITE);
  EXPECT_TRUE(responder().holds(4096, 4096, 8));
}

INSTANTIATE_TEST_SUITE_P(Memory, OneSided,
                         ::testing::Values(MemoryKind::shareable, MemoryKind::foreign),
                         [](const auto& test) {
                           return test.param == MemoryKind::shareable ? "Shareable" : "Foreign";
                         });

}  // namespace
}  // namespace verbena::conformance
