// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations, each on memory that the initiator maps and on memory that the target's side
// has to touch itself: nobody may be able to tell the difference.
#include <arpa/inet.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "ends.h"
#include "softnic/device/context.h"

namespace verbena::softnic::testing {
namespace {

class OneSided : public ::testing::TestWithParam<bool> {
 protected:
  static EndOptions target() {
    EndOptions options;
    options.shareable = GetParam();
    return options;
  }

  ibv_send_wr oneSided(ibv_wr_opcode opcode, ibv_sge* list, size_t offset = 0) {
    ibv_send_wr made = pair.left.request(opcode, 1, list);
    made.wr.rdma = {reinterpret_cast<uint64_t>(pair.right.memory() + offset), pair.right.rkey()};
    return made;
  }
  ibv_send_wr atomic(ibv_wr_opcode opcode, ibv_sge* list, uint64_t compareAdd, uint64_t swap = 0) {
    ibv_send_wr made = pair.left.request(opcode, 1, list);
    made.wr.atomic = {reinterpret_cast<uint64_t>(pair.right.memory()), compareAdd, swap,
                      pair.right.rkey()};
    return made;
  }
  ibv_wc perform(ibv_send_wr request) {
    EXPECT_EQ(pair.left.post(request), 0);
    return pair.left.waitOne();
  }
  uint64_t& word(const End& end, size_t offset = 0) {
    return *reinterpret_cast<uint64_t*>(end.memory() + offset);
  }
  /// The far queue pair fails with the event, and completes nothing.
  void expectTargetFails(ibv_event_type event) {
    ibv_async_event got{};
    ASSERT_EQ(provider().get_async_event(pair.right.context.get(), &got), 0);
    EXPECT_EQ(got.event_type, event);
    EXPECT_EQ(got.element.qp, pair.right.qp.get());
    provider().ack_async_event(&got);
    EXPECT_EQ(must(pair.right.qp.state()), IBV_QPS_ERR);
  }

  Pair pair{{}, target()};
};

TEST_P(OneSided, WriteArrivesAndCompletes) {
  for (size_t bytes : {1U, 64U, 20000U, 600000U}) {
    fill(pair.left.memory(), bytes, static_cast<unsigned>(bytes));
    ibv_sge list = pair.left.sge(0, bytes);
    ibv_wc done = perform(oneSided(IBV_WR_RDMA_WRITE, &list, 100));
    EXPECT_EQ(done.status, IBV_WC_SUCCESS);
    EXPECT_EQ(done.opcode, IBV_WC_RDMA_WRITE);
    EXPECT_TRUE(holds(pair.right.memory() + 100, bytes, static_cast<unsigned>(bytes)));
  }
  EXPECT_TRUE(pair.right.pollFor(std::chrono::milliseconds(5)).empty());
}

TEST_P(OneSided, WriteWithImmediateTakesAReceive) {
  ASSERT_EQ(pair.right.postReceive(9, 500000, 16), 0);
  fill(pair.left.memory(), 50000, 4);
  ibv_sge list = pair.left.sge(0, 50000);
  ibv_send_wr request = oneSided(IBV_WR_RDMA_WRITE_WITH_IMM, &list);
  request.imm_data = htonl(77);
  EXPECT_EQ(perform(request).status, IBV_WC_SUCCESS);
  ibv_wc got = pair.right.waitOne();
  EXPECT_EQ(got.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(got.wr_id, 9U);
  EXPECT_EQ(got.byte_len, 50000U);
  EXPECT_EQ(ntohl(got.imm_data), 77U);
  EXPECT_EQ(got.wc_flags, static_cast<unsigned>(IBV_WC_WITH_IMM));
  EXPECT_TRUE(holds(pair.right.memory(), 50000, 4));
}

TEST_P(OneSided, ReadScattersWhatTheTargetHolds) {
  fill(pair.right.memory(), 600000, 6);
  ibv_sge list = pair.left.sge(0, 600000);
  ibv_wc done = perform(oneSided(IBV_WR_RDMA_READ, &list));
  EXPECT_EQ(done.status, IBV_WC_SUCCESS);
  EXPECT_EQ(done.opcode, IBV_WC_RDMA_READ);
  EXPECT_EQ(done.byte_len, 600000U);
  EXPECT_TRUE(holds(pair.left.memory(), 600000, 6));
}

TEST_P(OneSided, AtomicsReturnTheOriginal) {
  word(pair.right) = 40;
  ibv_sge list = pair.left.sge(64, 8);
  ibv_wc added = perform(atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, &list, 2));
  EXPECT_EQ(added.status, IBV_WC_SUCCESS);
  EXPECT_EQ(added.opcode, IBV_WC_FETCH_ADD);
  EXPECT_EQ(word(pair.left, 64), 40U);
  EXPECT_EQ(word(pair.right), 42U);
  EXPECT_EQ(perform(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, &list, 41, 1)).opcode, IBV_WC_COMP_SWAP);
  EXPECT_EQ(word(pair.left, 64), 42U);
  EXPECT_EQ(word(pair.right), 42U) << "swapped although the value differed";
  perform(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, &list, 42, 1));
  EXPECT_EQ(word(pair.right), 1U);
}

