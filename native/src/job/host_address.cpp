// SPDX-License-Identifier: Apache-2.0
#include "job/host_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <sstream>

namespace verbena::job {
namespace {

struct Network {
  int family;
  std::array<unsigned char, 16> bytes{};
  unsigned bits;
};

std::optional<Network> parse(const std::string& text) {
  size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  std::string address = text.substr(0, slash);
  Network network{address.find(':') == std::string::npos ? AF_INET : AF_INET6, {}, 0};
  const char* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data() + slash + 1, end, network.bits);
  unsigned most = network.family == AF_INET ? 32 : 128;
  if (failure != std::errc{} || rest != end || network.bits > most) return std::nullopt;
  if (inet_pton(network.family, address.c_str(), network.bytes.data()) != 1) return std::nullopt;
  return network;
}

const void* bytesOf(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    return &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  }
  return &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
}

bool has(const Network& network, const sockaddr* address) {
  if (address->sa_family != network.family) return false;
  const auto* bytes = static_cast<const unsigned char*>(bytesOf(address));
  for (unsigned bit = 0; bit < network.bits; bit++) {
    unsigned mask = 0x80U >> bit % 8;
    if (((bytes[bit / 8] ^ network.bytes[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

bool isLinkLocal(const sockaddr* address) {
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

std::string textOf(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text;
  inet_ntop(address->sa_family, bytesOf(address), text.data(), text.size());
  return text.data();
}

struct Wanted {
  std::string interface;
  std::optional<Network> network;

  bool fits(const ifaddrs& each) const {
    if (network) return has(*network, each.ifa_addr);
    if (!interface.empty()) return interface == each.ifa_name;
    return (each.ifa_flags & IFF_LOOPBACK) == 0;
  }
};

/// One that is up may lead nowhere: a bridge without members, a card without its cable.
constexpr unsigned kAtWork = IFF_UP | IFF_RUNNING;

/// IPv4 first.
std::optional<std::string> find(const Wanted& wanted) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return std::nullopt;
  std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(all, freeifaddrs);
  for (int family : {AF_INET, AF_INET6}) {
    for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
      bool isUsable = each->ifa_addr != nullptr && each->ifa_addr->sa_family == family &&
                      (each->ifa_flags & kAtWork) == kAtWork && !isLinkLocal(each->ifa_addr);
      if (isUsable && wanted.fits(*each)) return textOf(each->ifa_addr);
    }
  }
  return std::nullopt;
}

/// Its third word is the address of this side.
std::string reachedBySsh(const char* connection) {
  std::istringstream words(connection);
  std::string word;
  for (int i = 0; i < 3; i++) words >> word;
  return word;
}

}  // namespace

base::Result<std::string> hostAddress(const std::string& wanted, const char* sshConnection) {
  if (wanted.empty() && sshConnection != nullptr) return reachedBySsh(sshConnection);
  std::optional<std::string> found = find({wanted, parse(wanted)});
  if (found) return *found;
  return base::Error{"choose an address to listen at", wanted, 0,
                     wanted.empty()
                         ? "no network is up"
                         : "no interface that is up has this name, or an address in this "
                           "network"};
}

}  // namespace verbena::job
