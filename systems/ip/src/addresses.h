// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace verbena::ip {

/// An IP address, of either family; with how many bits of it are the network's.
struct IpAddress {
  int family = AF_UNSPEC;
  std::array<uint8_t, 16> raw{};
  uint8_t prefix = 0;

  std::span<const uint8_t> bytes() const {
    return std::span(raw).first(family == AF_INET ? 4 : 16);
  }
  std::string text() const;
  bool isLoopback() const;
  /// "10.77.0.3/24", "fd00::3/64". Throws Error, naming `option`.
  static IpAddress parse(const std::string& option, const std::string& text);
};

/// "host:port" or "[v6]:port", as nodes are reached.
struct Endpoint {
  std::string host;
  std::string port;

  std::string text() const;
  /// Throws Error.
  static Endpoint parse(const std::string& text);
  /// If the host is given by it.
  std::optional<IpAddress> asAddress() const;
  /// The first address of the host. Throws Error where it has none.
  IpAddress resolve() const;
};

}  // namespace verbena::ip
