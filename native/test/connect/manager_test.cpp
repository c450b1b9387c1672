// SPDX-License-Identifier: Apache-2.0
//
// Managers on real sockets.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <future>
#include <new>
#include <optional>
#include <thread>

#include "connect/udp_socket.h"
#include "live_node.h"

namespace verbena::connect::testing {
namespace {

std::function<void(ManagerOptions&)> listeningAt(const std::string& listen) {
  return [listen](ManagerOptions& options) { options.listen = listen; };
}

bool hasIpv6() {
  return UdpSocket::open("[::1]:0").ok();
}

/// An address where packets arrive and nobody answers.
class SilentPlace {
 public:
  std::string address() const { return socket_->local().text(); }
  /// Whether a packet has arrived since the last call.
  bool heard() {
    bool any = false;
    socket_->receive(1, [&](const Address&, std::span<const std::byte>) { any = true; });
    return any;
  }

 private:
  std::unique_ptr<UdpSocket> socket_ = std::move(*UdpSocket::open("127.0.0.1:0"));
};

class OnEachAddress : public ::testing::TestWithParam<const char*> {};

TEST_P(OnEachAddress, TwoNodesConnect) {
  if (GetParam()[0] == '[' && !hasIpv6()) GTEST_SKIP() << "no IPv6 on this machine";
  LiveNode one(1, listeningAt(GetParam()));
  LiveNode two(2, listeningAt(GetParam()));
  std::string port = one.manager->address().substr(one.manager->address().rfind(':'));
  std::string host = GetParam() == std::string("[::]:0") ? "127.0.0.1" : "";
  two.manager->addPeer(1, host.empty() ? one.manager->address() : host + port);
  auto id = two.manager->get(1, kMain, kPatience);
  ASSERT_TRUE(id) << id.error().sentence();
  EXPECT_EQ(*id, two.manager->find(1, kMain));
  EXPECT_TRUE(eventually([&] { return LiveNode::connected(one, two); }));
}

INSTANTIATE_TEST_SUITE_P(Manager, OnEachAddress,
                         ::testing::Values("127.0.0.1:0", "[::1]:0", "[::]:0", "localhost:0"));

TEST(Manager, FindsAPeerByHostName) {
  LiveNode one(1, listeningAt("127.0.0.1:0"));
  LiveNode two(2);
  std::string port = one.manager->address().substr(one.manager->address().rfind(':'));
  two.manager->addPeer(1, "localhost" + port);
  auto id = two.manager->get(1, kMain, kPatience);
  EXPECT_TRUE(id) << id.error().sentence();
}

TEST(Manager, HasTimeForOthersWhileADeviceTakesItsTimeForALink) {
  LiveNode one(1);
  LiveNode two(2);
  LiveNode three(3);
  LiveNode::introduce(one, two);
  LiveNode::introduce(two, three);
  std::promise<void> hasTime;
  two.owner.onClose = [&](LinkId closing) { two.manager->drained(closing); };
  two.owner.onDestroy = [&, released = hasTime.get_future().share()](LinkId drained) {
    released.wait();
    two.owner.gone(drained);
    two.manager->closed(drained);
  };
  auto first = two.manager->get(1, kMain, kPatience);
  ASSERT_TRUE(first) << first.error().sentence();
  two.manager->close(*first, "no longer needed");
  EXPECT_TRUE(eventually([&] { return !one.downReasons().empty(); }));
  auto second = two.manager->get(3, kMain, kPatience);
  EXPECT_TRUE(second) << second.error().sentence();
  hasTime.set_value();
}

TEST(Manager, OutlivesALackOfMemoryAndConnectsAfterIt) {
  LiveNode one(1);
  LiveNode two(2);
  LiveNode::introduce(one, two);
  auto calls = std::make_shared<std::atomic<uint32_t>>(0);
  two.owner.nextNumber = [=] {
    uint32_t call = ++*calls;
    if (call == 1) throw std::bad_alloc();
    return call;
  };
  auto refused = two.manager->get(1, kMain, kPatience);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("cannot create a link with node 1: ENOMEM"),
            std::string::npos)
      << refused.error().sentence();
  auto id = two.manager->get(1, kMain, kPatience);
  EXPECT_TRUE(id) << id.error().sentence();
}

TEST(Manager, SaysWhatIsWrongWithAnAddress) {
  LiveNode node(1);
  node.manager->addPeer(2, "host without port");
  auto id = node.manager->get(2, kMain, kPatience);
  ASSERT_FALSE(id);
  EXPECT_NE(id.error().sentence().find("'host without port' is neither"), std::string::npos);
}

TEST(Manager, SaysThatAHostNameWasNotFound) {
  LiveNode node(1);
  node.manager->addPeer(2, "no-such-host.invalid:7");
  auto id = node.manager->get(2, kMain, kPatience);
  ASSERT_FALSE(id);
  EXPECT_NE(id.error().sentence().find("no-such-host.invalid"), std::string::npos)
      << id.error().sentence();
}

TEST(Manager, FailsSoonWhereNothingListens) {
  LiveNode node(1);
  std::string address;
  {
    LiveNode gone(2);
    address = gone.manager->address();
  }
  node.manager->addPeer(2, address);
  auto begin = std::chrono::steady_clock::now();
  auto id = node.manager->get(2, kMain, kPatience);
  ASSERT_FALSE(id);
  EXPECT_NE(id.error().sentence().find("nothing listens at " + address), std::string::npos)
      << id.error().sentence();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience / 4);
}

