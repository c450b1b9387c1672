// SPDX-License-Identifier: Apache-2.0
//
// Where a node is: an internet address and a port.
#pragma once

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace verbena::connect {

/// "host:port" or "[v6]:port", taken apart.
struct HostAndPort {
  std::string host;
  uint16_t port = 0;

  /// Empty if it is neither. A numeric IPv6 address needs its brackets.
  static std::optional<HostAndPort> parse(const std::string& text);
  /// What is the matter with a text that parse() does not take, behind "it ".
  static std::string fault(const std::string& text);

  friend bool operator==(const HostAndPort&, const HostAndPort&) = default;
};

/// A numeric address. IPv4 addresses are kept as IPv6 ones, ::ffff:a.b.c.d.
struct Address {
  in6_addr ip{};
  uint32_t scope = 0;  ///< interface of a link-local address, else 0
  uint16_t port = 0;

  static std::optional<Address> parse(const std::string& text);
  static std::optional<Address> numeric(const HostAndPort& text);
  /// Of an IPv4 or IPv6 socket address.
  static std::optional<Address> of(const sockaddr* socketAddress);

  bool isIpv4() const;
  /// For a socket of this family. Returns the length, 0 for an IPv6 address and an IPv4 socket.
  socklen_t into(sockaddr_storage& storage, int family) const;
  std::string text() const;

  friend bool operator==(const Address& a, const Address& b);
};

struct AddressHash {
  size_t operator()(const Address& address) const;
};

}  // namespace verbena::connect
