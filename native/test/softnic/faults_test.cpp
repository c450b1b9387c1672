// SPDX-License-Identifier: Apache-2.0
#include "softnic/objects/faults.h"

#include "ends.h"

namespace verbena::softnic::testing {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

void script(const End& end, const char* text) {
  std::string error;
  ASSERT_TRUE(setFaults(end.context.get(), text, error)) << error;
}

ibv_event_type takeEventType(const End& end) {
  ibv_async_event event{};
  EXPECT_EQ(provider().get_async_event(end.context.get(), &event), 0);
  provider().ack_async_event(&event);
  return event.event_type;
}

TEST(FaultScript, SaysWhatItCannotRead) {
  std::string error;
  EXPECT_TRUE(FaultScript::parse("", error));
  EXPECT_TRUE(
      FaultScript::parse(" seed=9 ; send@2:3=fail(RETRY_EXC_ERR); any:1-4=delay(0.5);", error));
  EXPECT_TRUE(FaultScript::parse("write:1=hold(5); read:2=stop; atomic:*=stop", error)) << error;
  for (const char* wrong :
       {"seed=x", "sand:1=fail(REM_OP_ERR)", "send:0=fail(REM_OP_ERR)", "send:1=fail(NONE)",
        "send:1=drop", "datagram:p1.5=drop", "datagram:*=delay(1)", "send:4-3=delay(1)",
        "send:1=delay(1", "receive:1=delay(1)", "send:1", "send@x:1=delay(1)", "send:1=stop",
        "any:1=hold(1)", "write:1=stop(1)"}) {
    error.clear();
    EXPECT_FALSE(FaultScript::parse(wrong, error)) << wrong;
    EXPECT_NE(error.find(wrong), std::string::npos) << error;
  }
}

TEST(FaultScript, ChanceIsAFunctionOfTheSeed) {
  auto drops = [](const char* text) {
    std::string error;
    FaultScript parsed = *FaultScript::parse(text, error);
    FaultCounts counts{1, {}};
    std::vector<int> at;
    for (int i = 0; i < 1000; i++) {
      Fault fault = parsed.choose(OperationKind::Datagram, counts);
      if (fault.action == FaultAction::Drop) at.push_back(i);
    }
    return at;
  };
  std::vector<int> seven = drops("seed=7; datagram:p0.1=drop");
  EXPECT_EQ(seven, drops("seed=7; datagram:p0.1=drop"));
  EXPECT_NE(seven, drops("seed=8; datagram:p0.1=drop"));
  EXPECT_GT(seven.size(), 60U);
  EXPECT_LT(seven.size(), 150U);
}

TEST(Faults, TheNthOfAKindFailsAndWhatFollowsIsFlushed) {
  Pair pair;
  script(pair.left, "send:3=fail(REM_OP_ERR)");
  for (uint64_t i = 0; i < 4; i++) ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
  for (uint64_t i = 0; i < 4; i++) ASSERT_EQ(pair.left.send(i, 0, 64), 0);
  std::vector<ibv_wc> done;
  while (done.size() < 4) {  // both sides poll: the second half waits for acknowledgements
    pair.right.pollFor(milliseconds(1));
    for (const ibv_wc& one : pair.left.pollFor(milliseconds(1))) done.push_back(one);
  }
  ibv_wc_status expected[] = {IBV_WC_SUCCESS, IBV_WC_SUCCESS, IBV_WC_REM_OP_ERR,
                              IBV_WC_WR_FLUSH_ERR};
  for (size_t i = 0; i < 4; i++) EXPECT_EQ(done[i].status, expected[i]) << i;
}

TEST(Faults, ADelayHoldsTheQueue) {
  Pair pair;
  script(pair.left, "write:1=delay(30)");
  ibv_sge list = pair.left.sge(0, 64);
  ibv_send_wr write = pair.left.request(IBV_WR_RDMA_WRITE, 1, &list);
  write.wr.rdma = {reinterpret_cast<uint64_t>(pair.right.memory()), pair.right.rkey()};
  Clock::time_point start = Clock::now();
  ASSERT_EQ(pair.left.post(write), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
  EXPECT_GE(Clock::now() - start, milliseconds(30));
}

TEST(Faults, NotReadyForATimeIsSurvivedOrNot) {
  struct Case {
    uint8_t retries;
    const char* faults;
    ibv_wc_status status;
  };
  // Retries without end, and one that comes long before the time is over however late it is.
  for (Case each : {Case{7, "send:1=rnr(20)", IBV_WC_SUCCESS},
                    Case{1, "send:1=rnr(600000)", IBV_WC_RNR_RETRY_EXC_ERR}}) {
    Pair pair({}, {}, {.minRnrTimer = 14}, {.rnrRetry = each.retries});  // 1.28 ms
    script(pair.left, each.faults);
    ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
    ASSERT_EQ(pair.left.send(1, 0, 64), 0);
    EXPECT_EQ(pair.left.waitOne().status, each.status);
  }
}

TEST(Faults, AReceiveFailsOnBothSides) {
  Pair pair;
  script(pair.right, "receive:1=fail(LOC_PROT_ERR)");
  ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(pair.right.waitOne().status, IBV_WC_LOC_PROT_ERR);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_REM_OP_ERR);
}

TEST(Faults, ADeviceDiesAsAWhole) {
  Pair pair;
  script(pair.left, "send:2=device-fatal");
  for (uint64_t i = 0; i < 2; i++) ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
  ASSERT_EQ(pair.left.postReceive(7, 0, 64), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
  ASSERT_EQ(pair.left.send(2, 0, 64), 0);
  EXPECT_EQ(takeEventType(pair.left), IBV_EVENT_DEVICE_FATAL);
  for (const ibv_wc& done : pair.left.wait(2)) EXPECT_EQ(done.status, IBV_WC_WR_FLUSH_ERR);
}

TEST(Faults, WhereNoMemoryIsLeftTheDeviceFailsAndNotTheProcess) {
  for (bool inAThread : {true, false}) {
    SCOPED_TRACE(inAThread ? "met by the service" : "met by the caller");
    Pair pair;
    const End& victim = inAThread ? pair.right : pair.left;
    script(victim, inAThread ? "receive:1=no-memory" : "send:1=no-memory");
    ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
    ASSERT_EQ(pair.left.send(1, 0, 64), 0);
    EXPECT_EQ(takeEventType(victim), IBV_EVENT_DEVICE_FATAL);
    EXPECT_EQ(victim.waitOne().status, IBV_WC_WR_FLUSH_ERR);
    EXPECT_EQ(must(victim.qp.state()), IBV_QPS_ERR);
  }
}

TEST(Faults, WhatIsSentWhileThePortIsDownUsesItsRetriesUp) {
  Pair pair({}, {}, {}, {.timeout = 10, .retryCount = 1});  // 4 ms, twice
  script(pair.left, "send:1=port-down(600000)");
  ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(takeEventType(pair.left), IBV_EVENT_PORT_ERR);
  EXPECT_EQ(must(pair.left.context.queryPort(1)).state, IBV_PORT_DOWN);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_RETRY_EXC_ERR);
}

TEST(Faults, APortGoesDownAndComesUp) {
  // One pause is longer than the port is down: late threads use no retries up.
  Pair pair({}, {}, {}, {.timeout = 18, .retryCount = 7});  // 1.1 s, 8 times
  script(pair.left, "send:1=port-down(10)");
  ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(takeEventType(pair.left), IBV_EVENT_PORT_ERR);
  EXPECT_EQ(takeEventType(pair.left), IBV_EVENT_PORT_ACTIVE);
  EXPECT_EQ(must(pair.left.context.queryPort(1)).state, IBV_PORT_ACTIVE);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
}

TEST(Faults, DatagramsAreDroppedDoubledAndPutBehindTheNext) {
  Folders folders;
  EndOptions options;
  options.qp.type = IBV_QPT_UD;
  End left(options);
  End right(options);
  for (End* end : {&left, &right}) {
    must(end->qp.toInit({.qkey = 1}));
    must(end->qp.toRtr());
    must(end->qp.toRts());
  }
  script(left, "datagram:1=drop; datagram:3=duplicate; datagram:4=reorder");
  verbs::Path path;
  path.remoteGid = right.gid();
  auto address = must(verbs::AddressHandle::create(left.pd, path));
  for (uint64_t i = 0; i < 8; i++) ASSERT_EQ(right.postReceive(i, i * 64, 64), 0);
  for (uint64_t i = 1; i <= 5; i++) {
    left.memory()[0] = static_cast<std::byte>(i);
    ibv_sge list = left.sge(0, 1);
    ibv_send_wr request = left.request(IBV_WR_SEND, i, &list);
    request.wr.ud = {address.get(), right.qp.qpNum(), 1};
    ASSERT_EQ(left.post(request), 0);
  }
  std::vector<int> arrived;
  for (const ibv_wc& got : right.wait(5)) {
    arrived.push_back(static_cast<int>(right.memory()[got.wr_id * 64 + 40]));
  }
  EXPECT_EQ(arrived, (std::vector<int>{2, 3, 3, 5, 4}));
}

}  // namespace
}  // namespace verbena::softnic::testing
