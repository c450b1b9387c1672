// SPDX-License-Identifier: Apache-2.0
//
// A program that sleeps on a channel is rung for at once, not found at the next tick; one that
// polls is left alone by the device's threads.
#include <mutex>
#include <thread>

#include "ends.h"
#include "softnic/device/context.h"
#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

/// As every event loop does: looks as long as there is something, arms, looks once more.
void lookArmAndLook(const End& end) {
  ibv_wc done[8];
  while (end.cq.poll(done) > 0) {
  }
  ASSERT_EQ(end.cq.arm(), 0);
  ASSERT_EQ(end.cq.poll(done), 0);
}

TEST(Waking, PeersRingForWhoArmsAndLooksOnceMore) {
  EndOptions withChannel;
  withChannel.channel = true;
  Pair pair({}, withChannel);
  const PortMemory& port = contextOf(pair.right.context.get()).port();
  for (int round = 0; round < 5; round++) {
    ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
    ASSERT_EQ(pair.left.send(1, 0, 64), 0);
    ASSERT_EQ(pair.right.waitOne().status, IBV_WC_SUCCESS);
    ASSERT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
    lookArmAndLook(pair.right);
    // The context's thread looks around some times meanwhile: at each look it might be mistaken.
    for (int look = 0; look < 40; look++) {
      ASSERT_EQ(port.asleep.load(), 1U) << "after " << look << " looks in round " << round;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

bool standsBy(const End& end) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  return context.tcp->standsBy();
}

void read(const End& reader, const Address& from) {
  ibv_sge list = reader.sge(0, 64);
  ibv_send_wr request = reader.request(IBV_WR_RDMA_READ, 1, &list);
  request.wr.rdma = {from.memory, from.rkey};
  ASSERT_EQ(reader.post(request), 0);
  ASSERT_EQ(reader.waitOne().status, IBV_WC_SUCCESS);
}

TEST(Waking, TheThreadOfTheTcpWireStandsByWhileTheProgramPolls) {
  OverTcp tcp;
  Folders folders;
  End polls;
  End target;
  connectTo(polls, tcpAddressOf(target));
  connectTo(target, tcpAddressOf(polls));
  auto limit = std::chrono::steady_clock::now() + kPatience;
  for (int round = 0; round < 5; round++) {
    while (!standsBy(polls)) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "it does not, in round " << round;
      read(polls, tcpAddressOf(target));
    }
    while (standsBy(polls)) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "it still does, in round " << round;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

TEST(Waking, ATargetThatHasEndedItsPollingIsReadFromOverTcp) {
  OverTcp tcp;
  Folders folders;
  End reader;
  End target;
  connectTo(reader, tcpAddressOf(target));
  connectTo(target, tcpAddressOf(reader));
  for (int round = 0; round < 5; round++) {
    EXPECT_TRUE(target.pollFor(std::chrono::milliseconds(5)).empty());
    read(reader, tcpAddressOf(target));
  }
}

}  // namespace
}  // namespace verbena::softnic::testing
