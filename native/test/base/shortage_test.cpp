// SPDX-License-Identifier: Apache-2.0
#include "base/shortage.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>

namespace verbena::base::testing {
namespace {

TEST(Shortage, IsToldWithItsLimitAndHowToRaiseThat) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  EXPECT_EQ(adviceOnShortage(EMFILE),
            "this process may have " + std::to_string(limit.rlim_cur) +
                " descriptors open; raise that with 'ulimit -n', or close some");
  EXPECT_NE(adviceOnShortage(ENFILE).find("fs.file-max"), std::string::npos);
  std::string full = adviceOnShortage(ENOSPC, "/");
  EXPECT_EQ(full.find("/ has "), 0U) << full;
  EXPECT_NE(full.find(" bytes left; ask for less"), std::string::npos) << full;
  EXPECT_NE(adviceOnShortage(ENOSPC).find("that is /dev/shm"), std::string::npos);
  EXPECT_EQ(adviceOnShortage(ENOSPC, "/not/there").find("there is no room in /not/there; "), 0U);
}

TEST(Shortage, OtherErrorsAreNone) {
  for (int code : {0, EACCES, EINVAL, ENOENT}) EXPECT_EQ(adviceOnShortage(code, "/"), "") << code;
}

}  // namespace
}  // namespace verbena::base::testing
