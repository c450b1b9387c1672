// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

#include "base/result.h"
#include "verbs/names.h"

namespace verbena::verbs {
namespace {

TEST(Error, NamesOperationObjectErrnoAndAdvice) {
  base::Error error{"register 4294967296 bytes", "mlx5_0", ENOMEM,
                    "locked-memory limit is 65536 bytes, raise it with 'ulimit -l'"};
  EXPECT_EQ(
      error.sentence(),
      "cannot register 4294967296 bytes on mlx5_0: ENOMEM; locked-memory limit is 65536 bytes, "
      "raise it with 'ulimit -l'");
}

TEST(Error, LeavesOutWhatItDoesNotHave) {
  EXPECT_EQ((base::Error{"poll", "cq 3", EIO, ""}.sentence()), "cannot poll on cq 3: EIO");
  EXPECT_EQ((base::Error{"choose a device", "", 0, "none is up"}.sentence()),
            "cannot choose a device: none is up");
}

TEST(Error, NamesAnErrnoWithoutANameByItsNumber) {
  EXPECT_EQ(base::errorName(100000), "errno 100000");
}

TEST(Result, HoldsAMoveOnlyValue) {
  base::Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  ASSERT_TRUE(result.ok());
  std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, HoldsTheErrorInPlaceOfAValue) {
  base::Result<int> result = base::Error{"count", "", EINVAL, ""};
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, EINVAL);
}

TEST(Names, WritesMappedGidsAsIpv4) {
  ibv_gid gid{};
  gid.raw[10] = gid.raw[11] = 0xff;
  gid.raw[12] = 10;
  gid.raw[13] = 99;
  gid.raw[15] = 1;
  EXPECT_EQ(gidText(gid), "10.99.0.1");
}

TEST(Names, WritesOtherGidsAsIpv6) {
  ibv_gid gid{};
  gid.raw[0] = 0xfe;
  gid.raw[1] = 0x80;
  gid.raw[15] = 1;
  EXPECT_EQ(gidText(gid), "fe80::1");
}

TEST(Names, KnowsTheBytesOfEveryMtu) {
  EXPECT_EQ(mtuBytes(IBV_MTU_256), 256U);
  EXPECT_EQ(mtuBytes(IBV_MTU_1024), 1024U);
  EXPECT_EQ(mtuBytes(IBV_MTU_4096), 4096U);
  EXPECT_EQ(mtuBytes(static_cast<ibv_mtu>(0)), 0U);
}

}  // namespace
}  // namespace verbena::verbs
