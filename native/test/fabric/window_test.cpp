// SPDX-License-Identifier: Apache-2.0
#include "fabric/window.h"

#include <gtest/gtest.h>

#include <thread>

namespace verbena::fabric::testing {
namespace {

using GivenBack = ReceiveWindow::GivenBack;

TEST(SendWindow, IsShutWhenSoManyAreUnderWayAndOpensByReports) {
  SendWindow window;
  window.open(4);
  EXPECT_EQ(window.room(), 4U);
  window.reserve(4);
  EXPECT_EQ(window.room(), 0U);
  EXPECT_TRUE(window.report(3));
  EXPECT_EQ(window.room(), 3U);
  window.reserve(2);
  window.takeBack(1);
  EXPECT_EQ(window.room(), 2U);
}

TEST(SendWindow, AReportThatComesTwiceOrNeverDoesNoHarm) {
  SendWindow window;
  window.open(8);
  window.reserve(8);
  EXPECT_TRUE(window.report(2));
  EXPECT_TRUE(window.report(2));
  EXPECT_EQ(window.room(), 2U);
  EXPECT_TRUE(window.report(7)) << "those of 3 to 6 were lost";
  EXPECT_EQ(window.room(), 7U);
}

TEST(SendWindow, BelievesNoReportOfMoreThanWasSent) {
  SendWindow window;
  window.open(8);
  window.reserve(3);
  EXPECT_FALSE(window.report(4));
  EXPECT_TRUE(window.report(3));
  EXPECT_FALSE(window.report(2)) << "an older count is one of almost 2^15 more";
}

TEST(SendWindow, GrowsByReportsAsFarAsItMay) {
  SendWindow window;
  window.open(4, 8);
  window.reserve(3);
  EXPECT_TRUE(window.report(4)) << "three are done, and there is room for one more";
  EXPECT_EQ(window.room(), 5U);
  EXPECT_TRUE(window.report(7));
  EXPECT_EQ(window.room(), 8U);
  EXPECT_FALSE(window.report(8));
  window.reserve(2);
  EXPECT_EQ(window.room(), 6U);
  EXPECT_TRUE(window.report(9));
  EXPECT_EQ(window.room(), 8U);
}

TEST(SendWindow, WhatIsHeardLateTakesNothingBack) {
  SendWindow window;
  window.open(8);
  window.reserve(8);
  std::optional<uint64_t> early = window.read(2);
  EXPECT_TRUE(window.report(5));
  window.hear(*early);
  EXPECT_EQ(window.room(), 5U);
}

TEST(SendWindow, CountsOnWhenTheWireCountWraps) {
  SendWindow window;
  window.open(100);
  for (uint32_t sent = 0; sent < 200'000; sent += 50) {
    window.reserve(50);
    ASSERT_TRUE(window.report(static_cast<uint16_t>(sent + 50)));
    ASSERT_EQ(window.room(), 100U);
  }
}

TEST(ReceiveWindow, IsDueWhenMoreThanHalfOfItIsNotReported) {
  ReceiveWindow window;
  uint32_t generation = window.open(4);
  EXPECT_EQ(window.giveBack(generation), GivenBack::Counted);
  EXPECT_EQ(window.giveBack(generation), GivenBack::Counted);
  EXPECT_EQ(window.giveBack(generation), GivenBack::ReportDue);
  window.reported(window.givenBack());
  EXPECT_FALSE(window.due());
  EXPECT_EQ(window.givenBack(), 3U);
}

TEST(ReceiveWindow, IsDueWhenItHasGrownUntilThatIsReported) {
  ReceiveWindow window;
  uint32_t generation = window.open(4);
  EXPECT_TRUE(window.receive());
  uint32_t before = window.givenBack();
  window.grow(4);
  EXPECT_EQ(window.size(), 8U);
  EXPECT_TRUE(window.due());
  window.reported(before);
  EXPECT_TRUE(window.due()) << "that was read before";
  EXPECT_EQ(window.giveBack(generation), GivenBack::ReportDue) << "five of eight";
  EXPECT_EQ(window.givenBack(), 5U) << "one has come back, four have been added";
  window.reported(5);
  EXPECT_FALSE(window.due());
  for (int i = 0; i < 8; i++) EXPECT_TRUE(window.receive());
  EXPECT_FALSE(window.receive());
  EXPECT_EQ(window.shut(), 8U) << "the consumer has them";
  EXPECT_EQ(window.open(4), generation + 2);
  EXPECT_FALSE(window.due()) << "what had grown is another's";
}

TEST(ReceiveWindow, WhatComesBackLateCountsForNobody) {
  ReceiveWindow window;
  uint32_t before = window.open(1);
  EXPECT_TRUE(window.receive());
  EXPECT_EQ(window.shut(), 1U) << "the consumer still has it";
  EXPECT_EQ(window.giveBack(before), GivenBack::Late);
  uint32_t now = window.open(1);
  EXPECT_EQ(window.giveBack(before), GivenBack::Late);
  EXPECT_EQ(window.givenBack(), 0U);
  EXPECT_EQ(window.giveBack(now), GivenBack::ReportDue);
}

TEST(ReceiveWindow, EachIsGivenBackBeforeTheEndOrAfterIt) {
  constexpr uint32_t kHeld = 4;
  ReceiveWindow window;
  for (int i = 0; i < 2'000; i++) {
    uint32_t generation = window.open(kHeld);
    for (uint32_t held = 0; held < kHeld; held++) ASSERT_TRUE(window.receive());
    uint32_t late = 0;
    std::jthread consumer([&] {
      for (uint32_t held = 0; held < kHeld; held++) {
        if (window.giveBack(generation) == GivenBack::Late) late++;
      }
    });
    uint32_t left = window.shut();
    consumer.join();
    ASSERT_EQ(left, late);
  }
}

TEST(ReceiveWindow, NoticesWhoSendsMoreThanItsWindow) {
  ReceiveWindow window;
  uint32_t generation = window.open(2);
  EXPECT_TRUE(window.receive());
  EXPECT_TRUE(window.receive());
  window.giveBack(generation);
  EXPECT_TRUE(window.receive());
  EXPECT_FALSE(window.receive());
}

}  // namespace
}  // namespace verbena::fabric::testing