struct Families {
  const char* listen;
  const char* peer;
  const char* text;
};

class OtherFamily : public ::testing::TestWithParam<Families> {};

TEST_P(OtherFamily, IsNamedWithWhatToSet) {
  if (GetParam().listen[0] == '[' && !hasIpv6()) GTEST_SKIP() << "no IPv6 on this machine";
  LiveNode node(1, listeningAt(GetParam().listen));
  node.manager->addPeer(2, GetParam().peer);
  auto id = node.manager->get(2, kMain, kPatience);
  ASSERT_FALSE(id);
  EXPECT_NE(id.error().sentence().find(GetParam().text), std::string::npos)
      << id.error().sentence();
}

INSTANTIATE_TEST_SUITE_P(
    Manager, OtherFamily,
    ::testing::Values(
        Families{"127.0.0.1:0", "[::1]:777",
                 "node 2 at [::1]:777 cannot be reached: this is an IPv6 address, and node 1 "
                 "listens at 127.0.0.1:0, which is for IPv4 alone; listen at [::]:PORT, which "
                 "serves both, or name an IPv4 address of node 2"},
        Families{"[::1]:0", "127.0.0.1:777",
                 "node 2 at 127.0.0.1:777 cannot be reached: this is an IPv4 address, and node 1 "
                 "listens at [::1]:0, which is for IPv6 alone; listen at [::]:PORT, which serves "
                 "both, or name an IPv6 address of node 2"}));

TEST(Manager, RefusesAListenAddressOfAnotherMachine) {
  FakeOwner owner;
  LiveNode node(1);
  ManagerOptions options;
  options.incarnation = 1;
  options.listen = "192.0.2.1:0";
  auto started = Manager::start(options, owner, node);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, EADDRNOTAVAIL);
}

TEST(Manager, AThousandThreadsAskingAtOnceCreateEachConnectionOnce) {
  constexpr int kThreads = 1000;
  constexpr NodeId kPeers = 4;
  LiveNode hub(0);
  std::vector<std::unique_ptr<LiveNode>> peers;
  for (NodeId id = 1; id <= kPeers; id++) {
    peers.push_back(std::make_unique<LiveNode>(id));
    LiveNode::introduce(hub, *peers.back());
  }
  std::atomic<bool> go{false};
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&, peer = static_cast<NodeId>(1 + i % kPeers)] {
      go.wait(false);
      if (!hub.manager->get(peer, kMain, kPatience)) failures++;
    });
  }
  go = true;
  go.notify_all();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(hub.owner.everCreated(), kPeers);
  for (auto& peer : peers) EXPECT_EQ(peer->owner.everCreated(), 1U);
}

