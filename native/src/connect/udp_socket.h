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

#include "connect/address.h"
#include "verbs/result.h"

namespace verbena::connect {

class UdpSocket {
 public:
  using Arrived = std::function<void(const Address& from, std::span<const std::byte> datagram)>;
  using Bounced = std::function<void(const Address& to, int code)>;

  /// Bound to "host:port" or "[v6]:port"; "[::]" serves IPv4 as well. A host name is looked up,
  /// which may block.
  static verbs::Result<std::unique_ptr<UdpSocket>> open(const std::string& listen);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  int fd() const { return fd_; }
  /// AF_INET, AF_INET6, or AF_UNSPEC for both.
  int families() const;
  Address local() const;

  /// Never blocks. 0, or an errno value if the packet cannot get there, EAFNOSUPPORT for an address
  /// of the family that is not served; one that the system has no room for is lost like any other.
  int send(const Address& to, std::span<const std::byte> datagram);
  /// Takes what has arrived, at most about `limit` packets, without blocking.
  void receive(size_t limit, const Arrived& arrived);
  /// Takes what the network says about packets that were sent.
  void receiveErrors(const Bounced& bounced);

 private:
  UdpSocket(int fd, int family, bool both) : fd_(fd), family_(family), both_(both) {}
  void configure() const;

  int fd_;
  int family_;
  bool both_;
};

}  // namespace verbena::connect
