// SPDX-License-Identifier: Apache-2.0
#include "job/host_address.h"

#include <gtest/gtest.h>

namespace verbena::job {
namespace {

TEST(HostAddress, IsWhereSshHasComeTo) {
  EXPECT_EQ(hostAddress("", "10.0.0.1 50000 10.0.0.2 22").value(), "10.0.0.2");
}

TEST(HostAddress, IsOfTheInterfaceThatIsNamed) {
  EXPECT_EQ(hostAddress("lo", "10.0.0.1 50000 10.0.0.2 22").value(), "127.0.0.1");
}

TEST(HostAddress, IsInTheNetworkThatIsGiven) {
  EXPECT_EQ(hostAddress("127.0.0.0/8", nullptr).value(), "127.0.0.1");
  EXPECT_EQ(hostAddress("127.0.0.1/32", nullptr).value(), "127.0.0.1");
  EXPECT_FALSE(hostAddress("127.0.0.0/32", nullptr));
}

TEST(HostAddress, ThatCannotBeIsNamed) {
  for (const char* wanted : {"no-such", "300.0.0.0/8", "127.0.0.0/33", "203.0.113.0/24"}) {
    auto found = hostAddress(wanted, nullptr);
    ASSERT_FALSE(found) << wanted;
    EXPECT_NE(found.error().sentence().find(wanted), std::string::npos);
  }
}

}  // namespace
}  // namespace verbena::job
