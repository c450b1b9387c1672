// SPDX-License-Identifier: Apache-2.0
#include "addresses.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <charconv>
#include <cstring>
#include <memory>

#include "failure.h"

namespace verbena::ip {

std::string IpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> text;
  inet_ntop(family, raw.data(), text.data(), text.size());
  return text.data();
}

bool IpAddress::isLoopback() const {
  if (family == AF_INET) return raw[0] == 127;
  return std::memcmp(raw.data(), &in6addr_loopback, sizeof in6addr_loopback) == 0;
}

IpAddress IpAddress::parse(const std::string& option, const std::string& text) {
  IpAddress address;
  size_t slash = text.find('/');
  std::string host = text.substr(0, slash);
  address.family = host.find(':') == std::string::npos ? AF_INET : AF_INET6;
  unsigned most = address.family == AF_INET ? 32 : 128;
  unsigned prefix = 0;
  const char* end = text.data() + text.size();
  bool isGood = slash != std::string::npos &&
                inet_pton(address.family, host.c_str(), address.raw.data()) == 1;
  if (isGood) {
    auto [rest, failure] = std::from_chars(text.data() + slash + 1, end, prefix);
    isGood = failure == std::errc{} && rest == end && prefix >= 1 && prefix <= most;
  }
  if (!isGood) {
    fail(
        "take " + option, "", 0,
        "'" + text + "' is no address with the bits of its network, as 10.77.0.3/24 or fd00::3/64");
  }
  address.prefix = static_cast<uint8_t>(prefix);
  return address;
}

std::string Endpoint::text() const {
  bool isV6 = host.find(':') != std::string::npos;
  return (isV6 ? "[" + host + "]" : host) + ":" + port;
}

Endpoint Endpoint::parse(const std::string& text) {
  size_t colon = text.rfind(':');
  Endpoint endpoint;
  if (colon != std::string::npos) {
    endpoint = {text.substr(0, colon), text.substr(colon + 1)};
    bool isBracketed = endpoint.host.starts_with('[') && endpoint.host.ends_with(']');
    if (isBracketed) endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  }
  uint16_t number = 0;
  const char* end = endpoint.port.data() + endpoint.port.size();
  auto [rest, failure] = std::from_chars(endpoint.port.data(), end, number);
  bool isPort = failure == std::errc{} && rest == end && number != 0;
  if (endpoint.host.empty() || !isPort) {
    fail("take the address '" + text + "'", "", 0, "it is host:port or [v6]:port, a port of UDP");
  }
  return endpoint;
}

std::optional<IpAddress> Endpoint::asAddress() const {
  for (int family : {AF_INET, AF_INET6}) {
    IpAddress address{.family = family};
    if (inet_pton(family, host.c_str(), address.raw.data()) == 1) return address;
  }
  return std::nullopt;
}

IpAddress Endpoint::resolve() const {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  int failed = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (failed != 0) fail("find the host", host, 0, gai_strerror(failed));
  std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, freeaddrinfo);
  IpAddress address{.family = found->ai_family};
  if (address.family == AF_INET) {
    std::memcpy(address.raw.data(), &reinterpret_cast<sockaddr_in*>(found->ai_addr)->sin_addr, 4);
  } else {
    std::memcpy(address.raw.data(), &reinterpret_cast<sockaddr_in6*>(found->ai_addr)->sin6_addr,
                16);
  }
  return address;
}

}  // namespace verbena::ip
