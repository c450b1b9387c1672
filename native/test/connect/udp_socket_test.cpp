// SPDX-License-Identifier: Apache-2.0
#include "connect/udp_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>

#include "live_node.h"

namespace verbena::connect::testing {
namespace {

/// As a kernel that was started with ipv6.disable=1.
int withoutIpv6(int family, int type) {
  if (family == AF_INET) return UdpSocket::askSystem(family, type);
  errno = EAFNOSUPPORT;
  return -1;
}

TEST(UdpSocketWithoutIpv6, ServesIpv4WhereAnyAddressIsAskedFor) {
  auto any = UdpSocket::open("[::]:0", withoutIpv6);
  ASSERT_TRUE(any) << any.error().sentence();
  EXPECT_EQ((*any)->families(), AF_INET);
  auto other = UdpSocket::open("127.0.0.1:0");
  ASSERT_TRUE(other);
  Address to = (*any)->local();
  EXPECT_EQ(to.text().rfind("0.0.0.0:", 0), 0U) << to.text();
  ASSERT_NE(to.port, 0);
  std::byte word{42};
  ASSERT_EQ((*other)->send(*Address::numeric({"127.0.0.1", to.port}), {&word, 1}), 0);
  std::byte heard{0};
  EXPECT_TRUE(eventually([&] {
    (*any)->receive(1, [&](const Address&, std::span<const std::byte> bytes) { heard = bytes[0]; });
    return heard == word;
  }));
}

TEST(UdpSocketWithoutIpv6, KeepsThePort) {
  for (int tries = 0; tries < 100; tries++) {  // somebody else may take it first
    auto free = UdpSocket::open("127.0.0.1:0");
    ASSERT_TRUE(free);
    uint16_t port = (*free)->local().port;
    free->reset();
    auto any = UdpSocket::open("[::]:" + std::to_string(port), withoutIpv6);
    if (any) {
      EXPECT_EQ((*any)->local().port, port);
      return;
    }
    ASSERT_EQ(any.error().code, EADDRINUSE) << any.error().sentence();
  }
  FAIL() << "each of 100 ports was taken";
}

TEST(UdpSocketWithoutIpv6, SaysThatNoIpv6AddressIsReached) {
  auto any = UdpSocket::open("[::]:0", withoutIpv6);
  ASSERT_TRUE(any) << any.error().sentence();
  std::byte word{42};
  EXPECT_EQ((*any)->send(*Address::parse("[2001:db8::1]:7"), {&word, 1}), ENETUNREACH);
}

TEST(UdpSocketWithoutIpv6, RefusesAnIpv6AddressThatIsAskedForByItself) {
  auto one = UdpSocket::open("[::1]:0", withoutIpv6);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, EAFNOSUPPORT);
}

}  // namespace
}  // namespace verbena::connect::testing
