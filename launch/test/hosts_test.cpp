// SPDX-License-Identifier: Apache-2.0
#include "hosts.h"

#include <gtest/gtest.h>

namespace verbena::launch {
namespace {

using Hosts = std::vector<Host>;

TEST(HostList, HasNamesAddressesAndSlots) {
  auto hosts = parseHosts("a:2,b,me@c.example:3,10.0.0.1,[::1]:4,[fe80::1],::1,a:1");
  ASSERT_TRUE(hosts) << hosts.error().sentence();
  EXPECT_EQ(
      *hosts,
      (Hosts{
          {"a", 3}, {"b", 1}, {"me@c.example", 3}, {"10.0.0.1", 1}, {"::1", 5}, {"fe80::1", 1}}));
}

TEST(HostList, ThatIsNoneIsRefused) {
  for (const char* list :
       {"", ",", "a,,b", "a:0", "a:x", "a:65537", "-oProxyCommand=x", "a b", "a;b", "$(x)"}) {
    EXPECT_FALSE(parseHosts(list)) << list;
  }
}

}  // namespace
}  // namespace verbena::launch
