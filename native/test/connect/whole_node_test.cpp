// SPDX-License-Identifier: Apache-2.0
//
// Managers and engines together: what the one must make of the other's failures.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include "../fake/fake_provider.h"
#include "../softnic/ends.h"
#include "../softnic/over_tcp.h"
#include "connect/udp_socket.h"
#include "scarce_threads.h"
#include "softnic/device/context.h"
#include "softnic/objects/faults.h"
#include "whole_node.h"

namespace verbena::connect::testing {
namespace {

using lanes::News;
using softnic::testing::Folders;

class WholeNodes : public ::testing::Test {
 protected:
  static void script(WholeNode& node, const std::string& text) {
    std::string error;
    ASSERT_TRUE(softnic::setFaults(node.endpoint().engine().context(), text, error)) << error;
  }

  Folders folders_;
};

TEST_F(WholeNodes, SeveralInOneProcessTalkEachToEach) {
  WholeNode one(1), two(2), three(3);
  one.dial(two);
  three.dial(one);
  three.dial(two);
  for (WholeNode* from : {&one, &two, &three}) {
    for (WholeNode* to : {&one, &two, &three}) {
      if (from == to) continue;
      EXPECT_TRUE(from->reaches(*to)) << from->id << " to " << to->id;
    }
  }
}

/// The exchange over UDP, and the queue pairs over softnic's TCP: as on two hosts.
TEST_F(WholeNodes, TalkOverIpv6) {
  if (!UdpSocket::open("[::1]:0").ok()) GTEST_SKIP() << "no IPv6 on this machine";
  softnic::testing::OverTcp tcp("[::1]");
  auto onIpv6 = [](lanes::EndpointOptions& options) {
    options.manager.listen = "[::1]:0";
    options.device.gidIndex = 1;
  };
  WholeNode one(1, onIpv6);
  Folders other;  // what they say goes over the wire
  WholeNode two(2, onIpv6);
  EXPECT_EQ(std::memcmp(one.endpoint().engine().device().gid.gid.raw, &in6addr_loopback, 16), 0);
  EXPECT_EQ(one.endpoint().address().rfind("[::1]:", 0), 0U) << one.endpoint().address();
  two.dial(one);
  EXPECT_TRUE(one.reaches(two));
  EXPECT_TRUE(two.reaches(one));
}

TEST_F(WholeNodes, GiveAddressAndKeyToSoftnicsWireBetweenHosts) {
  softnic::testing::OverTcp ports;
  auto onTcp = [&](lanes::EndpointOptions& options) {
    options.device.listen = "127.0.0.1:" + std::to_string(ports.basePort());
    options.device.gidIndex = 1;
  };
  setenv("VERBENA_SOFTNIC_TCP", "not an address", 1);  // the configuration comes first
  WholeNode one(1, onTcp);
  Folders other;  // what they say goes over the wire
  WholeNode two(2, onTcp);
  two.dial(one);
  EXPECT_TRUE(one.reaches(two));
  EXPECT_TRUE(two.reaches(one));
  auto& context = softnic::contextOf(one.endpoint().engine().context());
  std::lock_guard guard(context.lock);
  EXPECT_TRUE(context.tcp->terms().proofs.hasKey());
  EXPECT_TRUE(std::all_of(context.links.begin(), context.links.end(),
                          [](const auto& link) { return link->mayWrite(); }));
}

TEST_F(WholeNodes, CloseTheirLinksWhereNoThreadCanBeStarted) {
  WholeNode one(1), two(2);
  one.dial(two);
  noMoreThreads = true;
  std::error_code refused;
  try {
    std::thread([] {}).detach();
  } catch (const std::system_error& error) {
    refused = error.code();
  }
  one.close();
  noMoreThreads = false;
  EXPECT_EQ(refused, std::errc::resource_unavailable_try_again) << "or the test shows nothing";
  EXPECT_TRUE(eventually([&] { return two.manager().find(1, streams::kStreams) == 0; }));
}

TEST_F(WholeNodes, AStrangerWithALiveNodesIdIsRefusedAndCounted) {
  WholeNode one(1), two(2), stranger(2);
  two.dial(one);
  LinkId before = one.manager().find(2, streams::kStreams);
  stranger.manager().addPeer(1, one.endpoint().address());
  auto refused = stranger.manager().get(1, streams::kStreams, kPatience);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("node 2 is another one, alive at"), std::string::npos)
      << refused.error().sentence();
  EXPECT_EQ(one.manager().counters().rejectedIdentity, 1U);
  EXPECT_EQ(one.manager().find(2, streams::kStreams), before);
  EXPECT_TRUE(one.reaches(two));
}

TEST_F(WholeNodes, ADeviceThatGoesTakesItsLinksAndNothingElse) {
  WholeNode one(1), two(2), three(3);
  one.dial(two);
  one.dial(three);
  two.dial(three);
  script(one, "send:1+=device-fatal");
  LinkId link = one.manager().find(2, streams::kStreams);
  one.endpoint().engine().writeControl(link, std::as_bytes(std::span("the last word")));
  one.endpoint().engine().interest(link);
  ASSERT_TRUE(eventually([&] { return one.news(News::Kind::down).size() == 2; }));
  for (const News& down : one.news(News::Kind::down)) {
    // The link that sent may hear of its send before the device's last word.
    const char* why = down.peer == 3 ? "softnic0 cannot be used any more" : "";
    EXPECT_NE(down.text, "");
    EXPECT_NE(down.text.find(why), std::string::npos) << down.text;
  }
  for (WholeNode* far : {&two, &three}) {
    ASSERT_TRUE(eventually([&] { return !far->news(News::Kind::down).empty(); }));
  }
  EXPECT_NE(three.news(News::Kind::down)[0].text.find("cannot be used any more"), std::string::npos)
      << three.news(News::Kind::down)[0].text;
  for (auto [from, to] : {std::pair(&one, &two), std::pair(&two, &one)}) {
    from->manager().addPeer(to->id, to->endpoint().address());
    auto refused = from->manager().get(to->id, streams::kStreams, kPatience);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().sentence().find("cannot be used any more"), std::string::npos)
        << refused.error().sentence();
  }
  EXPECT_TRUE(two.reaches(three)) << "others go on";
  WholeNode four(4);
  four.dial(two);
  EXPECT_TRUE(four.reaches(two)) << "the process opens a device again";
}

