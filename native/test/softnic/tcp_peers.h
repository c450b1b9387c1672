// SPDX-License-Identifier: Apache-2.0
//
// What speaks to a port over TCP and is none: bare connections, and peers made of them.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "over_tcp.h"
#include "processes.h"
#include "softnic/device/context.h"
#include "softnic/memory/port_memory.h"
#include "softnic/wire/tcp_link.h"

namespace verbena::softnic::testing {

inline Address tcpAddressOf(const End& end) {
  Address address = addressOf(end);
  address.gid = must(end.context.queryGid(1, 1)).gid;
  return address;
}

/// A bare connection, made by no port.
inline base::FileDescriptor connectToPort(uint32_t port) {
  base::FileDescriptor made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<uint16_t>(port));
  EXPECT_EQ(connect(made.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  return made;
}

/// What anybody at its address can say.
inline Hello helloOf(const End& end, uint32_t slot, uint64_t incarnation = 4711) {
  return {kHelloMagic, incarnation, slot, 0, tcpAddressOf(end).gid};
}

/// A peer of an end's port, made of bare sockets: it does what a test wants, and nothing else.
class BarePeer {
 public:
  BarePeer(const End& end, uint32_t slot) : end_(end), slot_(slot) {
    bool valid = false;
    place_ = *TcpPlace::fromEnvironment(valid);
    listener_ = listenAt(place_, slot);
    EXPECT_TRUE(listener_);
  }

  /// Of a queue pair that it might have.
  Address address() const { return {tcpAddressOf(end_).gid, qpnOf(slot_, kFirstQpIndex), 0, 0}; }

  /// Takes the connection that the end has dialled.
  void takeConnection() {
    pollfd look{listener_.get(), POLLIN, 0};
    ASSERT_EQ(poll(&look, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())), 1);
    fromEnd_ = base::FileDescriptor(accept(listener_.get(), nullptr, nullptr));
    ASSERT_TRUE(fromEnd_);
  }
  void closeConnection() { fromEnd_ = base::FileDescriptor(); }

  /// Dials the end and says who it is.
  void introduce(uint64_t incarnation = 4711) {
    toEnd_.push_back(connectToPort(place_.basePort + slotOf(end_.qp.qpNum())));
    Hello hello = helloOf(end_, slot_, incarnation);
    ASSERT_EQ(send(toEnd_.back().get(), &hello, sizeof hello, 0), ssize_t{sizeof hello});
  }

 private:
  const End& end_;
  uint32_t slot_;
  TcpPlace place_;
  base::FileDescriptor listener_;
  base::FileDescriptor fromEnd_;
  std::vector<base::FileDescriptor> toEnd_;
};

}  // namespace verbena::softnic::testing
