// SPDX-License-Identifier: Apache-2.0
#include "job/sockets.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "base/clock.h"
#include "job/contract.h"

namespace verbena::job {
namespace {

/// How long an address is tried while there is another one. It comes to its turn again.
constexpr uint64_t kTrialNs = 2'000 * base::kNsPerMs;

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

base::Result<Addresses> resolve(const HostPort& at, bool toListen) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV | (toListen ? AI_PASSIVE : 0);
  addrinfo* found = nullptr;
  const char* host = at.host.empty() ? nullptr : at.host.c_str();
  int failure = getaddrinfo(host, std::to_string(at.port).c_str(), &wanted, &found);
  if (failure == 0) return Addresses(found, freeaddrinfo);
  return base::Error{"resolve the name of the host", at.host, failure == EAI_SYSTEM ? errno : 0,
                     gai_strerror(failure)};
}

size_t countOf(const addrinfo* addresses) {
  size_t count = 0;
  for (const addrinfo* each = addresses; each != nullptr; each = each->ai_next) count++;
  return count;
}

base::FileDescriptor socketFor(const addrinfo& address) {
  int type = address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
  return base::FileDescriptor(socket(address.ai_family, type, address.ai_protocol));
}

void set(const base::FileDescriptor& socket, int level, int option, int value) {
  setsockopt(socket.get(), level, option, &value, sizeof value);
}

/// Empty and errno on failure.
base::FileDescriptor listenAt(const addrinfo& address) {
  base::FileDescriptor socket = socketFor(address);
  if (!socket) return {};
  set(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.ai_family == AF_INET6) set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0) return {};
  if (listen(socket.get(), SOMAXCONN) != 0) return {};
  return socket;
}

int leftMs(uint64_t deadlineNs) {
  uint64_t now = base::monotonicNs();
  return deadlineNs <= now ? 0 : static_cast<int>((deadlineNs - now) / base::kNsPerMs + 1);
}

/// Empty and errno on failure.
base::FileDescriptor connectTo(const addrinfo& address, uint64_t deadlineNs) {
  base::FileDescriptor socket = socketFor(address);
  if (!socket) return {};
  if (connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return socket;
  if (errno != EINPROGRESS) return {};
  pollfd waited{socket.get(), POLLOUT, 0};
  int failure = ETIMEDOUT;
  while (leftMs(deadlineNs) > 0 && poll(&waited, 1, leftMs(deadlineNs)) <= 0) {
  }
  socklen_t bytes = sizeof failure;
  if (waited.revents != 0) getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &failure, &bytes);
  if (failure == 0) return socket;
  errno = failure;
  return {};
}

}  // namespace

std::string HostPort::text() const {
  bool isIpv6 = host.find(':') != std::string::npos;
  return (isIpv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

base::Result<base::FileDescriptor> listenAt(const HostPort& at) {
  auto addresses = resolve(at, true);
  if (!addresses) return addresses.error();
  int failure = 0;
  // Of all addresses of this host, that of IPv6 takes both kinds: it is tried first.
  for (bool ipv6 : {true, false}) {
    for (const addrinfo* each = addresses->get(); each != nullptr; each = each->ai_next) {
      if ((each->ai_family == AF_INET6) != ipv6) continue;
      if (base::FileDescriptor socket = listenAt(*each)) return socket;
      // EAFNOSUPPORT of one kind says nothing of the other.
      if (failure == 0 || errno != EAFNOSUPPORT) failure = errno;
    }
  }
  std::string advice = std::string("choose another port by ") + kPort;
  return base::Error{"listen for the other ranks", at.text(), failure,
                     failure == EADDRINUSE ? advice : ""};
}

uint16_t portOf(const base::FileDescriptor& listener) {
  sockaddr_storage at{};
  socklen_t bytes = sizeof at;
  getsockname(listener.get(), reinterpret_cast<sockaddr*>(&at), &bytes);
  return ntohs(at.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(at).sin6_port
                                        : reinterpret_cast<sockaddr_in&>(at).sin_port);
}

std::string hostOf(const sockaddr_storage& address) {
  std::array<char, NI_MAXHOST> host{};
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), sizeof address, host.data(), host.size(),
              nullptr, 0, NI_NUMERICHOST);
  return host.data();
}

base::FileDescriptor connectToAny(const addrinfo* addresses, uint64_t deadlineNs) {
  errno = ETIMEDOUT;
  size_t left = countOf(addresses);
  for (const addrinfo* each = addresses; each != nullptr; each = each->ai_next, left--) {
    uint64_t now = base::monotonicNs();
    uint64_t leftNs = deadlineNs > now ? deadlineNs - now : 0;
    uint64_t trialNs = left == 1 ? leftNs : std::min(leftNs / left, kTrialNs);
    if (base::FileDescriptor socket = connectTo(*each, now + trialNs)) return socket;
  }
  return {};
}

base::Result<base::FileDescriptor> connectTo(const HostPort& to, uint64_t deadlineNs,
                                             uint64_t mostNs) {
  auto addresses = resolve(to, false);
  if (!addresses) return addresses.error();
  uint64_t now = base::monotonicNs();
  uint64_t endsNs = mostNs < UINT64_MAX - now ? std::min(deadlineNs, now + mostNs) : deadlineNs;
  if (base::FileDescriptor socket = connectToAny(addresses->get(), endsNs)) return socket;
  int failure = errno;
  return base::Error{"connect", to.text(), failure, ""};
}

base::Result<Stream> streamOver(base::FileDescriptor socket) {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 5);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 20'000);
  base::FileDescriptor copy(fcntl(socket.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) return base::Error{"open a stream", "", errno, "raise the limit with 'ulimit -n'"};
  return Stream(std::move(socket), std::move(copy));
}

}  // namespace verbena::job
