// SPDX-License-Identifier: Apache-2.0
//
// A program that sleeps on a channel is rung for at once, not found at the next tick.
#include <thread>

#include "ends.h"
#include "softnic/device/context.h"

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

}  // namespace
}  // namespace verbena::softnic::testing
