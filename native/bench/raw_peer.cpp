// SPDX-License-Identifier: Apache-2.0
#include "raw_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <vector>

namespace verbena::bench {
namespace {

constexpr size_t kRoomBytes = 16 << 20;  // as much as the regions have
constexpr std::byte kLast{0xFF};

bool writeAll(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

/// @param flags MSG_DONTWAIT to ask again and again instead of sleeping
bool readAll(int socket, std::span<std::byte> bytes, int flags) {
  while (!bytes.empty()) {
    ssize_t count = recv(socket, bytes.data(), bytes.size(), flags);
    if (count < 0 && errno == EAGAIN) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

void sendAtOnce(int socket) {
  int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

[[noreturn]] void dieOfSocket(const char* tool, const char* what) {
  die(tool, std::string(what) + ": " + std::strerror(errno));
}

void serve(int socket, RawPeer::Does does, size_t bytes) {
  std::vector<std::byte> room(kRoomBytes);
  for (size_t at = 0;; at = (at + bytes) % (kRoomBytes / bytes * bytes)) {
    std::span<std::byte> message(room.data() + at, bytes);
    if (!readAll(socket, message, 0)) return;
    if (does == RawPeer::Does::answer && !writeAll(socket, message)) return;
    bool isDue = does == RawPeer::Does::take && message.front() == kLast;
    if (isDue && !writeAll(socket, message.first(1))) return;
  }
}

int newSocket() {
  return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

}  // namespace

RawPeer::RawPeer(const char* tool, Does does, size_t bytes, const FarHost* far) : tool_(tool) {
  int listener = newSocket();
  sockaddr_in where{};
  where.sin_family = AF_INET;
  inet_pton(AF_INET, far == nullptr ? "127.0.0.1" : FarHost::kNear, &where.sin_addr);
  auto* name = reinterpret_cast<sockaddr*>(&where);
  socklen_t length = sizeof where;
  if (bind(listener, name, length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, name, &length) != 0) {
    dieOfSocket(tool, "cannot listen");
  }
  timeval patience{30, 0};  // the far end may not come
  setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  peer_.emplace(tool, [&] {
    if (far != nullptr) far->enter();
    int there = newSocket();
    if (connect(there, name, length) != 0) dieOfSocket(tool, "no connection");
    sendAtOnce(there);
    serve(there, does, bytes);
  });
  socket_ = accept(listener, nullptr, nullptr);
  if (socket_ < 0) dieOfSocket(tool, "no connection");
  close(listener);
  sendAtOnce(socket_);
}

RawPeer::~RawPeer() {
  close(socket_);
}

void RawPeer::trip(std::span<std::byte> message) {
  if (!writeAll(socket_, message) || !readAll(socket_, message, MSG_DONTWAIT)) {
    die(tool_, "the far end of the socket is gone");
  }
}

void RawPeer::send(std::span<std::byte> message, bool isLast) {
  message.front() = isLast ? kLast : std::byte{0};
  std::byte answer{};
  if (!writeAll(socket_, message) || (isLast && !readAll(socket_, {&answer, 1}, MSG_DONTWAIT))) {
    die(tool_, "the far end of the socket is gone");
  }
}

}  // namespace verbena::bench
