// SPDX-License-Identifier: Apache-2.0
//
// A thread in the middle of a long one-sided copy holds up nobody but who takes its memory or its
// queue pair away.
#include <atomic>
#include <future>

#include "ends.h"
#include "softnic/objects/faults.h"

namespace verbena::softnic::testing {
namespace {

constexpr size_t kBytes = 1 << 20;

/// The left end writes a megabyte to the right one and stops in the middle of the first piece.
class LongCopy : public ::testing::Test {
 protected:
  LongCopy() {
    fill(pair_.left.memory(), kBytes, 4);
    faults("write:1=hold(600000)");
    // Looked up here: tests take the region away while the copy is under way.
    const auto address = reinterpret_cast<uint64_t>(pair_.right.memory());
    const uint32_t key = pair_.right.rkey();
    copying_ = std::async(std::launch::async, [this, address, key] {
      ibv_sge list = pair_.left.sge(0, kBytes);
      ibv_send_wr write = pair_.left.request(IBV_WR_RDMA_WRITE, 1, &list);
      write.wr.rdma = {address, key};
      return pair_.left.post(write);
    });
    std::atomic_ref first(*reinterpret_cast<uint8_t*>(pair_.right.memory() + 100'000));
    while (first.load() != static_cast<uint8_t>(pair_.left.memory()[100'000])) {
    }
  }
  ~LongCopy() override { faults(""); }

  void faults(const char* text) {
    std::string error;
    EXPECT_TRUE(setFaults(pair_.left.context.get(), text, error)) << error;
  }
  /// Lets the copy go on, and returns when it has ended.
  void goOn() {
    faults("");
    ASSERT_EQ(copying_.wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(copying_.get(), 0);
  }
  /// What `call` does waits for the copy.
  template <typename Call>
  void waitsForTheCopy(Call call) {
    std::future<void> done = std::async(std::launch::async, call);
    EXPECT_EQ(done.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
    goOn();
    EXPECT_EQ(done.wait_for(kPatience), std::future_status::ready);
  }

  Pair pair_;
  std::future<int> copying_;
};

TEST_F(LongCopy, HoldsUpNoOtherQueuePair) {
  End other;
  verbs::QueuePair qp =
      must(verbs::QueuePair::create(pair_.left.pd, pair_.left.cq, pair_.left.cq, {}));
  std::swap(qp, pair_.left.qp);
  pair_.left.connect(other);
  other.connect(pair_.left);
  ASSERT_EQ(other.postReceive(5, 0, 64), 0);
  ASSERT_EQ(pair_.left.send(2, 0, 64), 0);
  EXPECT_EQ(other.waitOne().wr_id, 5U);
  EXPECT_EQ(pair_.left.waitOne().wr_id, 2U);
  verbs::MemoryRegion more = must(
      verbs::MemoryRegion::registerRange(pair_.left.pd, pair_.left.buffer, IBV_ACCESS_LOCAL_WRITE));
  EXPECT_EQ(copying_.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  goOn();
  EXPECT_EQ(pair_.left.waitOne().wr_id, 1U);
  EXPECT_TRUE(holds(pair_.right.memory(), kBytes, 4));
  std::swap(qp, pair_.left.qp);
}

TEST_F(LongCopy, WhatIsPostedBehindItComesBehindIt) {
  ASSERT_EQ(pair_.right.postReceive(5, 0, 64), 0);
  ASSERT_EQ(pair_.left.send(2, 0, 64), 0);
  EXPECT_TRUE(pair_.left.pollFor(std::chrono::milliseconds(5)).empty());
  EXPECT_TRUE(pair_.right.pollFor(std::chrono::milliseconds(5)).empty());
  goOn();
  EXPECT_EQ(pair_.right.waitOne().wr_id, 5U);
  std::vector<ibv_wc> done = pair_.left.wait(2);
  EXPECT_EQ(done[0].wr_id, 1U);
  EXPECT_EQ(done[1].wr_id, 2U);
}

TEST_F(LongCopy, AnErrorOfItsQueuePairFlushesItWhenItHasEnded) {
  ASSERT_EQ(pair_.left.send(2, 0, 64), 0);
  must(pair_.left.qp.toError());
  EXPECT_TRUE(pair_.left.pollFor(std::chrono::milliseconds(5)).empty()) << "its memory is in use";
  goOn();
  for (const ibv_wc& done : pair_.left.wait(2)) EXPECT_EQ(done.status, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(LongCopy, DeregistrationOfTheLocalMemoryWaits) {
  waitsForTheCopy([this] { pair_.left.region.reset(); });
  EXPECT_EQ(pair_.left.waitOne().status, IBV_WC_LOC_PROT_ERR) << "the pieces behind it";
}

TEST_F(LongCopy, DeregistrationOfTheRemoteMemoryWaits) {
  waitsForTheCopy([this] { pair_.right.region.reset(); });
  EXPECT_EQ(pair_.left.waitOne().status, IBV_WC_REM_ACCESS_ERR);
}

TEST_F(LongCopy, AResetWaits) {
  waitsForTheCopy([this] { must(pair_.left.qp.toReset()); });
  EXPECT_TRUE(pair_.left.pollFor(std::chrono::milliseconds(5)).empty());
}

TEST_F(LongCopy, DestructionWaits) {
  verbs::QueuePair other =
      must(verbs::QueuePair::create(pair_.left.pd, pair_.left.cq, pair_.left.cq, {}));
  waitsForTheCopy([&] { std::exchange(pair_.left.qp, std::move(other)); });
}

}  // namespace
}  // namespace verbena::softnic::testing
