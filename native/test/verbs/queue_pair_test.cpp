// SPDX-License-Identifier: Apache-2.0
//
// Which attributes each change of state sets.
#include <gtest/gtest.h>

#include <array>

#include "fake_provider.h"
#include "verbs/address_handle.h"
#include "verbs/queue_pair.h"
#include "verbs/selection.h"

namespace verbena::verbs {
namespace {

using testing::FakeProvider;

class QueuePairStates : public ::testing::Test {
 protected:
  QueuePair make(ibv_qp_type type) { return QueuePair::create(pd, cq, cq, {.type = type}).value(); }

  FakeProvider fake{{{.name = "fake0"}}};
  Context context = Context::open(Device::list(fake.provider()).value().front()).value();
  ProtectionDomain pd = ProtectionDomain::allocate(context).value();
  CompletionQueue cq = CompletionQueue::create(context, 16).value();
};

TEST_F(QueuePairStates, SetForAReliableConnectionWhatTheSpecificationRequires) {
  QueuePair qp = make(IBV_QPT_RC);
  ASSERT_TRUE(qp.toInit({.remoteAccess = IBV_ACCESS_REMOTE_READ}));
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  ASSERT_TRUE(qp.toRtr({.remoteQpNum = 5, .receivePsn = 6}));
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                 IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  EXPECT_EQ(fake.lastQpAttributes.dest_qp_num, 5U);
  EXPECT_EQ(fake.lastQpAttributes.rq_psn, 6U);
  ASSERT_TRUE(qp.toRts({.sendPsn = 7, .timeout = 10, .retryCount = 3, .rnrRetry = 2}));
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                 IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
  EXPECT_EQ(fake.lastQpAttributes.sq_psn, 7U);
  EXPECT_EQ(fake.lastQpAttributes.timeout, 10);
  EXPECT_EQ(fake.lastQpAttributes.retry_cnt, 3);
  EXPECT_EQ(fake.lastQpAttributes.rnr_retry, 2);
  EXPECT_EQ(qp.state().value(), IBV_QPS_RTS);
}

TEST_F(QueuePairStates, SetForDatagramsOnlyWhatTheyHave) {
  QueuePair qp = make(IBV_QPT_UD);
  ASSERT_TRUE(qp.toInit({.qkey = 0x1234}));
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
  EXPECT_EQ(fake.lastQpAttributes.qkey, 0x1234U);
  ASSERT_TRUE(qp.toRtr());
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE);
  ASSERT_TRUE(qp.toRts({.sendPsn = 9}));
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE | IBV_QP_SQ_PSN);
  EXPECT_EQ(fake.lastQpAttributes.sq_psn, 9U);
}

TEST_F(QueuePairStates, SetNothingElseOnTheWayToErrorAndReset) {
  QueuePair qp = make(IBV_QPT_RC);
  ASSERT_TRUE(qp.toError());
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE);
  EXPECT_EQ(qp.state().value(), IBV_QPS_ERR);
  ASSERT_TRUE(qp.toReset());
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE);
  EXPECT_EQ(qp.state().value(), IBV_QPS_RESET);
}

TEST_F(QueuePairStates, AddressARoceRouteByGidWithLidZero) {
  QueuePair qp = make(IBV_QPT_RC);
  ASSERT_TRUE(qp.toInit({}));
  Path path{.localGidIndex = 3, .serviceLevel = 2};
  path.remoteGid.raw[15] = 9;
  ASSERT_TRUE(qp.toRtr({.path = path}));
  const ibv_ah_attr& route = fake.lastQpAttributes.ah_attr;
  EXPECT_EQ(route.is_global, 1);
  EXPECT_EQ(route.dlid, 0);
  EXPECT_EQ(route.sl, 2);
  EXPECT_EQ(route.grh.sgid_index, 3);
  EXPECT_EQ(route.grh.dgid.raw[15], 9);
}

/// From what the user wishes to the attributes that ibv_modify_qp gets.
TEST_F(QueuePairStates, CarryServiceLevelAndTrafficClassAsWished) {
  std::array providers = {base::Result<const Provider*>(&fake.provider())};
  Selection selection =
      select(survey(providers), {.serviceLevel = 3, .trafficClass = 26 << 2}).value();
  QueuePair qp = make(IBV_QPT_RC);
  ASSERT_TRUE(qp.toInit({}));
  ASSERT_TRUE(qp.toRtr({.path = selection.pathTo({}, 0)}));
  const ibv_ah_attr& route = fake.lastQpAttributes.ah_attr;
  EXPECT_EQ(route.sl, 3);
  EXPECT_EQ(route.grh.traffic_class, 104);
}

TEST_F(QueuePairStates, ReportTheCapacityTheDeviceGave) {
  EXPECT_EQ(make(IBV_QPT_RC).capacity().max_inline_data, 64U);
}

}  // namespace
}  // namespace verbena::verbs
