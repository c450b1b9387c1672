// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "world.h"

namespace verbena::shmem {

void refuse(const std::string& sentence) {
  throw std::runtime_error(sentence);
}

namespace {

TEST(ShmemSettings, SizesHaveUnits) {
  EXPECT_EQ(bytesIn("1"), 1U);
  EXPECT_EQ(bytesIn("4096"), 4096U);
  EXPECT_EQ(bytesIn("16K"), 16U << 10);
  EXPECT_EQ(bytesIn("1.5m"), 3U << 19);
  EXPECT_EQ(bytesIn("2G"), size_t{2} << 30);
  EXPECT_EQ(bytesIn("3t"), size_t{3} << 40);
  for (const char* none : {"", "M", "-1", "1 M", "1MB", "0", "nan", "inf", "1e30", "much"}) {
    EXPECT_EQ(bytesIn(none), std::nullopt) << none;
  }
}

TEST(ShmemSettings, AnyValueSwitchesDebuggingOn) {
  EXPECT_EQ(Settings::secondsIn("3"), 3U);
  for (const char* none : {"0", "yes", "-1", "1s", "99999999999"}) {
    EXPECT_EQ(Settings::secondsIn(none), 10U) << none;
  }
}

}  // namespace
}  // namespace verbena::shmem
