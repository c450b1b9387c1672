// SPDX-License-Identifier: Apache-2.0
//
// How large windows are: what they begin with, and when they grow by how much.
#include <gtest/gtest.h>

#include "streams/window_grants.h"
#include "streams/window_use.h"

namespace verbena::streams::testing {
namespace {

EngineOptions withReceives(uint32_t receives, uint32_t window) {
  EngineOptions options;
  options.firstWindow = 4;
  options.maxConnections = 100;
  options.receiveWorkRequests = receives;
  options.window = window;
  return options;
}

/// A handler may keep the thread that hears reports: what is sent beside it, the opening of lanes
/// for one, has to find room.
TEST(WindowGrants, BeginWithRoomForWhatIsSentBesideABusyHandler) {
  EXPECT_EQ(WindowGrants(EngineOptions{}, 10'000).first(), 8U);
}

TEST(WindowGrants, BeginSmallAndGrowToWhatIsConfiguredAndOneForAReport) {
  WindowGrants grants(withReceives(512, 32), 10'000);
  uint32_t window = grants.take();
  EXPECT_EQ(window, 4U);
  while (uint32_t more = grants.grow(window, 10'000)) window += more;
  EXPECT_EQ(window, 33U);
  EXPECT_EQ(grants.promised(), 33U);
  grants.giveBack(window);
  EXPECT_EQ(grants.promised(), 0U);
}

TEST(WindowGrants, OneConnectionGetsNoMoreThanAQuarterOfWhatIsLeft) {
  WindowGrants grants(withReceives(16, 32), 10'000);
  EXPECT_EQ(grants.take(), 4U);
  EXPECT_EQ(grants.grow(4, 10'000), 4U);
  EXPECT_EQ(grants.grow(8, 10'000), 3U);
  EXPECT_EQ(grants.grow(11, 10'000), 2U);
  EXPECT_EQ(grants.grow(13, 10'000), 0U) << "of seven a quarter is too little to tell of";
}

TEST(WindowGrants, IdleOnesTakeNothingOfWhatOthersGrowBy) {
  WindowGrants grants(withReceives(64, 32), 10'000);
  for (int i = 0; i < 100; i++) EXPECT_EQ(grants.take(), 4U);
  EXPECT_EQ(grants.grow(4, 10'000), 4U);
}

TEST(WindowGrants, PromiseNoMoreThanTheMemoryThatIsThere) {
  WindowGrants grants(withReceives(512, 32), 10'000);
  EXPECT_EQ(grants.take() + grants.take(), 8U);
  EXPECT_EQ(grants.grow(4, 11), 3U);
  EXPECT_EQ(grants.grow(7, 11), 0U);
  grants.shrink(3);
  EXPECT_EQ(grants.promised(), 8U);
  EXPECT_EQ(grants.grow(4, 11), 3U);
}

TEST(WindowGrants, AreSmallerWhereTheDeviceHasNoRoomForAll) {
  WindowGrants grants(withReceives(512, 32), 300);
  EXPECT_EQ(grants.take(), 3U);
  EXPECT_EQ(grants.grow(3, 300), 0U) << "the rest is for those to come";
}

bool usesUp(WindowUse& use, uint32_t window, bool waits) {
  bool tooSmall = false;
  for (uint32_t i = 0; i < window; i++) tooSmall = use.isTooSmall(window, waits && i == 0);
  return tooSmall;
}

TEST(WindowUse, IsTooSmallWhenTheFarSideWaitsInFourWindowsInARow) {
  WindowUse use;
  for (int i = 0; i < 3; i++) EXPECT_FALSE(usesUp(use, 4, true)) << i;
  EXPECT_TRUE(usesUp(use, 4, true));
  EXPECT_TRUE(usesUp(use, 8, true)) << "it goes on";
  EXPECT_FALSE(usesUp(use, 16, false));
  for (int i = 0; i < 3; i++) EXPECT_FALSE(usesUp(use, 16, true)) << "from the beginning";
}

}  // namespace
}  // namespace verbena::streams::testing