TEST(Manager, BothSidesAskingAtOnceGetOneConnection) {
  for (int round = 0; round < 50; round++) {
    LiveNode one(1);
    LiveNode two(2);
    LiveNode::introduce(one, two);
    std::thread other([&] { EXPECT_TRUE(two.manager->get(1, kMain, kPatience)); });
    EXPECT_TRUE(one.manager->get(2, kMain, kPatience));
    other.join();
    EXPECT_TRUE(eventually([&] { return LiveNode::connected(one, two); }));
  }
}

TEST(Manager, ReconnectsAnyNumberOfTimes) {
  LiveNode one(1);
  LiveNode two(2);
  LiveNode::introduce(one, two);
  for (int round = 0; round < 100; round++) {
    LiveNode& dialler = round % 2 == 0 ? one : two;
    LiveNode& closer = round % 3 == 0 ? one : two;
    auto id = dialler.manager->get(dialler.id == 1 ? 2 : 1, kMain, kPatience);
    ASSERT_TRUE(id) << id.error().sentence();
    ASSERT_TRUE(eventually([&] { return LiveNode::connected(one, two); }));
    NodeId far = closer.id == 1 ? 2 : 1;
    closer.manager->failed(closer.manager->find(far, kMain), "the test says so");
    ASSERT_TRUE(eventually(
        [&] { return one.manager->find(2, kMain) == 0 && two.manager->find(1, kMain) == 0; }));
  }
  EXPECT_EQ(one.owner.everCreated(), 100U);
  EXPECT_EQ(two.owner.everCreated(), 100U);
}

TEST(Manager, WhoConnectsBehindACloseGetsAnotherLink) {
  LiveNode one(1);
  LiveNode two(2);
  LiveNode::introduce(one, two);
  for (int round = 0; round < 50; round++) {
    auto former = one.manager->get(2, kMain, kPatience);
    ASSERT_TRUE(former) << former.error().sentence();
    one.manager->close(*former, "the test says so");
    auto next = one.manager->get(2, kMain, kPatience);
    ASSERT_TRUE(next) << next.error().sentence();
    ASSERT_NE(*next, *former);
  }
}

TEST(Manager, ACloseReachesTheFarSideWithItsReason) {
  LiveNode one(1);
  LiveNode two(2);
  LiveNode::introduce(one, two);
  ASSERT_TRUE(one.manager->get(2, kMain, kPatience));
  ASSERT_TRUE(eventually([&] { return LiveNode::connected(one, two); }));
  one.manager->close(one.manager->find(2, kMain), "had enough");
  ASSERT_TRUE(eventually([&] { return !two.downReasons().empty(); }));
  EXPECT_EQ(two.downReasons()[0], "node 1 closed: had enough");
}

TEST(Manager, ThreadsThatWaitAreToldWhenItEnds) {
  constexpr NodeId kThreads = 8;
  std::array<SilentPlace, kThreads> places;
  auto node = std::make_unique<LiveNode>(1);
  std::vector<std::thread> threads;
  for (NodeId i = 0; i < kThreads; i++) {
    NodeId peer = 2 + i;
    node->manager->addPeer(peer, places[i].address());
    threads.emplace_back([manager = node->manager, peer] {
      auto id = manager->get(peer, kMain, kPatience);
      ASSERT_FALSE(id);
      EXPECT_NE(id.error().sentence().find("node 1 closes"), std::string::npos)
          << id.error().sentence();
    });
  }
  // The end waits for whoever has dialled. One that comes later would be misuse.
  for (SilentPlace& place : places) EXPECT_TRUE(eventually([&] { return place.heard(); }));
  node.reset();
  for (std::thread& thread : threads) thread.join();
}

TEST(Manager, ADialThatNobodyAnswersFailsInTime) {
  SilentPlace place;
  LiveNode node(1);
  node.manager->addPeer(2, place.address());
  auto begin = std::chrono::steady_clock::now();
  node.manager->dial(2, kMain, 100ms);
  ASSERT_TRUE(eventually([&] { return !node.failures().empty(); }));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 100ms);
  EXPECT_EQ(node.failures()[0].first, Refusal::timeout);
  EXPECT_EQ(node.failures()[0].second,
            "no answer from node 2 at " + place.address() + " within 100 ms");
}

