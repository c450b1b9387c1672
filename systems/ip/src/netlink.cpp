// SPDX-License-Identifier: Apache-2.0
#include "netlink.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "failure.h"

namespace verbena::ip {
namespace {

constexpr const char* kNeedsAdmin = "it needs CAP_NET_ADMIN: run it as root";

/// A request: netlink's header, that of its kind, attributes.
class Request {
 public:
  template <typename Head>
  Request(uint16_t type, int flags, const Head& head) {
    nlmsghdr about{};
    about.nlmsg_type = type;
    about.nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
    add(&about, sizeof about);
    add(&head, sizeof head);
  }
  template <typename T>
  Request& with(uint16_t attribute, const T& value) {
    return with(attribute, std::span(reinterpret_cast<const uint8_t*>(&value), sizeof value));
  }
  Request& with(uint16_t attribute, std::span<const uint8_t> value) {
    rtattr about{};
    about.rta_len = static_cast<uint16_t>(RTA_LENGTH(value.size()));
    about.rta_type = attribute;
    add(&about, sizeof about);
    add(value.data(), value.size());
    return *this;
  }
  std::span<const std::byte> bytes() {
    auto length = static_cast<uint32_t>(bytes_.size());
    std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
    return bytes_;
  }

 private:
  void add(const void* from, size_t bytes) {
    auto start = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), start, start + bytes);
    bytes_.resize(NLMSG_ALIGN(bytes_.size()));
  }

  std::vector<std::byte> bytes_;
};

/// The value of an attribute that follows a head of so many bytes.
template <typename T>
std::optional<T> valueOf(std::span<const std::byte> answer, size_t head, uint16_t attribute) {
  size_t at = NLMSG_ALIGN(head);
  while (at + sizeof(rtattr) <= answer.size()) {
    rtattr about;
    std::memcpy(&about, answer.data() + at, sizeof about);
    if (about.rta_len < sizeof about || at + about.rta_len > answer.size()) break;
    if (about.rta_type == attribute) {
      T value{};  // of an older kernel it is shorter
      std::memcpy(&value, answer.data() + at + RTA_LENGTH(0),
                  std::min<size_t>(sizeof value, about.rta_len - RTA_LENGTH(0)));
      return value;
    }
    at += RTA_ALIGN(about.rta_len);
  }
  return std::nullopt;
}

}  // namespace

Netlink::Netlink() : socket_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
  if (!socket_) fail("ask the kernel for network interfaces", "", errno);
}

std::vector<std::byte> Netlink::ask(const std::string& operation,
                                    std::span<const std::byte> request) const {
  alignas(nlmsghdr) std::array<std::byte, 16'384> answer;
  ssize_t got = -1;
  if (send(socket_.get(), request.data(), request.size(), 0) >= 0) {
    got = recv(socket_.get(), answer.data(), answer.size(), 0);
  }
  if (got < static_cast<ssize_t>(sizeof(nlmsghdr))) fail(operation, "", errno);
  auto& about = *reinterpret_cast<nlmsghdr*>(answer.data());
  auto bytes = static_cast<size_t>(got);
  if (about.nlmsg_type != NLMSG_ERROR) {
    return {answer.begin() + NLMSG_HDRLEN, answer.begin() + static_cast<ptrdiff_t>(bytes)};
  }
  int error = -reinterpret_cast<nlmsgerr*>(answer.data() + NLMSG_HDRLEN)->error;
  if (error != 0) {
    errno = error;
    fail(operation, "", error, error == EPERM ? kNeedsAdmin : "");
  }
  return {};
}

InterfaceState Netlink::state(int interface) const {
  ifinfomsg head{};
  head.ifi_index = interface;
  auto answer = ask("read the state of an interface", Request(RTM_GETLINK, 0, head).bytes());
  InterfaceState state;
  state.mac = valueOf<Mac>(answer, sizeof head, IFLA_ADDRESS).value_or(Mac{});
  state.mtu = valueOf<uint32_t>(answer, sizeof head, IFLA_MTU).value_or(0);
  auto counts = valueOf<rtnl_link_stats64>(answer, sizeof head, IFLA_STATS64);
  if (counts) state.dropped = counts->tx_dropped;
  return state;
}

void Netlink::bringUp(int interface, const Mac& mac, uint32_t mtu, uint32_t queueLength) const {
  ifinfomsg head{};
  head.ifi_index = interface;
  std::string size = "set the MTU to " + std::to_string(mtu) + " and the address to " + nameOf(mac);
  ask(size, Request(RTM_NEWLINK, NLM_F_ACK, head)
                .with(IFLA_ADDRESS, mac)
                .with(IFLA_MTU, mtu)
                .with(IFLA_TXQLEN, queueLength)
                .bytes());
  head.ifi_flags = head.ifi_change = IFF_UP;
  ask("set the interface up", Request(RTM_NEWLINK, NLM_F_ACK, head).bytes());
}

void Netlink::addAddress(int interface, const IpAddress& address) const {
  ifaddrmsg head{};
  head.ifa_family = static_cast<uint8_t>(address.family);
  head.ifa_prefixlen = address.prefix;
  head.ifa_index = static_cast<uint32_t>(interface);
  ask("set the address " + address.text(),
      Request(RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE, head)
          .with(IFA_LOCAL, address.bytes())
          .with(IFA_ADDRESS, address.bytes())
          .bytes());
}

int Netlink::wayTo(const IpAddress& address) const {
  rtmsg head{};
  head.rtm_family = static_cast<uint8_t>(address.family);
  head.rtm_dst_len = address.family == AF_INET ? 32 : 128;
  try {
    auto answer = ask("find the way to " + address.text(),
                      Request(RTM_GETROUTE, 0, head).with(RTA_DST, address.bytes()).bytes());
    return valueOf<int>(answer, sizeof head, RTA_OIF).value_or(0);
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace verbena::ip
