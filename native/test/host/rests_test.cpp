// SPDX-License-Identifier: Apache-2.0
#include "host/rests.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace verbena::host {
namespace {

TEST(Rests, AreYieldsAtFirstAndSleepsLater) {
  Rests rests;
  int yields = 0;
  for (; !rests.areLong(); yields++) rests.take();
  EXPECT_EQ(yields, 64);
  for (int i = 0; i < 3; i++) {
    uint64_t begin = base::monotonicNs();
    rests.take();
    EXPECT_GE(base::monotonicNs() - begin, 50'000);
    EXPECT_TRUE(rests.areLong());
  }
}

}  // namespace
}  // namespace verbena::host