TEST_P(OneSided, ManyReadsKeepToTheAgreedNumberAndTheOrder) {
  word(pair.right) = 0;
  for (uint64_t i = 0; i < 100; i++) {
    ibv_sge list = pair.left.sge(8 * i, 8);
    ibv_send_wr add = atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, &list, 1);
    add.wr_id = i;
    ASSERT_EQ(pair.left.post(add), 0);
  }
  std::vector<ibv_wc> done = pair.left.wait(100);
  for (uint64_t i = 0; i < 100; i++) {
    EXPECT_EQ(done[i].wr_id, i);
    EXPECT_EQ(word(pair.left, 8 * i), i);
  }
}

TEST(OneSidedLimits, MoreReadsThanAgreedAreAnInvalidRequest) {
  EndOptions options;
  options.shareable = false;  // each is a packet
  Folders folders;
  End asking(options);
  End answering(options);
  asking.connect(answering);
  must(answering.qp.toInit({.remoteAccess = options.access}));
  verbs::RtrAttributes one{
      .remoteQpNum = asking.qp.qpNum(), .receivePsn = asking.qp.qpNum(), .maxReadsServed = 1};
  one.path.remoteGid = asking.gid();
  must(answering.qp.toRtr(one));
  ibv_sge list =
      asking.sge(0, 300'000);  // more than a wire holds: the first is still being answered
  std::vector<ibv_send_wr> reads(2, asking.request(IBV_WR_RDMA_READ, 1, &list));
  for (ibv_send_wr& read : reads) {
    read.wr.rdma = {reinterpret_cast<uint64_t>(answering.memory()), answering.rkey()};
  }
  reads[0].next = &reads[1];
  ASSERT_EQ(asking.post(reads[0]), 0);
  std::vector<ibv_wc> done = asking.wait(2);
  EXPECT_EQ(done[0].status, IBV_WC_SUCCESS) << "what was agreed is answered";
  EXPECT_EQ(done[1].status, IBV_WC_REM_INV_REQ_ERR);
  EXPECT_EQ(must(answering.qp.state()), IBV_QPS_ERR);
}

TEST_P(OneSided, MixesWithMessages) {
  for (uint64_t i = 0; i < 100; i++) {
    ASSERT_EQ(pair.right.postReceive(i, 4096, 64), 0);
    word(pair.left) = i;
    ibv_sge list = pair.left.sge(0, 8);
    ibv_send_wr write = oneSided(IBV_WR_RDMA_WRITE, &list);
    write.send_flags = 0;
    ASSERT_EQ(pair.left.post(write), 0);
    ASSERT_EQ(pair.left.send(i, 0, 8), 0);
    ASSERT_EQ(pair.right.waitOne().wr_id, i);
    ASSERT_EQ(word(pair.right), i) << "the WRITE before a SEND is there when the SEND is";
    ASSERT_EQ(pair.left.waitOne().wr_id, i);
  }
}

TEST_P(OneSided, AWrongKeyFailsBothSides) {
  ibv_sge list = pair.left.sge(0, 64);
  ibv_send_wr request = oneSided(IBV_WR_RDMA_WRITE, &list);
  request.wr.rdma.rkey ^= 1;
  EXPECT_EQ(perform(request).status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(must(pair.left.qp.state()), IBV_QPS_ERR);
  expectTargetFails(IBV_EVENT_QP_ACCESS_ERR);
}

TEST_P(OneSided, ABoundViolatedByOneByteTouchesNothing) {
  ibv_sge list = pair.left.sge(0, 64);
  fill(pair.left.memory(), 64, 9);
  ibv_send_wr request = oneSided(IBV_WR_RDMA_WRITE, &list, pair.right.options.bytes - 63);
  EXPECT_EQ(perform(request).status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(pair.right.memory()[pair.right.options.bytes - 1], std::byte{0});
  expectTargetFails(IBV_EVENT_QP_ACCESS_ERR);
}

TEST_P(OneSided, AKeyIsDeadAfterDeregistration) {
  ibv_sge list = pair.left.sge(0, 64);
  ibv_send_wr request = oneSided(IBV_WR_RDMA_READ, &list);
  EXPECT_EQ(perform(request).status, IBV_WC_SUCCESS);
  pair.right.region.reset();
  EXPECT_EQ(perform(request).status, IBV_WC_REM_ACCESS_ERR);
}

TEST_P(OneSided, AMisalignedAtomicIsAnInvalidRequest) {
  ibv_sge list = pair.left.sge(0, 8);
  ibv_send_wr request = atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, &list, 1);
  request.wr.atomic.remote_addr += 4;
  EXPECT_EQ(perform(request).status, IBV_WC_REM_INV_REQ_ERR);
  expectTargetFails(IBV_EVENT_QP_REQ_ERR);
}

/// A region whose owner has allowed relaxed ordering, or not.
class WriteBehindASend : public ::testing::TestWithParam<bool> {
 protected:
  static EndOptions target() {
    EndOptions options;
    if (GetParam()) options.regionOptions = IBV_ACCESS_RELAXED_ORDERING;
    return options;
  }
  ibv_send_wr writeTo(size_t offset, ibv_sge* list, uint64_t wrId) {
    ibv_send_wr made = pair.left.request(IBV_WR_RDMA_WRITE, wrId, list);
    made.wr.rdma = {reinterpret_cast<uint64_t>(pair.right.memory() + offset), pair.right.rkey()};
    return made;
  }

  static constexpr size_t kBytes = 50000;
  Pair pair{{}, target(), {}, {.rnrRetry = 7}};
};

TEST_P(WriteBehindASend, OvertakesItOnlyWhereOrderIsRelaxedAndCompletesBehindIt) {
  std::memset(pair.right.memory(), 0, kBytes);
  fill(pair.left.memory(), kBytes, 7);
  ASSERT_EQ(pair.left.send(1, 0, 8), 0);  // nobody has posted a receive for it
  ibv_sge list = pair.left.sge(0, kBytes);
  ibv_send_wr write = writeTo(0, &list, 2);
  ASSERT_EQ(pair.left.post(write), 0);
  EXPECT_TRUE(pair.left.pollFor(std::chrono::milliseconds(5)).empty());
  EXPECT_TRUE(pair.right.pollFor(std::chrono::milliseconds(5)).empty());
  EXPECT_EQ(holds(pair.right.memory(), kBytes, 7), GetParam());

  ASSERT_EQ(pair.right.postReceive(9, 600000, 8), 0);
  EXPECT_EQ(pair.right.waitOne().wr_id, 9U);
  std::vector<ibv_wc> done = pair.left.wait(2);
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].wr_id, 1U);
  EXPECT_EQ(done[1].wr_id, 2U);
  EXPECT_EQ(done[1].status, IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(pair.right.memory(), kBytes, 7));
}

