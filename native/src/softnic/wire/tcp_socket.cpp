// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/tcp_socket.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace verbena::softnic {
namespace {

constexpr uint16_t kDefaultBasePort = 24740;
constexpr uint32_t kLastPort = 65535;
constexpr int kProbeAfterSeconds = 5;  // of silence, so that it is found out without bytes, too

in6_addr addressOf(const ibv_gid& gid) {
  in6_addr address;
  std::memcpy(&address, gid.raw, sizeof address);
  return address;
}

bool parseAddress(const std::string& text, in6_addr& into) {
  return inet_pton(AF_INET6, text.c_str(), &into) == 1 ||
         inet_pton(AF_INET6, ("::ffff:" + text).c_str(), &into) == 1;
}

bool parsePort(const std::string& text, uint32_t& into) {
  const char* end = text.data() + text.size();
  auto [behind, failure] = std::from_chars(text.data(), end, into);
  return failure == std::errc() && behind == end && into > 0 && into <= kLastPort;
}

/// "PORT" or "PORT-LAST"
bool parsePorts(const std::string& text, TcpPlace& place) {
  size_t dash = text.find('-');
  uint32_t first = 0;
  if (!parsePort(text.substr(0, dash), first)) return false;
  place.basePort = static_cast<uint16_t>(first);
  place.ports = kSlots;
  if (dash == std::string::npos) return true;
  uint32_t last = 0;
  if (!parsePort(text.substr(dash + 1), last) || last < first) return false;
  place.ports = last - first + 1;
  return true;
}

sockaddr_in6 socketAddress(const in6_addr& address, uint32_t port) {
  sockaddr_in6 made{};
  made.sin6_family = AF_INET6;
  made.sin6_addr = address;
  made.sin6_port = htons(static_cast<uint16_t>(port));
  return made;
}

/// What is set here, accepted connections have from their listener.
base::FileDescriptor openSocket() {
  base::FileDescriptor made(socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made) return made;
  int off = 0;
  int on = 1;
  setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(made.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(made.get(), IPPROTO_TCP, TCP_KEEPIDLE, &kProbeAfterSeconds, sizeof kProbeAfterSeconds);
  setsockopt(made.get(), IPPROTO_TCP, TCP_KEEPINTVL, &kProbeAfterSeconds,
             sizeof kProbeAfterSeconds);
  setsockopt(made.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kPeerSilentMs, sizeof kPeerSilentMs);
  return made;
}

bool wouldBlock() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

std::optional<TcpPlace> TcpPlace::parse(const std::string& text) {
  TcpPlace place;
  place.basePort = kDefaultBasePort;
  place.ports = kSlots;
  std::string address = text;
  // An IPv6 address with a port stands in brackets.
  size_t colon = text.rfind(':');
  bool hasPort = colon != std::string::npos && colon != 0 &&
                 (text.find(':') == colon || text[colon - 1] == ']');
  if (hasPort) {
    if (!parsePorts(text.substr(colon + 1), place)) return std::nullopt;
    address.resize(colon);
  }
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  if (!parseAddress(address, place.address)) return std::nullopt;
  return place;
}

ibv_gid TcpPlace::gid() const {
  ibv_gid gid;
  std::memcpy(gid.raw, &address, sizeof gid.raw);
  return gid;
}

base::FileDescriptor listenAt(const TcpPlace& place, uint32_t slot) {
  if (slot >= place.ports || place.basePort + slot > kLastPort) {
    errno = EADDRNOTAVAIL;
    return {};
  }
  base::FileDescriptor made = openSocket();
  sockaddr_in6 address = socketAddress(place.address, place.basePort + slot);
  if (bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  if (listen(made.get(), 64) != 0) return {};
  return made;
}

/// The far side takes nobody who comes from another address than said, and the system, left to
/// itself, may choose another one of this host's.
base::FileDescriptor dialTcp(const ibv_gid& from, const ibv_gid& to, uint32_t port) {
  base::FileDescriptor made = openSocket();
  if (!made) return {};
  int on = 1;
  setsockopt(made.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  sockaddr_in6 own = socketAddress(addressOf(from), 0);
  if (bind(made.get(), reinterpret_cast<sockaddr*>(&own), sizeof own) != 0) return {};
  sockaddr_in6 far = socketAddress(addressOf(to), port);
  int rc = connect(made.get(), reinterpret_cast<sockaddr*>(&far), sizeof far);
  if (rc != 0 && errno != EINPROGRESS) return {};
  return made;
}

bool hungUp(const base::FileDescriptor& socket) {
  pollfd look{socket.get(), POLLRDHUP, 0};  // poll() passes over a descriptor that is none
  return poll(&look, 1, 0) == 1;
}

ssize_t sendSome(const base::FileDescriptor& socket, const void* bytes, size_t count) {
  ssize_t sent = send(socket.get(), bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) return sent;
  return wouldBlock() ? 0 : -1;
}

ssize_t receiveSome(const base::FileDescriptor& socket, void* into, size_t count) {
  ssize_t got = recv(socket.get(), into, count, MSG_DONTWAIT);
  if (got > 0) return got;
  if (got < 0) return wouldBlock() ? 0 : -1;
  errno = 0;
  return -1;
}

}  // namespace verbena::softnic
