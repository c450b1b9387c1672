// SPDX-License-Identifier: Apache-2.0
#include "silence.h"

#include <gtest/gtest.h>

namespace verbena::launch {
namespace {

TEST(SilenceOfAFarEnd, IsTooLongAfterTheLimitAndNotBefore) {
  Silence silence;
  EXPECT_FALSE(silence.isTooLong(1'000'000));
  silence.begin(1000, 5000);
  for (uint64_t now = 5000; now < 6000; now += 100) EXPECT_FALSE(silence.isTooLong(now)) << now;
  EXPECT_TRUE(silence.isTooLong(6000));
  silence.heard(6000);
  EXPECT_FALSE(silence.isTooLong(6300));
}

TEST(SilenceOfAFarEnd, IsNotJudgedByWhoHasNotLooked) {
  Silence silence;
  silence.begin(1000, 0);
  EXPECT_FALSE(silence.isTooLong(50'000));
  uint64_t now = 50'000;
  for (; now < 51'000; now += 200) EXPECT_FALSE(silence.isTooLong(now));
  EXPECT_TRUE(silence.isTooLong(now));
}

TEST(SilenceOfAFarEnd, IsBrokenByFiveSignsWithinTheLimit) {
  Silence silence;
  silence.begin(1000, 0);
  int signs = 0;
  for (uint64_t now = 0; now <= 1000; now++) signs += silence.signs(now) ? 1 : 0;
  EXPECT_EQ(signs, 5);
  EXPECT_LE(silence.due(), 1200U);
}

}  // namespace
}  // namespace verbena::launch