/// Whoever keeps links by their numbers can let go of this one.
TEST_F(WholeNodes, TheLastNewsOfALinkIsThatItIsGone) {
  WholeNode one(1), two(2);
  one.dial(two);
  LinkId link = one.manager().find(2, streams::kStreams);
  EXPECT_TRUE(one.news(News::Kind::gone).empty());
  one.manager().close(link, "enough");
  for (WholeNode* node : {&one, &two}) {
    ASSERT_TRUE(eventually([&] { return node->news(News::Kind::gone).size() == 1; }));
    ASSERT_EQ(node->news(News::Kind::down).size(), 1U);
    EXPECT_EQ(node->news(News::Kind::gone)[0].link, node->news(News::Kind::down)[0].link);
  }
}

/// Retries without end would hide a receiver that has stopped.
TEST_F(WholeNodes, AReceiverThatIsNeverReadyIsNoticed) {
  WholeNode one(1), two(2);
  one.dial(two);
  script(one, "send:1+=rnr(60000)");
  LinkId link = one.manager().find(2, streams::kStreams);
  one.endpoint().engine().writeControl(link, std::as_bytes(std::span("not heard")));
  one.endpoint().engine().interest(link);
  ASSERT_TRUE(eventually([&] { return !one.news(News::Kind::down).empty(); }));
  EXPECT_NE(one.news(News::Kind::down)[0].text.find("receiver-not-ready"), std::string::npos)
      << one.news(News::Kind::down)[0].text;
  EXPECT_TRUE(eventually([&] { return two.manager().find(1, streams::kStreams) == 0; }));
  script(one, "");
  one.dial(two);
  EXPECT_TRUE(one.reaches(two));
}

/// A limit of this process for as long as this lives.
class LockedMemoryLimit {
 public:
  explicit LockedMemoryLimit(rlim_t bytes) {
    getrlimit(RLIMIT_MEMLOCK, &before_);
    rlimit lower{bytes, before_.rlim_max};
    setrlimit(RLIMIT_MEMLOCK, &lower);
  }
  ~LockedMemoryLimit() { setrlimit(RLIMIT_MEMLOCK, &before_); }

 private:
  rlimit before_{};
};

TEST(LockedMemory, TooLittleOfItIsNamedWithWhatToSet) {
  LockedMemoryLimit limit(64 << 10);
  verbs::testing::FakeProvider fake({{.name = "mlx5_0"}});
  fake.failures["reg_mr"] = ENOMEM;
  std::vector<base::Result<const verbs::Provider*>> providers = {&fake.provider()};
  auto port = verbs::select(verbs::survey(providers), {});
  ASSERT_TRUE(port) << port.error().sentence();
  streams::EngineOptions options;
  options.maxConnections = 64;
  options.receiveWorkRequests = 1024;
  options.controlRingBytes = 1 << 20;
  auto opened = streams::Engine::open(*port, options);
  ASSERT_FALSE(opened);
  // The control rings alone are 64 MiB; each connection needs a little more.
  std::string said = opened.error().sentence();
  EXPECT_EQ(said.rfind("cannot register 67", 0), 0U) << said;
  EXPECT_NE(said.find(" bytes on mlx5_0: ENOMEM; locked-memory limit is 65536 bytes, raise it with "
                      "'ulimit -l 131072' (docs/tuning.md#memlock)"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace verbena::connect::testing
