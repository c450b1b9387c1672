// SPDX-License-Identifier: Apache-2.0
//
// Who gets onto the TCP wire: proofs of the cluster's key, guests, and what the unproven may do.
#include <cerrno>

#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

using std::chrono::milliseconds;

constexpr const char* kKey = "the key of a cluster";

Proofs proofsWith(const std::string& key) {
  return Proofs(withKey(key).key);
}

class SoftnicTcpKeys : public ::testing::Test {
 protected:
  base::FileDescriptor callTo(const End& end) const { return connectTo(end, tcp_.basePort()); }

  /// How many links an end has: rings are made for each.
  static size_t linksOf(const End& end) {
    size_t count = 0;
    forEachTcpLink(end, [&](TcpLink&) { count++; });
    return count;
  }

  static void connectBoth(const End& left, const End& right) {
    connectTo(left, tcpAddressOf(right), {.timeout = 10, .retryCount = 1});
    connectTo(right, tcpAddressOf(left), {.timeout = 10, .retryCount = 1});
  }

  static void expectExchange(const End& left, const End& right) {
    ASSERT_EQ(right.postReceive(1, 0, 64), 0);
    ASSERT_EQ(left.send(1, 0, 64), 0);
    EXPECT_EQ(right.waitOne().status, IBV_WC_SUCCESS);
    EXPECT_EQ(left.waitOne().status, IBV_WC_SUCCESS);
  }

  /// One that has gone the way of a dialling side reaches nothing with it, and makes no link.
  static void expectRefusal(const End& right, const EndOptions& options) {
    End left(options);
    connectTo(left, tcpAddressOf(right), {.timeout = 10, .retryCount = 1});
    ASSERT_EQ(left.send(1, 0, 64), 0);
    ibv_wc failed = left.waitOne();
    EXPECT_EQ(failed.status, IBV_WC_RETRY_EXC_ERR);
    EXPECT_EQ(failed.vendor_err, verbs::kOtherClusterKey);
    EXPECT_EQ(countsOf(left).refusedKeys, 1U);
    EXPECT_EQ(linksOf(right), 0U);
  }

  OverTcp tcp_;
  Folders folders_;
};

TEST_F(SoftnicTcpKeys, AWrongKeyIsRefusedAndCountedOnBothSides) {
  End right(keyed(kKey));
  expectRefusal(right, keyed("the key of another cluster"));
  EXPECT_EQ(countsOf(right).refusedKeys, 1U);
}

TEST_F(SoftnicTcpKeys, WhoHasNoKeyIsRefusedByWhoHasOne) {
  End right(keyed(kKey));
  expectRefusal(right, {});
}

TEST_F(SoftnicTcpKeys, WhoHasAKeyRefusesWhoHasNone) {
  End right;
  expectRefusal(right, keyed(kKey));
}

TEST_F(SoftnicTcpKeys, WhoEndsAnyWayIntoTheHandshakeLeavesNothing) {
  End right(keyed(kKey));
  Proofs proofs = proofsWith(kKey);
  for (size_t bytes = 0; bytes < sizeof(Hello) + sizeof(base::Digest); bytes++) {
    base::FileDescriptor caller = callTo(right);
    Hello hello = helloOf(right, 9);
    hello.flags = kHasKey;
    size_t ofHello = std::min(bytes, sizeof hello);
    ASSERT_EQ(send(caller.get(), &hello, ofHello, 0), static_cast<ssize_t>(ofHello));
    if (bytes <= sizeof hello) continue;
    Challenge challenge{};
    ASSERT_TRUE(receiveAll(caller, challenge));
    base::Digest proof = proofs.ofDialler(hello, challenge);
    size_t ofProof = bytes - sizeof hello;
    ASSERT_EQ(send(caller.get(), proof.data(), ofProof, 0), static_cast<ssize_t>(ofProof));
  }
  EXPECT_EQ(linksOf(right), 0U);
  End left(keyed(kKey));
  connectBoth(left, right);
  expectExchange(left, right);
}

/// Every byte comes in a packet of its own.
TEST_F(SoftnicTcpKeys, ASlowHandshakeIsWaitedFor) {
  End right(keyed(kKey));
  base::FileDescriptor caller = callTo(right);
  auto sendSlowly = [&](const auto& message) {
    for (std::byte each : std::as_bytes(std::span(&message, 1))) {
      ASSERT_TRUE(sendAll(caller, each));
      std::this_thread::sleep_for(milliseconds(1));
    }
  };
  Hello hello = helloOf(right, 9);
  hello.flags = kHasKey;
  sendSlowly(hello);
  Challenge challenge{};
  ASSERT_TRUE(receiveAll(caller, challenge));
  sendSlowly(proofsWith(kKey).ofDialler(hello, challenge));
  Answer answer{};
  ASSERT_TRUE(receiveAll(caller, answer));
  EXPECT_EQ(answer.verdict, Verdict::Accepted);
  EXPECT_EQ(answer.proof, proofsWith(kKey).ofAcceptor(hello, challenge, answer));
}