TEST(Manager, FindsTheNodeAtAnAddress) {
  LiveNode one(1);
  LiveNode two(1'000'000);
  auto found = one.manager->addPeerAt(two.manager->address(), kPatience);
  ASSERT_TRUE(found) << found.error().sentence();
  EXPECT_EQ(*found, 1'000'000U);
  EXPECT_TRUE(one.manager->get(*found, kMain, kPatience));
}

TEST(Manager, SaysWhyNoNodeIsFoundAtAnAddress) {
  SilentPlace place;
  LiveNode node(1);
  auto codeOf = [&](const std::string& address, std::chrono::nanoseconds timeout = kPatience) {
    auto found = node.manager->addPeerAt(address, timeout);
    return found ? 0 : found.error().code;
  };
  EXPECT_EQ(codeOf(place.address(), 100ms), ETIMEDOUT);
  EXPECT_EQ(codeOf(node.manager->address()), ELOOP);
  EXPECT_EQ(codeOf("nowhere"), EINVAL);
  EXPECT_EQ(codeOf("no.such.host.invalid:1"), EADDRNOTAVAIL);
  auto nobody = node.manager->addPeerAt("127.0.0.1:1", kPatience);
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().sentence(),
            "cannot find the node at 127.0.0.1:1: ECONNREFUSED; nothing listens at 127.0.0.1:1");
}

TEST(Manager, WhoAsksHearsThatTheNodeCloses) {
  SilentPlace place;
  std::optional<base::Result<NodeId>> found;
  std::thread asks;
  {
    LiveNode node(1);
    asks = std::thread([&] { found = node.manager->addPeerAt(place.address(), kPatience); });
    ASSERT_TRUE(eventually([&] { return place.heard(); }));
  }
  asks.join();
  ASSERT_FALSE(*found);
  EXPECT_EQ(found->error().code, ECANCELED);
}

TEST(Manager, ARemovedPeerIsClosedAndNotDialled) {
  LiveNode one(1);
  LiveNode two(2);
  LiveNode::introduce(one, two);
  ASSERT_TRUE(one.manager->get(2, kMain, kPatience));
  ASSERT_TRUE(eventually([&] { return LiveNode::connected(one, two); }));
  one.manager->removePeer(2);
  EXPECT_TRUE(eventually(
      [&] { return one.manager->find(2, kMain) == 0 && two.manager->find(1, kMain) == 0; }));
  EXPECT_FALSE(one.manager->isReachable(2));
  auto id = one.manager->get(2, kMain, kPatience);
  ASSERT_FALSE(id);
  EXPECT_NE(id.error().sentence().find("no address of node 2"), std::string::npos);
  one.manager->addPeer(2, two.manager->address());
  EXPECT_TRUE(one.manager->get(2, kMain, kPatience));
}

TEST(Manager, APeerThatHasGoneShowsAtADialWhereNobodyProbes) {
  LiveNode one(1);
  {
    LiveNode two(2);
    LiveNode::introduce(one, two);
    ASSERT_TRUE(one.manager->get(2, kMain, kPatience));
  }
  ASSERT_TRUE(eventually([&] { return one.manager->find(2, kMain) == 0; }));
  EXPECT_FALSE(one.manager->get(2, kMain, 300ms));
  EXPECT_FALSE(one.manager->isReachable(2));
}

TEST(Manager, DiscoversNodesThatComeAndForgetsThoseThatGo) {
  LiveNode one(1, [](ManagerOptions& options) { options.discovery = 20ms; });
  std::string address;
  {
    LiveNode two(2);
    address = two.manager->address();
    one.manager->addPeer(2, address);
    EXPECT_TRUE(eventually([&] { return one.manager->isReachable(2); }));
    EXPECT_EQ(two.owner.everCreated(), 0U);
  }
  EXPECT_TRUE(eventually([&] { return !one.manager->isReachable(2); }));
  LiveNode again(2, listeningAt(address));
  EXPECT_TRUE(eventually([&] { return one.manager->isReachable(2); }));
}

}  // namespace
}  // namespace verbena::connect::testing