TEST_P(WriteBehindASend, OvertakesNoAtomic) {
  std::memset(pair.right.memory(), 0, kBytes);
  fill(pair.left.memory(), kBytes, 7);
  ASSERT_EQ(pair.left.send(1, 0, 8), 0);
  ibv_sge original = pair.left.sge(600000, 8);
  ibv_send_wr add = pair.left.request(IBV_WR_ATOMIC_FETCH_AND_ADD, 2, &original);
  add.wr.atomic = {reinterpret_cast<uint64_t>(pair.right.memory()), 1, 0, pair.right.rkey()};
  ASSERT_EQ(pair.left.post(add), 0);
  ibv_sge list = pair.left.sge(0, kBytes);
  ibv_send_wr write = writeTo(0, &list, 3);
  ASSERT_EQ(pair.left.post(write), 0);
  EXPECT_TRUE(pair.left.pollFor(std::chrono::milliseconds(5)).empty());
  EXPECT_FALSE(holds(pair.right.memory(), kBytes, 7));
  ASSERT_EQ(pair.right.postReceive(9, 700000, 8), 0);
  pair.right.waitOne();
  ASSERT_EQ(pair.left.wait(3).size(), 3U);
  uint64_t before = 1;
  std::memcpy(&before, pair.left.memory() + 600000, sizeof before);
  EXPECT_EQ(before, 0U);
  EXPECT_TRUE(holds(pair.right.memory(), kBytes, 7));
}