TEST_F(SoftnicTcpKeys, WhatWasSaidOnceCannotBeSaidAgain) {
  End right(keyed(kKey));
  Proofs proofs = proofsWith(kKey);
  Hello hello = helloOf(right, 9);
  hello.flags = kHasKey;
  base::Digest proof{};
  auto play = [&](bool genuine) {
    base::FileDescriptor caller = callTo(right);
    Challenge challenge{};
    Answer answer{};
    EXPECT_TRUE(sendAll(caller, hello) && receiveAll(caller, challenge));
    if (genuine) proof = proofs.ofDialler(hello, challenge);
    EXPECT_TRUE(sendAll(caller, proof) && receiveAll(caller, answer));
    return answer.verdict;
  };
  EXPECT_EQ(play(true), Verdict::Accepted);
  EXPECT_EQ(play(false), Verdict::OtherKey);
  EXPECT_EQ(countsOf(right).refusedKeys, 1U);
}

/// Who has no key, but is dialled: it asks the port itself for what it needs.
TEST_F(SoftnicTcpKeys, AProofIsOfNoUseToTheOtherSide) {
  End right(keyed(kKey));
  BarePeer thief(right, tcp_.basePort(), 9);
  connectTo(right, thief.address(), {.timeout = 10, .retryCount = 1});
  base::FileDescriptor call = thief.takeCall();

  base::FileDescriptor caller = callTo(right);
  Hello own = helloOf(right, 9);
  own.flags = kHasKey;
  Challenge wanted{};
  ASSERT_TRUE(sendAll(caller, own) && receiveAll(caller, wanted));

  Hello hello{};
  ASSERT_TRUE(receiveAll(call, hello));
  ASSERT_TRUE(sendAll(call, wanted));  // what the port has to be shown, it is asked to prove
  base::Digest proof{};
  ASSERT_TRUE(receiveAll(call, proof));

  Answer refusal{};
  ASSERT_TRUE(sendAll(caller, proof) && receiveAll(caller, refusal));
  EXPECT_EQ(refusal.verdict, Verdict::OtherKey);
  Answer reflected{kAnswerMagic, Verdict::Accepted, 0, 0, proof};
  ASSERT_TRUE(sendAll(call, reflected));
  ASSERT_EQ(right.send(1, 0, 64), 0);
  EXPECT_EQ(right.waitOne().status, IBV_WC_RETRY_EXC_ERR);
  EXPECT_EQ(countsOf(right).refusedKeys, 2U);
}

/// As many as the listener takes, with a Hello each.
TEST_F(SoftnicTcpKeys, TwoHundredThatProveNothingKeepNobodyOut) {
  End right(keyed(kKey));
  std::vector<base::FileDescriptor> flood;
  Hello hello = helloOf(right, 9);
  hello.flags = kHasKey;
  for (int i = 0; i < 200; i++) {
    flood.push_back(callTo(right));
    ASSERT_TRUE(sendAll(flood.back(), hello));
  }
  EXPECT_TRUE(
      eventually([&] { return std::count_if(flood.begin(), flood.end(), hungUp) >= 200 - 64; }));
  EXPECT_EQ(linksOf(right), 0U);
  End left(keyed(kKey));
  connectBoth(left, right);
  expectExchange(left, right);
}

TEST_F(SoftnicTcpKeys, WhoListensAndIsNotThatPortIsToldNothing) {
  End right(keyed(kKey));
  for (auto change :
       {+[](Hello& hello) { hello.magic ^= 1; }, +[](Hello& hello) { hello.to.slot ^= 1; },
        +[](Hello& hello) { hello.to.gid.raw[15] ^= 1; },
        +[](Hello& hello) { hello.from.gid.raw[15] ^= 1; },
        +[](Hello& hello) { hello.from.slot = kSlots; }}) {
    base::FileDescriptor caller = callTo(right);
    Hello hello = helloOf(right, 9);
    hello.flags = kHasKey;
    change(hello);
    ASSERT_TRUE(sendAll(caller, hello));
    char byte = 0;
    EXPECT_EQ(recv(caller.get(), &byte, 1, 0), 0);
  }
}

// --- what may be written

ibv_wc_status writeInto(const End& right, const End& left, ibv_wr_opcode opcode) {
  Address target = addressOf(right);
  ibv_sge list = left.sge(0, 8);
  ibv_send_wr request = left.request(opcode, 1, &list);
  if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    request.wr.atomic = {target.memory, 1, 0, target.rkey};
  } else {
    request.wr.rdma = {target.memory, target.rkey};
  }
  EXPECT_EQ(left.post(request), 0);
  return left.waitOne().status;
}

TEST_F(SoftnicTcpKeys, WithoutAKeyNothingIsWrittenAndWhatIsReadAndSentGoesOn) {
  for (ibv_wr_opcode opcode : {IBV_WR_RDMA_WRITE, IBV_WR_ATOMIC_FETCH_AND_ADD}) {
    End left;
    End right;
    connectBoth(left, right);
    std::memset(right.memory(), 1, 64);
    EXPECT_EQ(writeInto(right, left, IBV_WR_RDMA_READ), IBV_WC_SUCCESS);
    expectExchange(left, right);
    std::memset(right.memory(), 1, 64);
    std::memset(left.memory(), 2, 64);
    EXPECT_EQ(writeInto(right, left, opcode), IBV_WC_REM_ACCESS_ERR);
    EXPECT_EQ(right.memory()[0], std::byte{1});
  }
}

