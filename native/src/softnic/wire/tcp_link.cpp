// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/tcp_link.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/clock.h"
#include "softnic/memory/port_memory.h"

namespace verbena::softnic {
namespace {

constexpr uint16_t kDefaultBasePort = 24740;
constexpr int kPeerSilentMs = 10'000;  // bytes unacknowledged for so long: the host is gone
constexpr int kProbeAfterSeconds = 5;  // of silence, so that it is found out without such bytes too

bool parseAddress(const std::string& text, in6_addr& into) {
  return inet_pton(AF_INET6, text.c_str(), &into) == 1 ||
         inet_pton(AF_INET6, ("::ffff:" + text).c_str(), &into) == 1;
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

/// Sends what the socket takes. 0 for nothing now, -1 for never again.
ssize_t sendSome(int socket, const void* bytes, size_t count) {
  ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) return sent;
  return wouldBlock() || errno == ENOTCONN || errno == EINPROGRESS ? 0 : -1;
}

}  // namespace

bool hungUp(const base::FileDescriptor& socket) {
  pollfd look{socket.get(), POLLRDHUP, 0};  // poll() passes over a descriptor that is none
  return poll(&look, 1, 0) == 1;
}

std::optional<TcpPlace> TcpPlace::fromEnvironment(bool& valid) {
  valid = true;
  const char* text = std::getenv("VERBENA_SOFTNIC_TCP");
  if (text == nullptr || *text == 0) return std::nullopt;
  std::string address = text;
  TcpPlace place;
  place.basePort = kDefaultBasePort;
  // An IPv6 address with a port stands in brackets.
  size_t colon = address.rfind(':');
  bool hasPort =
      colon != std::string::npos && (address.find(':') == colon || address[colon - 1] == ']');
  if (hasPort) {
    unsigned long base = std::strtoul(address.c_str() + colon + 1, nullptr, 10);
    valid = base > 0 && base < 65536;
    place.basePort = static_cast<uint16_t>(base);
    address.resize(colon);
  }
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  valid = valid && parseAddress(address, place.address);
  if (!valid) return std::nullopt;
  return place;
}

ibv_gid TcpPlace::gid() const {
  ibv_gid gid;
  std::memcpy(gid.raw, &address, sizeof gid.raw);
  return gid;
}

base::FileDescriptor listenAt(const TcpPlace& place, uint32_t slot) {
  if (place.basePort + slot > 65535) {
    errno = EADDRNOTAVAIL;
    return {};
  }
  base::FileDescriptor made = openSocket();
  sockaddr_in6 address = socketAddress(place.address, place.basePort + slot);
  if (bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  if (listen(made.get(), 64) != 0) return {};
  return made;
}

std::unique_ptr<TcpLink> TcpLink::dial(const Hello& own, const ibv_gid& gid, uint32_t slot,
                                       uint16_t basePort) {
  std::unique_ptr<TcpLink> link(new TcpLink());
  link->slot_ = slot;
  link->peerGid = gid;
  link->hello_ = own;
  link->helloLeft_ = sizeof(Hello);
  link->outbound_ = openSocket();
  if (!link->outbound_) return nullptr;
  in6_addr address;
  std::memcpy(&address, gid.raw, sizeof address);
  sockaddr_in6 to = socketAddress(address, basePort + slot);
  int rc = connect(link->outbound_.get(), reinterpret_cast<sockaddr*>(&to), sizeof to);
  if (rc != 0 && errno != EINPROGRESS) return nullptr;
  link->outRing_ = std::make_unique<RingMemory>();
  link->out = RingWriter(link->outRing_.get());
  return link;
}

void TcpLink::accept(base::FileDescriptor socket, uint64_t incarnation) {
  inbound_ = std::move(socket);
  incarnation_ = incarnation;
  inRing_ = std::make_unique<RingMemory>();
  in = RingReader(inRing_.get());
  state = LinkState::Open;
}

void TcpLink::publish() {
  if (!canSend()) return;
  out.publish();
  if (outputWaits()) drain();
}

bool TcpLink::drainHello() {
  const auto* bytes = reinterpret_cast<const std::byte*>(&hello_) + sizeof(Hello) - helloLeft_;
  ssize_t sent = sendSome(outbound_.get(), bytes, helloLeft_);
  if (sent < 0) peerLeft();
  if (sent > 0) helloLeft_ -= static_cast<size_t>(sent);
  return helloLeft_ == 0;
}

/// Moves published bytes from the ring to the socket: here, we are the ring's reader.
void TcpLink::drain() {
  if (helloLeft_ != 0 && !drainHello()) return;
  uint64_t head = outRing_->head.load(std::memory_order_relaxed);
  uint64_t tail = outRing_->tail.load(std::memory_order_relaxed);
  while (head != tail) {
    uint64_t offset = head & (kRingCapacityBytes - 1);
    uint64_t count = std::min(tail - head, kRingCapacityBytes - offset);
    ssize_t sent = sendSome(outbound_.get(), outRing_->data + offset, count);
    if (sent < 0) peerLeft();
    if (sent <= 0) break;
    head += static_cast<uint64_t>(sent);
  }
  // Both ends of this ring are ours, under one lock: no order to keep.
  outRing_->head.store(head, std::memory_order_relaxed);
}

uint64_t TcpLink::room() const {
  if (!inRing_) return 0;
  return kRingCapacityBytes - (received_ - inRing_->head.load(std::memory_order_relaxed));
}

void TcpLink::receive() {
  while (canReceive() && !inputOver_ && room() != 0) {
    uint64_t offset = received_ & (kRingCapacityBytes - 1);
    uint64_t count = std::min(room(), kRingCapacityBytes - offset);
    ssize_t got = recv(inbound_.get(), inRing_->data + offset, count, MSG_DONTWAIT);
    if (got < 0 && wouldBlock()) break;
    if (got <= 0) {
      inputOver_ = true;
      peerLeft();
      break;
    }
    received_ += static_cast<uint64_t>(got);
    if (!admit()) state = LinkState::Dead;
    if (static_cast<uint64_t>(got) < count) break;
  }
}

/// Shows the reader what is complete. False if the bytes are not packets.
bool TcpLink::admit() {
  uint64_t tail = inRing_->tail.load(std::memory_order_relaxed);
  while (received_ - tail >= kPacketAlignment) {
    uint32_t sizeBytes;
    std::memcpy(&sizeBytes, inRing_->data + (tail & (kRingCapacityBytes - 1)), sizeof sizeBytes);
    // Padding at the end of the ring may be as long as the longest packet.
    if (sizeBytes < kPacketAlignment || sizeBytes > kMaxPacketBytes + kPacketAlignment)
      return false;
    if (received_ - tail < padded(sizeBytes)) break;
    tail += padded(sizeBytes);
  }
  inRing_->tail.store(tail, std::memory_order_relaxed);
  return true;
}

void TcpLink::checkPeer(uint64_t now) {
  if (canSend() && (hungUp(outbound_) || hungUp(inbound_))) peerLeft();
  if (state == LinkState::Ending && now >= endsAtNs_) state = LinkState::Dead;
}

/// Nothing more is sent, and the peer is told so: one that is a port of ours ends its side as well.
void TcpLink::beginEnd() {
  shutdown(outbound_.get(), SHUT_WR);
  endsAtNs_ = base::monotonicNs() + uint64_t{kPeerSilentMs} * 1'000'000;
}

}  // namespace verbena::softnic
