// SPDX-License-Identifier: Apache-2.0
//
// What the tools tell of their rounds: the command line reads it (NativeFigures in tools/bench).
#include "../../bench/figure.h"

#include <gtest/gtest.h>

#include <string>

namespace verbena::bench {
namespace {

std::string told(const Figure& figure, bool json) {
  ::testing::internal::CaptureStdout();
  tell(figure, json);
  return ::testing::internal::GetCapturedStdout();
}

TEST(Figure, ToldAsJsonHasAllRounds) {
  Figure figure{"put, p50", 64, "softnic", "ns", {261.0, 270.0}};
  EXPECT_EQ(told(figure, true),
            "{\"measured\":\"put, p50\",\"size_bytes\":64,\"way\":\"softnic\",\"unit\":\"ns\","
            "\"values\":[261.0,270.0]}\n");
}

TEST(Figure, ToldAsJsonHasItsPartnersRounds) {
  Figure figure{"puts", 1024, "softnic", "B/s", {10.0}, "memcpy", {20.0}};
  EXPECT_EQ(told(figure, true),
            "{\"measured\":\"puts\",\"size_bytes\":1024,\"way\":\"softnic\",\"unit\":\"B/s\","
            "\"values\":[10.0],\"beside\":\"memcpy\",\"beside_values\":[20.0]}\n");
}

TEST(Figure, ToldToPeopleHasTheRatioOfEachPair) {
  // Of each: the ratio of the medians would be 1.
  Figure figure{"puts", 1024, "softnic", "B/s", {1e9, 2e9, 3e9}, "memcpy", {2e9, 4e9, 1e9}};
  std::string text = told(figure, false);
  EXPECT_NE(text.find("2.000 GB/s (1.000 to 3.000)  memcpy x 0.50 (0.50 to 3.00)"),
            std::string::npos)
      << text;
}

TEST(Figure, PairsTakeTurnsAndTheFirstDoNotCount) {
  Figure figure{"any", 1, "none", "ns"};
  std::string order;
  double rounds = 0;
  runPairs(
      figure,
      [&] {
        order += 'a';
        return ++rounds;
      },
      [&] {
        order += 'b';
        return -++rounds;
      });
  EXPECT_EQ(order.substr(0, 8), "abbaabba");
  EXPECT_EQ(order.size(), 2U * (kPairs + kWarmUpPairs));
  ASSERT_EQ(figure.values.size(), static_cast<size_t>(kPairs));
  ASSERT_EQ(figure.besideValues.size(), static_cast<size_t>(kPairs));
  EXPECT_EQ(figure.values.front(), 5);
  EXPECT_EQ(figure.besideValues.front(), -6);
}

TEST(Figure, RoundsAloneHaveNoPartners) {
  Figure figure{"any", 1, "none", "ns"};
  runRounds(figure, [] { return 1.0; });
  EXPECT_EQ(figure.values.size(), static_cast<size_t>(kPairs));
  EXPECT_TRUE(figure.besideValues.empty());
}

}  // namespace
}  // namespace verbena::bench
