// SPDX-License-Identifier: Apache-2.0
//
// What speaks to a port over TCP and is none: bare connections, and peers made of them.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <thread>

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

inline verbs::Wiring withKey(const std::string& key = "the key of a cluster") {
  auto bytes = std::as_bytes(std::span(key));
  return {.key = std::vector<std::byte>(bytes.begin(), bytes.end())};
}

inline EndOptions keyed(const std::string& key = "the key of a cluster") {
  return {.wiring = withKey(key)};
}

/// Whether it comes true within kPatience.
template <typename Condition>
bool eventually(Condition condition) {
  using Clock = std::chrono::steady_clock;
  for (Clock::time_point last = Clock::now() + kPatience; Clock::now() < last;) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// What happened to the connections of an end.
inline TcpCounts countsOf(const End& end) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  return context.tcp->terms().counts;
}

/// A peer that is not to be reached counts as gone after this time, rather than after 15 seconds.
inline void setDownTime(const End& end, std::chrono::milliseconds time) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  context.tcp->terms().downNs = static_cast<uint64_t>(std::chrono::nanoseconds(time).count());
}

/// Calls use(link) for each link of an end over TCP, under the context's lock.
template <typename Use>
void forEachTcpLink(const End& end, Use use) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  for (const std::shared_ptr<Link>& link : context.links) {
    if (auto* tcp = dynamic_cast<TcpLink*>(link.get())) use(*tcp);
  }
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
inline base::FileDescriptor connectTo(const End& end, uint16_t basePort) {
  return connectToPort(basePort + slotOf(end.qp.qpNum()));
}

template <typename T>
bool sendAll(const base::FileDescriptor& to, const T& message) {
  return send(to.get(), &message, sizeof message, MSG_NOSIGNAL) == ssize_t{sizeof message};
}

/// False if the far side ends the connection before.
template <typename T>
bool receiveAll(const base::FileDescriptor& from, T& message) {
  return recv(from.get(), &message, sizeof message, MSG_WAITALL) == ssize_t{sizeof message};
}

/// What anybody at its address can say: that it is the port in `slot`.
inline Hello helloOf(const End& end, uint32_t slot, uint64_t incarnation = 4711) {
  Hello hello{};
  ibv_gid gid = tcpAddressOf(end).gid;  // all are at one address
  hello.magic = kHelloMagic;
  hello.from = {incarnation, slot, 0, gid};
  hello.to = {0, slotOf(end.qp.qpNum()), 0, gid};
  hello.nonce.fill(std::byte{7});
  return hello;
}

/// The dialling side of a handshake as a peer without a key, or with this one, goes through it.
/// Returns the answer; with no magic if there was none.
inline Answer introduce(const base::FileDescriptor& to, Hello hello, const Proofs& proofs) {
  hello.flags |= proofs.flags();
  Challenge challenge{};
  Answer answer{};
  bool heard = sendAll(to, hello) && receiveAll(to, challenge) &&
               sendAll(to, proofs.ofDialler(hello, challenge)) && receiveAll(to, answer);
  return heard ? answer : Answer{};
}
inline const Proofs kNoKey{{}};

/// A peer of an end's port, made of bare sockets: it does what a test wants, and nothing else.
class BarePeer {
 public:
  BarePeer(const End& end, uint16_t basePort, uint32_t slot)
      : end_(end), basePort_(basePort), slot_(slot) {
    TcpPlace place = *TcpPlace::parse("127.0.0.1:" + std::to_string(basePort));
    listener_ = listenAt(place, slot);
    EXPECT_TRUE(listener_);
  }

  /// Of a queue pair that it might have.
  Address address() const { return {tcpAddressOf(end_).gid, qpnOf(slot_, kFirstQpIndex), 0, 0}; }

  /// Takes a connection that the end has dialled, and nothing more.
  base::FileDescriptor takeCall() const {
    pollfd look{listener_.get(), POLLIN, 0};
    EXPECT_EQ(poll(&look, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())), 1);
    return base::FileDescriptor(accept(listener_.get(), nullptr, nullptr));
  }

  /// The accepting side's first half on a connection; returns the Hello. The nonce is `seed`'s.
  Hello challenge(const base::FileDescriptor& call, Challenge& sent, const Proofs& proofs) const {
    Hello hello{};
    EXPECT_TRUE(receiveAll(call, hello));
    sent = {kChallengeMagic, incarnation_, {}, proofs.flags(), 0};
    sent.nonce.fill(std::byte{9});
    EXPECT_TRUE(sendAll(call, sent));
    return hello;
  }

  /// Takes the connection that the end has dialled, as a port does.
  void takeConnection() {
    fromEnd_ = takeCall();
    Challenge sent{};
    challenge(fromEnd_, sent, kNoKey);
    base::Digest proof;
    ASSERT_TRUE(receiveAll(fromEnd_, proof));
    Answer answer{kAnswerMagic, Verdict::Accepted, 0, 0, {}};
    ASSERT_TRUE(sendAll(fromEnd_, answer));
  }
  void closeConnection() { fromEnd_ = base::FileDescriptor(); }

  /// Dials the end and says who it is; a place that is taken is not waited for.
  void say(uint64_t incarnation = 4711) {
    toEnd_.push_back(connectTo(end_, basePort_));
    Challenge challenge{};
    ASSERT_TRUE(sendAll(toEnd_.back(), helloOf(end_, slot_, incarnation)));
    ASSERT_TRUE(receiveAll(toEnd_.back(), challenge));
    ASSERT_TRUE(sendAll(toEnd_.back(), base::Digest{}));
  }
  void livesAs(uint64_t incarnation) { incarnation_ = incarnation; }

 private:
  const End& end_;
  uint16_t basePort_;
  uint32_t slot_;
  uint64_t incarnation_ = 4711;
  base::FileDescriptor listener_;
  base::FileDescriptor fromEnd_;
  std::vector<base::FileDescriptor> toEnd_;
};

}  // namespace verbena::softnic::testing
