// SPDX-License-Identifier: Apache-2.0
#include "connect/udp_socket.h"

#include <linux/errqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

namespace verbena::connect {
namespace {

constexpr int kBufferBytes =
    4 << 20;  // a burst of a few thousand packets; the system may give less
constexpr int kType = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
constexpr size_t kBatch = 32;
constexpr size_t kLargest = 512;  // larger than a packet, so that one that is too long is seen

void setOption(int fd, int level, int name, int value) {
  setsockopt(fd, level, name, &value, sizeof value);
}

std::optional<Address> lookUp(const HostAndPort& listen) {
  std::optional<Address> numeric = Address::numeric(listen);
  if (numeric) return numeric;
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(listen.host.c_str(), nullptr, &hints, &found) != 0) return std::nullopt;
  std::optional<Address> address = Address::of(found->ai_addr);
  freeaddrinfo(found);
  if (address) address->port = listen.port;
  return address;
}

/// Who a packet on the error queue was meant for, and what became of it.
void report(msghdr& message, const sockaddr_storage& to, const UdpSocket::Bounced& bounced) {
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr;
       each = CMSG_NXTHDR(&message, each)) {
    bool isError = (each->cmsg_level == IPPROTO_IP && each->cmsg_type == IP_RECVERR) ||
                   (each->cmsg_level == IPPROTO_IPV6 && each->cmsg_type == IPV6_RECVERR);
    if (!isError) continue;
    sock_extended_err error;
    std::memcpy(&error, CMSG_DATA(each), sizeof error);
    std::optional<Address> address = Address::of(reinterpret_cast<const sockaddr*>(&to));
    if (address) bounced(*address, static_cast<int>(error.ee_errno));
  }
}

}  // namespace

int UdpSocket::askSystem(int family, int type) {
  return socket(family, type, 0);
}

base::Result<std::unique_ptr<UdpSocket>> UdpSocket::open(const std::string& listen,
                                                         MakeSocket makeSocket) {
  std::optional<HostAndPort> parts = HostAndPort::parse(listen);
  if (!parts) {
    return base::Error{"listen", listen, 0, "it " + HostAndPort::fault(listen)};
  }
  std::optional<Address> address = lookUp(*parts);
  if (!address) return base::Error{"listen", listen, 0, "no such host"};
  int family = address->isIpv4() ? AF_INET : AF_INET6;
  bool any = IN6_IS_ADDR_UNSPECIFIED(&address->ip);
  int fd = makeSocket(family, kType);
  if (fd < 0 && any && errno == EAFNOSUPPORT) {  // a kernel without IPv6 (ipv6.disable=1)
    family = AF_INET;
    address = Address::numeric({"0.0.0.0", parts->port});
    fd = makeSocket(family, kType);
  }
  if (fd < 0) return base::Error{"open a UDP socket for", listen, errno, ""};
  std::unique_ptr<UdpSocket> made(new UdpSocket(fd, family, any));
  made->configure();
  sockaddr_storage storage{};
  socklen_t length = address->into(storage, family);
  if (bind(fd, reinterpret_cast<sockaddr*>(&storage), length) != 0) {
    std::string advice = errno == EADDRINUSE      ? "another socket has this port"
                         : errno == EADDRNOTAVAIL ? "this machine does not have that address"
                                                  : "";
    return base::Error{"listen", listen, errno, advice};
  }
  return made;
}

void UdpSocket::configure() const {
  setOption(fd(), SOL_SOCKET, SO_RCVBUF, kBufferBytes);
  setOption(fd(), SOL_SOCKET, SO_SNDBUF, kBufferBytes);
  setOption(fd(), IPPROTO_IP, IP_RECVERR, 1);  // of an IPv6 socket: what it sends to IPv4 addresses
  if (family_ != AF_INET6) return;
  setOption(fd(), IPPROTO_IPV6, IPV6_RECVERR, 1);
  setOption(fd(), IPPROTO_IPV6, IPV6_V6ONLY, servesBoth() ? 0 : 1);
}

bool UdpSocket::servesBoth() const {
  return any_ && family_ == AF_INET6;
}

int UdpSocket::families() const {
  return servesBoth() ? AF_UNSPEC : family_;
}

Address UdpSocket::local() const {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  getsockname(fd(), reinterpret_cast<sockaddr*>(&storage), &length);
  return Address::of(reinterpret_cast<sockaddr*>(&storage)).value_or(Address{});
}

int UdpSocket::send(const Address& to, std::span<const std::byte> datagram) {
  sockaddr_storage storage{};
  socklen_t length = to.into(storage, family_);
  bool otherFamily = length == 0 || (to.isIpv4() && family_ == AF_INET6 && !any_);
  if (otherFamily) return any_ ? ENETUNREACH : EAFNOSUPPORT;
  auto* target = reinterpret_cast<sockaddr*>(&storage);
  int code = 0;
  // The first try may be told what became of an earlier packet to somebody else; the error queue
  // says it as well, and with the address.
  for (int tries = 0; tries < 2; tries++) {
    ssize_t sent =
        sendto(fd(), datagram.data(), datagram.size(), MSG_DONTWAIT | MSG_NOSIGNAL, target, length);
    if (sent >= 0) return 0;
    code = errno;
  }
  bool noRoom = code == EAGAIN || code == ENOBUFS || code == EINTR || code == ECONNREFUSED;
  return noRoom ? 0 : code;
}

void UdpSocket::receive(size_t limit, const Arrived& arrived) {
  std::array<std::array<std::byte, kLargest>, kBatch> bytes;
  std::array<sockaddr_storage, kBatch> from;
  std::array<iovec, kBatch> pieces;
  std::array<mmsghdr, kBatch> messages;
  for (size_t taken = 0; taken < limit;) {
    for (size_t i = 0; i < kBatch; i++) {
      pieces[i] = {bytes[i].data(), kLargest};
      messages[i] = {};
      messages[i].msg_hdr.msg_name = &from[i];
      messages[i].msg_hdr.msg_namelen = sizeof from[i];
      messages[i].msg_hdr.msg_iov = &pieces[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
    int count = recvmmsg(fd(), messages.data(), kBatch, MSG_DONTWAIT, nullptr);
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
      taken++;  // the fate of an earlier packet: the next call goes on
      continue;
    }
    if (count <= 0) return;
    for (size_t i = 0; i < static_cast<size_t>(count); i++) {
      std::optional<Address> sender = Address::of(reinterpret_cast<sockaddr*>(&from[i]));
      if (sender) arrived(*sender, std::span(bytes[i]).first(messages[i].msg_len));
    }
    if (static_cast<size_t>(count) < kBatch) return;
    taken += static_cast<size_t>(count);
  }
}

void UdpSocket::receiveErrors(const Bounced& bounced) {
  for (;;) {
    std::array<std::byte, kLargest> bytes;
    alignas(cmsghdr) std::array<std::byte, kLargest> control;
    sockaddr_storage to{};
    iovec piece{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_name = &to;
    message.msg_namelen = sizeof to;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(fd(), &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return;
    report(message, to, bounced);
  }
}

}  // namespace verbena::connect
