// SPDX-License-Identifier: Apache-2.0
//
// What a device says of itself.
#include <cerrno>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using DeviceQueries = Conformance;

TEST_F(DeviceQueries, ReportLimitsThatAProgramCanLiveWith) {
  const ibv_device_attr& limits = context->limits();
  EXPECT_GE(limits.phys_port_cnt, 1);
  EXPECT_GE(limits.max_qp, 64);
  EXPECT_GE(limits.max_qp_wr, 256);
  EXPECT_GE(limits.max_sge, 4);
  EXPECT_GE(limits.max_cq, 64);
  EXPECT_GE(limits.max_cqe, 4096);
  EXPECT_GE(limits.max_mr, 64);
  EXPECT_GE(limits.max_pd, 8);
  EXPECT_GE(limits.max_srq, 8);
  EXPECT_GE(limits.max_srq_wr, 256);
  EXPECT_GE(limits.max_qp_rd_atom, 1);
  EXPECT_GE(limits.max_qp_init_rd_atom, 1);
  EXPECT_GE(limits.max_ah, 64);
  EXPECT_NE(limits.atomic_cap, IBV_ATOMIC_NONE);
}

TEST_F(DeviceQueries, ReportAnActivePort) {
  ibv_port_attr port = must(context->queryPort(device().selection().port));
  EXPECT_EQ(port.state, IBV_PORT_ACTIVE);
  EXPECT_GE(port.active_mtu, IBV_MTU_256);
  EXPECT_LE(port.active_mtu, port.max_mtu);
  EXPECT_GE(port.max_msg_sz, 1U << 20);
  EXPECT_GE(port.gid_tbl_len, 1);
  EXPECT_GE(port.pkey_tbl_len, 1);
}

TEST_F(DeviceQueries, RefuseAPortThatIsNotThere) {
  auto beyond = static_cast<uint8_t>(context->limits().phys_port_cnt + 1);
  EXPECT_EQ(context->queryPort(beyond).error().code, EINVAL);
}

TEST_F(DeviceQueries, KnowWhichGidsAreInUse) {
  const verbs::Selection& selection = device().selection();
  ibv_gid_entry entry = must(context->queryGid(selection.port, selection.gid.gid_index));
  EXPECT_EQ(entry.gid_type, selection.gid.gid_type);
  EXPECT_EQ(entry.port_num, selection.port);
  ibv_port_attr port = must(context->queryPort(selection.port));
  auto last = static_cast<uint32_t>(port.gid_tbl_len - 1);
  ASSERT_NE(last, selection.gid.gid_index) << "a full table has no unused entry to ask for";
  EXPECT_EQ(context->queryGid(selection.port, last).error().code, ENODATA);
}

TEST_F(DeviceQueries, HaveThePartitionThatWasSelected) {
  const verbs::Selection& selection = device().selection();
  EXPECT_EQ(must(context->queryPkey(selection.port, selection.pkeyIndex)), selection.pkey);
}

TEST_F(DeviceQueries, AnswerTheSameForASecondOpening) {
  verbs::Context second = must(verbs::Context::open(device().selection().device));
  EXPECT_EQ(second.limits().max_qp, context->limits().max_qp);
  EXPECT_EQ(second.limits().node_guid, context->limits().node_guid);
}

}  // namespace
}  // namespace verbena::conformance