/// What overtakes is told of behind what it overtook, and judged there.
TEST_P(WriteBehindASend, IsRefusedIfItsRegionGoesBeforeTheSendArrives) {
  ASSERT_EQ(pair.left.send(1, 0, 8), 0);
  ibv_sge list = pair.left.sge(0, kBytes);
  ibv_send_wr write = writeTo(0, &list, 2);
  ASSERT_EQ(pair.left.post(write), 0);
  EXPECT_TRUE(pair.left.pollFor(std::chrono::milliseconds(5)).empty());
  verbs::MemoryRegion other = must(
      verbs::MemoryRegion::registerRange(pair.right.pd, pair.right.buffer, IBV_ACCESS_LOCAL_WRITE));
  ibv_sge into{reinterpret_cast<uint64_t>(pair.right.memory()) + 600000, 8, other.lkey()};
  pair.right.region.reset();
  ibv_recv_wr receive{.wr_id = 9, .next = nullptr, .sg_list = &into, .num_sge = 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(ibv_post_recv(pair.right.qp.get(), &receive, &bad), 0);
  std::vector<ibv_wc> done = pair.left.wait(2);
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].status, IBV_WC_SUCCESS);
  EXPECT_EQ(done[1].status, IBV_WC_REM_ACCESS_ERR);
}

INSTANTIATE_TEST_SUITE_P(InOrderOrRelaxed, WriteBehindASend, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Relaxed" : "InOrder"; });

/// The initiator does not take the target's word for it that an aligned address is aligned memory.
TEST(OneSidedHostile, AMisplacedRegionGetsNoMisalignedAtomic) {
  Pair pair;
  PortMemory& shown = contextOf(pair.right.context.get()).port();
  shown.regions[regionIndexOf(pair.right.rkey())].segmentOffset.fetch_add(1);
  ibv_sge list = pair.left.sge(0, 8);
  ibv_send_wr add = pair.left.request(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, &list);
  add.wr.atomic = {reinterpret_cast<uint64_t>(pair.right.memory()), 5, 0, pair.right.rkey()};
  ASSERT_EQ(pair.left.post(add), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(pair.right.memory()), 5U) << "by the target itself";
}

/// An initiator that was killed in the middle of a direct operation costs its target one wait,
/// which everybody on the device shares, and not one for each change of state from then on.
TEST(OneSidedHostile, AMarkThatNobodyClearsIsWaitedForOnce) {
  Pair pair;
  Context& context = contextOf(pair.left.context.get());
  context.port().qps[qpIndexOf(pair.left.qp.qpNum())].mark.store(1);
  must(pair.left.qp.toError());
  must(pair.left.qp.toReset());
  context.stragglerNs = std::chrono::nanoseconds(kPatience).count();  // of a second wait
  auto begin = std::chrono::steady_clock::now();
  must(pair.left.qp.toInit({}));
  must(pair.left.qp.toReset());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience / 4);
}

TEST_P(OneSided, AWriteBehindASendIsNotSeenBeforeIt) {
  // The SEND waits for a receive, so the WRITE behind it must wait too.
  ibv_sge list = pair.left.sge(0, 8);
  word(pair.left) = 5;
  ASSERT_EQ(pair.left.send(1, 0, 8), 0);
  ibv_send_wr write = oneSided(IBV_WR_RDMA_WRITE, &list, 64);
  write.wr_id = 2;
  ASSERT_EQ(pair.left.post(write), 0);
  EXPECT_TRUE(pair.right.pollFor(std::chrono::milliseconds(1)).empty());
  EXPECT_EQ(word(pair.right, 64), 0U);
  ASSERT_EQ(pair.right.postReceive(3, 0, 64), 0);
  EXPECT_EQ(pair.right.waitOne().wr_id, 3U);
  std::vector<ibv_wc> done = pair.left.wait(2);
  EXPECT_EQ(done[0].wr_id, 1U);
  EXPECT_EQ(done[1].wr_id, 2U);
  EXPECT_EQ(word(pair.right, 64), 5U);
}

