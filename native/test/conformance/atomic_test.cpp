// SPDX-License-Identifier: Apache-2.0
//
// COMPARE AND SWAP and FETCH AND ADD on 8 bytes.
#include <cerrno>
#include <memory>
#include <thread>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

class Atomic : public Connected {
 protected:
  Send fetchAdd(uint64_t id, uint64_t amount, size_t offset = 0) {
    Send send = oneSided(IBV_WR_ATOMIC_FETCH_AND_ADD, id, {requester().piece(8 * id, 8)}, offset);
    send.compareOrAdd = amount;
    return send;
  }

  Send compareSwap(uint64_t id, uint64_t expected, uint64_t desired) {
    Send send = oneSided(IBV_WR_ATOMIC_CMP_AND_SWP, id, {requester().piece(8 * id, 8)});
    send.compareOrAdd = expected;
    send.swap = desired;
    return send;
  }
};

TEST_F(Atomic, FetchAddReturnsTheOldValue) {
  responder().word(0) = 40;
  requester().post(fetchAdd(1, 2));
  expectSuccess(sent(), 1, IBV_WC_FETCH_ADD);
  EXPECT_EQ(requester().word(8), 40U);
  EXPECT_EQ(responder().word(0), 42U);
}

TEST_F(Atomic, FetchAddWrapsAround) {
  responder().word(0) = UINT64_MAX;
  requester().post(fetchAdd(1, 3));
  expectSuccess(sent(), 1, IBV_WC_FETCH_ADD);
  EXPECT_EQ(responder().word(0), 2U);
}

TEST_F(Atomic, CompareSwapPutsTheNewValueWhenTheOldIsAsExpected) {
  responder().word(0) = 5;
  requester().post(compareSwap(1, 5, 6));
  expectSuccess(sent(), 1, IBV_WC_COMP_SWAP);
  EXPECT_EQ(requester().word(8), 5U);
  EXPECT_EQ(responder().word(0), 6U);
}

TEST_F(Atomic, CompareSwapReturnsTheValueThatWasThereInstead) {
  responder().word(0) = 4;
  requester().post(compareSwap(1, 5, 6));
  expectSuccess(sent(), 1, IBV_WC_COMP_SWAP);
  EXPECT_EQ(requester().word(8), 4U);
  EXPECT_EQ(responder().word(0), 4U);
}

TEST_F(Atomic, OperationsOfOneQueuePairHappenInOrder) {
  for (uint64_t i = 0; i < 32; i++) requester().post(fetchAdd(i, 1));
  for (uint64_t i = 0; i < 32; i++) {
    expectSuccess(sent(), i, IBV_WC_FETCH_ADD);
    EXPECT_EQ(requester().word(8 * i), i);
  }
}

TEST_F(Atomic, OperandsThatAreNotAlignedAreInvalid) {
  if (device().has(KnownDifference::unalignedAtomicIsRefusedAtOnce)) {
    EXPECT_EQ(requester().tryPost(fetchAdd(1, 1, 4)), EINVAL);
    return;
  }
  requester().post(fetchAdd(1, 1, 4));
  expectStatus(sent(), 1, IBV_WC_REM_INV_REQ_ERR);
  EXPECT_EQ(responder().word(0), 0U);
}

TEST_F(Atomic, OperationsNeedTheRightOnTheMemory) {
  connectPair({}, {.memoryAccess =
                       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ});
  requester().post(fetchAdd(1, 1));
  expectStatus(sent(), 1, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(responder().word(0), 0U);
}

TEST_F(Atomic, OperationsOfSeveralConnectionsDoNotLoseEachOther) {
  constexpr int kThreads = 2;
  constexpr uint64_t kEach = 300;
  Endpoint target(*context);
  auto add = [&target](Endpoint& adder) {
    for (uint64_t i = 0; i < kEach; i++) {
      adder.post({.id = i,
                  .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
                  .pieces = {adder.piece(0, 8)},
                  .remoteAddress = target.address(),
                  .remoteKey = target.rkey(),
                  .compareOrAdd = 1});
      expectSuccess(await(adder.sendQueue()), i, IBV_WC_FETCH_ADD);
    }
  };
  // Each adder has a queue pair of the target's to talk to; all of them add to the same word.
  std::vector<std::unique_ptr<Endpoint>> ends;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    ends.push_back(std::make_unique<Endpoint>(*context));
    ends.push_back(std::make_unique<Endpoint>(*context, EndpointOptions{.pd = &target.pd()}));
    connect(*ends[ends.size() - 2], *ends.back());
  }
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&, i] { add(*ends[static_cast<size_t>(2 * i)]); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(target.word(0), kThreads * kEach);
}

}  // namespace
}  // namespace verbena::conformance
