// SPDX-License-Identifier: Apache-2.0
//
// Connections that are cut while both ports live: the links go on, and nobody above notices.
#include <cerrno>
#include <cstdio>
#include <random>

#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

using std::chrono::milliseconds;

/// How a connection is cut.
enum class Cut : uint8_t { InOrder, Reset };

void cut(int fd, Cut how) {
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  if (fd < 0) return;
  if (how == Cut::InOrder) shutdown(fd, SHUT_RDWR);
  // Lets go of the connection, and the other end of it hears a reset.
  if (how == Cut::Reset) connect(fd, &nobody, sizeof nobody);
}

/// Cuts connections of two ends until it is told to stop, also such as are in their handshake.
class Cutter {
 public:
  Cutter(const End& left, const End& right)
      : thread_([&, this](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            cutOne(random_() % 2 == 0 ? left : right);
            std::this_thread::sleep_for(milliseconds(random_() % 10));
          }
        }) {}

 private:
  void cutOne(const End& end) {
    bool inHandshakesToo = random_() % 4 == 0;
    forEachTcpLink(end, [&](TcpLink& link) {
      Cut how = random_() % 2 == 0 ? Cut::InOrder : Cut::Reset;
      bool ours = random_() % 2 == 0;
      if (!ours) return cut(link.inboundFd(), how);
      if (link.outbound().isOpen() || inHandshakesToo) cut(link.outbound().fd(), how);
    });
  }

  std::mt19937 random_{20261124};
  std::jthread thread_;
};

/// With and without a key.
class SoftnicTcpCuts : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr uint64_t kBatch = 16;
  static constexpr size_t kBytes = 20000;  // more than one packet

  static EndOptions options() {
    EndOptions made = GetParam() ? keyed() : EndOptions{};
    made.qp.sendWorkRequests = kBatch;
    made.qp.receiveWorkRequests = kBatch;
    return made;
  }

  /// Neither the device's retries nor those of receivers that are not ready are there to help.
  static void connectBoth(const End& left, const End& right) {
    verbs::RtsAttributes rts{.timeout = 8, .retryCount = 0, .rnrRetry = 0};
    connectTo(left, tcpAddressOf(right), rts);
    connectTo(right, tcpAddressOf(left), rts);
  }

  /// A batch in both directions at once; memory is split into what is sent and what is received.
  static void exchangeBatch(const End& left, const End& right, unsigned seed) {
    for (const End* end : {&left, &right}) {
      for (uint64_t i = 0; i < kBatch; i++) {
        ASSERT_EQ(end->postReceive(i, kHalf + i * kBytes, kBytes), 0);
        fill(end->memory() + i * kBytes, kBytes, seed + static_cast<unsigned>(i));
      }
    }
    for (const End* end : {&left, &right}) {
      for (uint64_t i = 0; i < kBatch; i++) ASSERT_EQ(end->send(i, i * kBytes, kBytes), 0);
    }
    for (const End* end : {&left, &right}) {
      for (const ibv_wc& done : end->wait(2 * kBatch)) ASSERT_EQ(done.status, IBV_WC_SUCCESS);
      for (uint64_t i = 0; i < kBatch; i++) {
        ASSERT_TRUE(
            holds(end->memory() + kHalf + i * kBytes, kBytes, seed + static_cast<unsigned>(i)));
      }
    }
  }

  OverTcp tcp_;
  Folders folders_;

 private:
  static constexpr size_t kHalf = 1 << 19;
  static_assert(kBatch * kBytes <= kHalf);
};

TEST_P(SoftnicTcpCuts, UnderLoadInBothDirectionsLoseNothingAndRepeatNothing) {
  constexpr uint64_t kCuts = 100;
  End left(options());
  End right(options());
  connectBoth(left, right);
  exchangeBatch(left, right, 0);
  Cutter cutter(left, right);
  unsigned batches = 0;
  auto cuts = [&] { return countsOf(left).cuts + countsOf(right).cuts; };
  for (auto last = std::chrono::steady_clock::now() + kPatience;
       cuts() < kCuts && std::chrono::steady_clock::now() < last;) {
    ASSERT_NO_FATAL_FAILURE(exchangeBatch(left, right, ++batches)) << cuts() << " cuts";
  }
  EXPECT_GE(cuts(), kCuts) << batches << " batches";
  uint64_t resumed = countsOf(left).resumed + countsOf(right).resumed;
  EXPECT_GT(resumed, 0U);
  std::printf("%llu cuts, %llu resumed, %u batches\n", static_cast<unsigned long long>(cuts()),
              static_cast<unsigned long long>(resumed), batches);
}

TEST_P(SoftnicTcpCuts, WhileNothingIsUnderWayAreMended) {
  End left(options());
  End right(options());
  connectBoth(left, right);
  exchangeBatch(left, right, 1);
  for (Cut how : {Cut::InOrder, Cut::Reset}) {
    for (const End* end : {&left, &right}) {
      uint64_t before = countsOf(left).resumed + countsOf(right).resumed;
      forEachTcpLink(*end, [&](TcpLink& link) {
        cut(link.outbound().fd(), how);
        cut(link.inboundFd(), how);
      });
      EXPECT_TRUE(eventually(
          [&] { return countsOf(left).resumed + countsOf(right).resumed >= before + 2; }));
    }
  }
  exchangeBatch(left, right, 2);
}

