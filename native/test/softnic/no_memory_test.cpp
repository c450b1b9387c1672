// SPDX-License-Identifier: Apache-2.0
//
// Where there is no memory, calls say so, and a device that was left half done fails as a whole.
#include <cerrno>

#include "ends.h"
#include "scarce_memory.h"
#include "softnic/device/context.h"
#include "softnic/objects/faults.h"

namespace verbena::softnic::testing {
namespace {

constexpr int kMostPieces = 100;

/// What the call says to whom it gets only so much memory.
template <typename Call>
auto withPieces(int pieces, Call call) {
  piecesLeft = pieces;
  errno = 0;
  auto result = call();
  piecesLeft = -1;
  return result;
}

/// Tries with more and more memory until the call makes something; returns that.
template <typename Make>
auto makeAtLast(Make make) {
  decltype(make()) made = nullptr;
  int pieces = 0;
  for (; made == nullptr && pieces < kMostPieces; pieces++) {
    made = withPieces(pieces, make);
    EXPECT_TRUE(made != nullptr || errno == ENOMEM) << "with " << pieces;
  }
  EXPECT_GT(pieces, 1) << "it needs no memory";
  EXPECT_NE(made, nullptr);
  return made;
}

class NoMemory : public OfScarceMemory<::testing::Test> {};

TEST_F(NoMemory, IsWhatTheMakersOfObjectsSay) {
  Folders folders;
  End end;
  const verbs::Provider& calls = provider();
  ibv_context* context = end.context.get();
  ibv_pd* pd = makeAtLast([&] { return calls.alloc_pd(context); });
  ibv_comp_channel* channel = makeAtLast([&] { return calls.create_comp_channel(context); });
  ibv_cq* cq = makeAtLast([&] { return calls.create_cq(context, 16, nullptr, channel, 0); });
  ibv_srq_init_attr wanted{nullptr, {16, 1, 0}};
  ibv_srq* srq = makeAtLast([&] { return calls.create_srq(pd, &wanted); });
  ibv_qp_init_attr queues{};
  queues.send_cq = queues.recv_cq = cq;
  queues.srq = srq;
  queues.cap = {16, 0, 1, 0, 0};
  queues.qp_type = IBV_QPT_RC;
  ibv_qp* qp = makeAtLast([&] { return calls.create_qp(pd, &queues); });
  ibv_mr* mr =
      makeAtLast([&] { return calls.reg_mr(pd, end.memory(), 4096, IBV_ACCESS_LOCAL_WRITE); });
  void* memory = makeAtLast([&] { return calls.alloc_shareable(context, 4096); });
  ibv_ah_attr address{};
  address.is_global = 1;
  address.port_num = 1;
  ibv_ah* ah = makeAtLast([&] { return calls.create_ah(pd, &address); });
  EXPECT_EQ(withPieces(0, [&] { return calls.resize_cq(cq, 32); }), ENOMEM);
  EXPECT_EQ(calls.destroy_ah(ah), 0);
  calls.free_shareable(context, memory, 4096);
  EXPECT_EQ(calls.dereg_mr(mr), 0);
  EXPECT_EQ(withPieces(0, [&] { return calls.destroy_qp(qp); }), 0);
  EXPECT_EQ(calls.destroy_srq(srq), 0);
  EXPECT_EQ(calls.destroy_cq(cq), 0);
  EXPECT_EQ(calls.destroy_comp_channel(channel), 0);
  EXPECT_EQ(calls.dealloc_pd(pd), 0);
  EXPECT_EQ(must(end.qp.state()), IBV_QPS_RESET) << "the device has failed";
}

TEST_F(NoMemory, OpensNoDevice) {
  Folders folders;
  ibv_device** devices = provider().get_device_list(nullptr);
  ibv_context* made = makeAtLast([&] { return provider().open_device(devices[0]); });
  EXPECT_EQ(provider().close_device(made), 0);
  provider().free_device_list(devices);
}

ibv_qp_attr readyToReceiveFrom(const End& peer) {
  ibv_qp_attr wanted{};
  wanted.qp_state = IBV_QPS_RTR;
  wanted.path_mtu = IBV_MTU_4096;
  wanted.dest_qp_num = peer.qp.qpNum();
  wanted.max_dest_rd_atomic = 1;
  wanted.ah_attr.is_global = 1;
  wanted.ah_attr.port_num = 1;
  wanted.ah_attr.grh.dgid = peer.gid();
  return wanted;
}

TEST_F(NoMemory, ToConnectIsAnErrorOfTheCall) {
  constexpr int kMask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                        IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  int rc = ENOMEM;
  for (int pieces = 0; rc != 0 && pieces < kMostPieces; pieces++) {
    Folders folders;
    End left;
    End right;
    must(left.qp.toInit({.remoteAccess = left.options.access}));
    ibv_qp_attr wanted = readyToReceiveFrom(right);
    rc = withPieces(pieces, [&] { return provider().modify_qp(left.qp.get(), &wanted, kMask); });
    EXPECT_TRUE(rc == 0 || rc == ENOMEM) << rc;
    EXPECT_TRUE(rc == 0 || pieces < kMostPieces - 1);
  }
}

/// The application polls, and so is the first to look at what came, again, before the service is.
TEST_F(NoMemory, NothingElseIsExecutedBeforeTheDeviceHasFailed) {
  for (int round = 0; round < 10 && !HasFailure(); round++) {
    Pair pair;
    std::string error;
    ASSERT_TRUE(setFaults(pair.right.context.get(), "receive:1=no-memory", error)) << error;
    for (uint64_t i = 1; i <= 2; i++) ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
    pair.right.pollFor(std::chrono::milliseconds(10));
    ASSERT_EQ(pair.left.send(1, 0, 64), 0);
    std::vector<ibv_wc> got = pair.right.wait(2);
    for (uint64_t i = 0; i < 2; i++) {
      EXPECT_EQ(got[i].wr_id, i + 1);
      EXPECT_EQ(got[i].status, IBV_WC_WR_FLUSH_ERR);
    }
  }
}

}  // namespace
}  // namespace verbena::softnic::testing