/// Signals of one-sided memory and of channels are such requests.
TEST_F(SoftnicTcpKeys, WithoutAKeyNothingIsSignalled) {
  End left;
  End right;
  connectBoth(left, right);
  ASSERT_EQ(right.postReceive(1, 0, 0), 0);
  ibv_send_wr request = left.request(IBV_WR_RDMA_WRITE_WITH_IMM, 1, nullptr);
  request.num_sge = 0;
  EXPECT_EQ(left.post(request), 0);
  EXPECT_EQ(left.waitOne().status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_NE(right.waitOne().status, IBV_WC_SUCCESS);
}

/// The device has other regions, which are as closed as ever.
TEST_F(SoftnicTcpKeys, WithoutAKeyWhoRegistersMemoryMayAllowThatItIsWritten) {
  End left;
  End right({.regionOptions = verbs::kWithoutProof});
  connectBoth(left, right);
  EXPECT_EQ(writeInto(right, left, IBV_WR_RDMA_WRITE), IBV_WC_SUCCESS);
  EXPECT_EQ(writeInto(right, left, IBV_WR_ATOMIC_FETCH_AND_ADD), IBV_WC_SUCCESS);
  std::memset(right.memory(), 1, 64);
  right.region =
      must(verbs::MemoryRegion::registerRange(right.pd, right.buffer, right.options.access));
  EXPECT_EQ(writeInto(right, left, IBV_WR_RDMA_WRITE), IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(right.memory()[0], std::byte{1});
}

TEST_F(SoftnicTcpKeys, WithoutAKeyProcessesOfThisUserWriteInSharedMemory) {
  End left;
  End right;
  left.connect(right);
  right.connect(left);
  EXPECT_EQ(writeInto(right, left, IBV_WR_RDMA_WRITE), IBV_WC_SUCCESS);
}

// --- where it listens

class SoftnicTcpPlace : public ::testing::Test {
 protected:
  verbs::Wiring listening(const std::string& ports) const {
    return {.listen = "127.0.0.1:" + ports};
  }
  base::Result<verbs::Context> open(const verbs::Wiring& wiring) const {
    return verbs::Context::open(must(verbs::Device::list(provider(), wiring)).at(0));
  }
  std::string port(unsigned ahead) const { return std::to_string(tcp_.basePort() + ahead); }

  OverTcp tcp_;
  Folders folders_;
};

TEST_F(SoftnicTcpPlace, IsAskedForByWhoOpensTheDeviceBeforeTheEnvironmentIs) {
  setenv("VERBENA_SOFTNIC_TCP", "nonsense", 1);
  verbs::Wiring wiring = listening(port(0));
  End left({.wiring = wiring});
  End right({.wiring = wiring});
  connectTo(left, tcpAddressOf(right));
  connectTo(right, tcpAddressOf(left));
  ASSERT_EQ(right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(left.send(1, 0, 64), 0);
  EXPECT_EQ(right.waitOne().status, IBV_WC_SUCCESS);
}

TEST_F(SoftnicTcpPlace, HasAsManyPortsAsItIsGiven) {
  verbs::Wiring wiring = listening(port(0) + "-" + port(1));
  verbs::Context one = must(open(wiring));
  verbs::Context two = must(open(wiring));
  base::Result<verbs::Context> three = open(wiring);
  ASSERT_FALSE(three);
  EXPECT_EQ(three.error().code, EADDRNOTAVAIL);
  EXPECT_NE(three.error().sentence().find("rdma.softnic.listen"), std::string::npos)
      << three.error().sentence();
}

TEST_F(SoftnicTcpPlace, IsRefusedWhereItIsNone) {
  for (const char* text : {"nonsense", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
                           "127.0.0.1:12-11", "127.0.0.1:12-", "[::1:12", ":12"}) {
    base::Result<verbs::Context> opened = open({.listen = text});
    ASSERT_FALSE(opened) << text;
    EXPECT_EQ(opened.error().code, EINVAL) << text;
  }
}

TEST(SoftnicTcpPlaces, AreReadFromTheirText) {
  auto expectPlace = [](const char* text, uint32_t port, uint32_t ports) {
    std::optional<TcpPlace> place = TcpPlace::parse(text);
    ASSERT_TRUE(place) << text;
    EXPECT_EQ(place->basePort, port) << text;
    EXPECT_EQ(place->ports, ports) << text;
  };
  expectPlace("10.0.0.1", 24740, kSlots);
  expectPlace("10.0.0.1:7", 7, kSlots);
  expectPlace("10.0.0.1:7-9", 7, 3);
  expectPlace("fd00::7", 24740, kSlots);
  expectPlace("[fd00::7]:8-8", 8, 1);
}

}  // namespace
}  // namespace verbena::softnic::testing