INSTANTIATE_TEST_SUITE_P(, SoftnicTcpCuts, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "WithAKey" : "WithoutAKey"; });

/// A peer for each byte after which the accepting side's part of a handshake is cut.
TEST(SoftnicTcpHandshakes, CutAfterAnyByteBeginAnew) {
  OverTcp tcp;
  Folders folders;
  End end(keyed());
  setDownTime(end, kPatience);
  Proofs proofs(withKey().key);
  constexpr uint32_t kAcceptorsBytes = sizeof(Challenge) + sizeof(Answer);
  std::vector<std::unique_ptr<BarePeer>> peers;
  std::vector<base::FileDescriptor> calls;
  auto shake = [&](uint32_t index, uint32_t bytes) {
    base::FileDescriptor call = peers[index]->takeCall();
    Hello hello{};
    base::Digest proof{};
    Challenge challenge{kChallengeMagic, 4711, {}, kHasKey, 0};
    Answer answer{kAnswerMagic, Verdict::Accepted, 0, 0, {}};
    EXPECT_TRUE(receiveAll(call, hello));
    answer.proof = proofs.ofAcceptor(hello, challenge, answer);
    uint32_t ofChallenge = std::min<uint32_t>(bytes, sizeof challenge);
    EXPECT_EQ(send(call.get(), &challenge, ofChallenge, MSG_NOSIGNAL), ssize_t{ofChallenge});
    if (ofChallenge < sizeof challenge) return;
    EXPECT_TRUE(receiveAll(call, proof));
    EXPECT_EQ(proof, proofs.ofDialler(hello, challenge));
    uint32_t ofAnswer = bytes - ofChallenge;
    EXPECT_EQ(send(call.get(), &answer, ofAnswer, MSG_NOSIGNAL), ssize_t{ofAnswer});
    if (ofAnswer == sizeof answer) calls.push_back(std::move(call));
  };
  for (uint32_t i = 0; i < kAcceptorsBytes; i++) {
    peers.push_back(std::make_unique<BarePeer>(end, tcp.basePort(), i + 1));
    Context& context = contextOf(end.context.get());
    std::lock_guard guard(context.lock);
    ASSERT_NE(context.tcp->linkTo(tcpAddressOf(end).gid, i + 1), nullptr);
  }
  for (uint32_t i = 0; i < kAcceptorsBytes; i++) shake(i, i);
  for (uint32_t i = 0; i < kAcceptorsBytes; i++) shake(i, kAcceptorsBytes);
  EXPECT_TRUE(eventually([&] {
    uint32_t open = 0;
    forEachTcpLink(end, [&](TcpLink& link) { open += link.outbound().isOpen() ? 1 : 0; });
    return open == kAcceptorsBytes;
  }));
  EXPECT_EQ(countsOf(end).refusedKeys, 0U);
}

TEST(SoftnicTcpHandshakes, AnAnswerThatHasMoreThanWasSentEndsTheLink) {
  OverTcp tcp;
  Folders folders;
  End end;
  BarePeer peer(end, tcp.basePort(), 1);
  connectTo(end, peer.address(), {.timeout = 10, .retryCount = 1});
  base::FileDescriptor call = peer.takeCall();
  Challenge challenge{};
  base::Digest proof{};
  peer.challenge(call, challenge, kNoKey);
  ASSERT_TRUE(receiveAll(call, proof));
  ASSERT_TRUE(sendAll(call, Answer{kAnswerMagic, Verdict::Accepted, 0, 8, {}}));
  ASSERT_EQ(end.send(1, 0, 64), 0);
  EXPECT_EQ(end.waitOne().status, IBV_WC_RETRY_EXC_ERR);
}

/// The cut is seen by the port before that who listens there has another life than it had.
TEST(SoftnicTcpHandshakes, AnotherLifeIsNotGoneOnWith) {
  OverTcp tcp;
  Folders folders;
  End end;
  BarePeer peer(end, tcp.basePort(), 1);
  connectTo(end, peer.address(), {.timeout = 10, .retryCount = 1});
  peer.takeConnection();
  peer.livesAs(4712);
  peer.closeConnection();
  base::FileDescriptor call = peer.takeCall();
  Challenge challenge{};
  Hello hello = peer.challenge(call, challenge, kNoKey);
  EXPECT_EQ(hello.to.incarnation, 4711U);
  EXPECT_EQ(hello.flags, kResumes);
  ASSERT_EQ(end.send(1, 0, 64), 0);
  EXPECT_EQ(end.waitOne().status, IBV_WC_RETRY_EXC_ERR);
}

}  // namespace
}  // namespace verbena::softnic::testing