TEST_P(OneSided, ZeroBytesNeedNoKey) {
  ibv_send_wr write = oneSided(IBV_WR_RDMA_WRITE, nullptr);
  write.wr.rdma = {0, 0};
  EXPECT_EQ(perform(write).status, IBV_WC_SUCCESS);
  ibv_send_wr read = oneSided(IBV_WR_RDMA_READ, nullptr);
  read.wr.rdma = {0, 0};
  EXPECT_EQ(perform(read).status, IBV_WC_SUCCESS);
}

/// softnic's atomics are the processor's but for this.
class AtomicsOfTheDevice : DevicesAtomics, public OneSided {};

TEST_P(AtomicsOfTheDevice, AreNotAtomicWithAProcessors) {
  EXPECT_EQ(pair.left.context.limits().atomic_cap, IBV_ATOMIC_HCA);
  constexpr uint64_t kAdds = 2000;
  std::atomic_ref target(word(pair.right));
  target = 0;
  uint64_t processors = 0;
  {
    std::jthread processor([&](std::stop_token stop) {
      for (; !stop.stop_requested(); processors++) {
        target.fetch_add(1);
        std::this_thread::yield();
      }
    });
    ibv_sge list = pair.left.sge(64, 8);
    for (uint64_t i = 0; i < kAdds; i++) {
      ASSERT_EQ(perform(atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, &list, 1)).status, IBV_WC_SUCCESS);
    }
  }
  EXPECT_GE(target, kAdds);
  EXPECT_LT(target, kAdds + processors);
}

TEST_P(AtomicsOfTheDevice, ReturnTheOriginal) {
  word(pair.right) = 40;
  ibv_sge list = pair.left.sge(64, 8);
  perform(atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, &list, 2));
  EXPECT_EQ(word(pair.left, 64), 40U);
  perform(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, &list, 41, 1));
  EXPECT_EQ(word(pair.right), 42U);
  perform(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, &list, 42, 1));
  EXPECT_EQ(word(pair.right), 1U);
}

const auto kMemories = ::testing::Bool();
std::string nameOf(const ::testing::TestParamInfo<bool>& chosen) {
  return chosen.param ? "Shareable" : "Foreign";
}
INSTANTIATE_TEST_SUITE_P(Memory, OneSided, kMemories, nameOf);
INSTANTIATE_TEST_SUITE_P(Memory, AtomicsOfTheDevice, kMemories, nameOf);

TEST(OneSidedLimits, NobodysAtomicsAreAnError) {
  Folders folders;
  ibv_device** devices = provider().get_device_list(nullptr);
  setenv("VERBENA_SOFTNIC_ATOMICS", "mine", 1);
  EXPECT_EQ(provider().open_device(devices[0]), nullptr);
  EXPECT_EQ(errno, EINVAL);
  unsetenv("VERBENA_SOFTNIC_ATOMICS");
  provider().free_device_list(devices);
}

TEST(OneSidedRights, AQueuePairThatAllowsNothingRefuses) {
  for (ibv_wr_opcode opcode : {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD}) {
    SCOPED_TRACE(opcode);
    EndOptions closed;
    closed.access = IBV_ACCESS_LOCAL_WRITE;
    Pair pair({}, closed);
    ibv_sge list = pair.left.sge(0, 8);
    ibv_send_wr request = pair.left.request(opcode, 1, &list);
    auto address = reinterpret_cast<uint64_t>(pair.right.memory());
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
      request.wr.atomic = {address, 1, 0, pair.right.rkey()};
    } else {
      request.wr.rdma = {address, pair.right.rkey()};
    }
    ASSERT_EQ(pair.left.post(request), 0);
    EXPECT_EQ(pair.left.waitOne().status, IBV_WC_REM_INV_REQ_ERR);
  }
}

}  // namespace
}  // namespace verbena::softnic::testing
