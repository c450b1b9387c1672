// SPDX-License-Identifier: Apache-2.0
#include "fabric/relinks.h"

#include <gtest/gtest.h>

namespace verbena::fabric::testing {
namespace {

constexpr connect::NodeId kByChance = connect::kMostGiven + 1;

TEST(Relinks, AreCountedOfEachPeerAndRail) {
  Relinks relinks;
  for (connect::NodeId peer : {connect::NodeId{7}, kByChance}) {
    EXPECT_EQ(relinks.begin(peer, 0), 0U);
    EXPECT_EQ(relinks.begin(peer, 0), 1U);
    EXPECT_EQ(relinks.begin(peer, 1), 0U);
    EXPECT_EQ(relinks.begin(peer, 0), 2U);
  }
}

TEST(Relinks, OfMorePeersThanAreCountedNothingIsKept) {
  Relinks relinks(2);
  relinks.begin(kByChance, 0);
  relinks.begin(kByChance + 1, 0);
  for (int i = 0; i < 3; i++) EXPECT_EQ(relinks.begin(kByChance + 2, 0), 0U);
  EXPECT_EQ(relinks.begin(kByChance + 1, 0), 1U);
}

TEST(Relinks, ManyThatNumberThemselvesTakeNoRoomFromOthers) {
  Relinks relinks(1);
  relinks.begin(kByChance, 0);
  relinks.begin(7, 0);
  EXPECT_EQ(relinks.begin(7, 0), 1U);
  for (int i = 0; i < 3; i++) EXPECT_EQ(relinks.begin(7, 1), 0U) << "of a rail of its choice";
}

}  // namespace
}  // namespace verbena::fabric::testing
