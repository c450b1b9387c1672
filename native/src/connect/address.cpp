// SPDX-License-Identifier: Apache-2.0
#include "connect/address.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <charconv>
#include <cstring>
#include <functional>
#include <string_view>

namespace verbena::connect {
namespace {

/// What is no number has another error than one that is too large.
std::errc readPort(std::string_view text, uint16_t& port) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

std::optional<uint16_t> parsePort(std::string_view text) {
  uint16_t port = 0;
  return readPort(text, port) == std::errc() ? std::optional(port) : std::nullopt;
}

in6_addr mapped(const in_addr& ipv4) {
  in6_addr ip{};
  ip.s6_addr[10] = ip.s6_addr[11] = 0xff;
  std::memcpy(&ip.s6_addr[12], &ipv4, sizeof ipv4);
  return ip;
}

in_addr unmapped(const in6_addr& ip) {
  in_addr ipv4;
  std::memcpy(&ipv4, &ip.s6_addr[12], sizeof ipv4);
  return ipv4;
}

}  // namespace

std::optional<HostAndPort> HostAndPort::parse(const std::string& text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  std::optional<uint16_t> port = parsePort(std::string_view(text).substr(colon + 1));
  std::string host = text.substr(0, colon);
  bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (!port || (!bracketed && host.find_first_of(":[]") != std::string::npos)) return std::nullopt;
  if (bracketed) host = host.substr(1, host.size() - 2);
  return HostAndPort{host, *port};
}

std::string HostAndPort::fault(const std::string& text) {
  size_t colon = text.rfind(':');
  std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  uint16_t none = 0;
  if (readPort(port, none) == std::errc::result_out_of_range) {
    return "has the port " + port + "; a port is 0 to " + std::to_string(UINT16_MAX);
  }
  return "is neither \"host:port\" nor \"[v6]:port\"";
}

std::optional<Address> Address::numeric(const HostAndPort& text) {
  Address address;
  address.port = text.port;
  in_addr ipv4;
  if (inet_pton(AF_INET, text.host.c_str(), &ipv4) == 1) {
    address.ip = mapped(ipv4);
    return address;
  }
  size_t percent = text.host.find('%');
  if (percent != std::string::npos) {
    address.scope = if_nametoindex(text.host.c_str() + percent + 1);
    if (address.scope == 0) return std::nullopt;
  }
  std::string ip = text.host.substr(0, percent);
  if (inet_pton(AF_INET6, ip.c_str(), &address.ip) != 1) return std::nullopt;
  return address;
}

std::optional<Address> Address::parse(const std::string& text) {
  std::optional<HostAndPort> parts = HostAndPort::parse(text);
  return parts ? numeric(*parts) : std::nullopt;
}

std::optional<Address> Address::of(const sockaddr* socketAddress) {
  Address address;
  if (socketAddress->sa_family == AF_INET) {
    sockaddr_in ipv4;
    std::memcpy(&ipv4, socketAddress, sizeof ipv4);
    address.ip = mapped(ipv4.sin_addr);
    address.port = ntohs(ipv4.sin_port);
    return address;
  }
  if (socketAddress->sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 ipv6;
  std::memcpy(&ipv6, socketAddress, sizeof ipv6);
  address.ip = ipv6.sin6_addr;
  address.port = ntohs(ipv6.sin6_port);
  address.scope = ipv6.sin6_scope_id;
  return address;
}

bool Address::isIpv4() const {
  return IN6_IS_ADDR_V4MAPPED(&ip);
}

socklen_t Address::into(sockaddr_storage& storage, int family) const {
  if (family == AF_INET) {
    if (!isIpv4()) return 0;
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_addr = unmapped(ip);
    made.sin_port = htons(port);
    std::memcpy(&storage, &made, sizeof made);
    return sizeof made;
  }
  sockaddr_in6 made{};
  made.sin6_family = AF_INET6;
  made.sin6_addr = ip;
  made.sin6_port = htons(port);
  made.sin6_scope_id = scope;
  std::memcpy(&storage, &made, sizeof made);
  return sizeof made;
}

std::string Address::text() const {
  char digits[INET6_ADDRSTRLEN] = "";
  std::string end = ":";  // in two steps: GCC 12 at -O3 warns of the sum
  end += std::to_string(port);
  if (isIpv4()) {
    in_addr ipv4 = unmapped(ip);
    inet_ntop(AF_INET, &ipv4, digits, sizeof digits);
    return digits + end;
  }
  inet_ntop(AF_INET6, &ip, digits, sizeof digits);
  char interface[IF_NAMESIZE] = "";
  bool scoped = scope != 0 && if_indextoname(scope, interface) != nullptr;
  return std::string("[") + digits + (scoped ? "%" : "") + interface + "]" + end;
}

bool operator==(const Address& a, const Address& b) {
  return std::memcmp(&a.ip, &b.ip, sizeof a.ip) == 0 && a.scope == b.scope && a.port == b.port;
}

size_t AddressHash::operator()(const Address& address) const {
  std::string_view ip(reinterpret_cast<const char*>(&address.ip), sizeof address.ip);
  return std::hash<std::string_view>()(ip) * 31 + address.port;
}

}  // namespace verbena::connect
