// SPDX-License-Identifier: Apache-2.0
#include "host/yield.h"

#include <gtest/gtest.h>

namespace verbena::host {
namespace {

constexpr uint64_t kInVainNs = 300;
constexpr uint64_t kByOthersNs = 3'000;

TEST(Yield, ManyInVainEndInASleep) {
  YieldsInVain yields;
  for (int round = 0; round < 3; round++) {
    for (int i = 1; i < 32; i++) ASSERT_FALSE(yields.areMany(kInVainNs)) << i;
    ASSERT_TRUE(yields.areMany(kInVainNs));
  }
}

TEST(Yield, OneThatAnotherThreadUsedBeginsAnew) {
  YieldsInVain yields;
  for (int i = 1; i < 32; i++) ASSERT_FALSE(yields.areMany(kInVainNs));
  ASSERT_FALSE(yields.areMany(kByOthersNs));
  for (int i = 1; i < 32; i++) ASSERT_FALSE(yields.areMany(kInVainNs)) << i;
  ASSERT_TRUE(yields.areMany(kInVainNs));
}

TEST(Yield, ManyThatOthersUsedEndInASleepToo) {
  YieldsInVain yields;
  int count = 1;
  while (!yields.areMany(kByOthersNs)) count++;
  EXPECT_EQ(count, 16'384);
}

}  // namespace
}  // namespace verbena::host
