// SPDX-License-Identifier: Apache-2.0
//
// The one UDP socket of a node.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "connect/address.h"

namespace verbena::connect {

/// So many packets to an address have to bounce before nobody is there: one may be a leftover of a
/// node that has just begun.
inline constexpr unsigned kBouncesToBelieve = 3;

class UdpSocket {
 public:
  using Arrived = std::function<void(const Address& from, std::span<const std::byte> datagram)>;
  using Bounced = std::function<void(const Address& to, int code)>;

  /// Makes a socket as socket(family, type, 0) does.
  using MakeSocket = int (*)(int family, int type);
  static int askSystem(int family, int type);

  /// Bound to "host:port" or "[v6]:port"; "[::]" serves IPv4 as well, and IPv4 alone where the
  /// system has no IPv6. A host name is looked up, which may block.
  static base::Result<std::unique_ptr<UdpSocket>> open(const std::string& listen,
                                                       MakeSocket makeSocket = askSystem);
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  int fd() const { return fd_.get(); }
  /// AF_INET, AF_INET6, or AF_UNSPEC for both.
  int families() const;
  Address local() const;

  /// Never blocks. 0, or an errno value if the packet cannot get there, EAFNOSUPPORT for an address
  /// of the family that is not served, ENETUNREACH for one of IPv6 where the system has none; one
  /// that the system has no room for is lost like any other.
  int send(const Address& to, std::span<const std::byte> datagram);
  /// Takes what has arrived, at most about `limit` packets, without blocking.
  void receive(size_t limit, const Arrived& arrived);
  /// Takes what the network says about packets that were sent.
  void receiveErrors(const Bounced& bounced);

 private:
  UdpSocket(int fd, int family, bool any) : fd_(fd), family_(family), any_(any) {}
  void configure() const;
  bool servesBoth() const;

  base::FileDescriptor fd_;
  int family_;
  bool any_;  ///< "[::]" was asked for
};

}  // namespace verbena::connect
