// SPDX-License-Identifier: Apache-2.0
#include "host/rests.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace verbena::host {
namespace {

/// A thread that yields goes on wanting its processor.
long sleepsOfThisThread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

TEST(Rests, AreYieldsAtFirstAndSleepsLater) {
  Rests rests;
  long before = sleepsOfThisThread();
  int yields = 0;
  for (; !rests.areLong(); yields++) rests.take();
  EXPECT_EQ(yields, 64);
  EXPECT_EQ(sleepsOfThisThread(), before);
  for (int i = 1; i <= 3; i++) {
    rests.take();
    EXPECT_EQ(sleepsOfThisThread(), before + i);
  }
}

}  // namespace
}  // namespace verbena::host
