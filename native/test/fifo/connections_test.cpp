// SPDX-License-Identifier: Apache-2.0
//
// Connections between nodes that know nothing but where the other listens.
#include "fifo/connections.h"

#include <array>
#include <barrier>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "../softnic/no_descriptors.h"
#include "channels.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kRing = 4096;
constexpr connect::NodeId kServer = 0x12345678;

std::string hear(Reader& reader) {
  std::array<std::byte, 256> into;
  Popping message{into};
  if (Outcome got = reader.pop(message, kPatience); got != Outcome::done) {
    return "outcome " + std::to_string(static_cast<int>(got));
  }
  return textOf(std::span(into).first(message.bytes));
}

void say(Writer& writer, const std::string& text) {
  ASSERT_EQ(writer.push(bytesOf(text), kPatience), Outcome::done) << writer.lostBecause();
}

Connection mustAccept(Connections& connections) {
  auto accepted = must(connections.accept(kPatience));
  if (!accepted) throw std::runtime_error("nobody connected");
  return std::move(*accepted);
}

/// However long it takes until there is any answer.
bool hearsThatNobodyAccepts(Connections& connections, const std::string& address) {
  for (std::chrono::milliseconds patience = 50ms; patience < kPatience; patience *= 2) {
    auto refused = connections.connect(address, patience);
    if (refused) return false;
    std::string sentence = refused.error().sentence();
    if (sentence.find("takes no connections (now)") != std::string::npos) return true;
  }
  return false;
}

/// A node that connects, or takes connections.
struct Party {
  Party(connect::NodeId id, const Place& place) : node(id, place) {}

  ChannelNode node;
  std::unique_ptr<Connections> owned = must(Connections::on(node.channels(), kRing));
  Connections& connections = *owned;
};

class Connect : public ::testing::TestWithParam<bool> {
 protected:
  Place place() const { return {.share = GetParam(), .folder = folders_.path() + "/rings"}; }
  Folders folders_;
};
INSTANTIATE_TEST_SUITE_P(Ways, Connect, ::testing::Values(true, false),
                         [](const auto& shares) { return shares.param ? "shared" : "device"; });

TEST_P(Connect, ByAddressAlone) {
  Party server(kServer, place());
  Party client(1, place());
  must(server.connections.listen());
  Connection there;  // until both have closed: one that goes earlier may be lost to the other
  std::thread thread([&] {
    there = mustAccept(server.connections);
    EXPECT_EQ(there.reader->peer(), 1U);
    EXPECT_EQ(hear(*there.reader), "are you there?");
    say(*there.writer, "yes");
    EXPECT_EQ(there.writer->close(kPatience), Outcome::done);
    EXPECT_EQ(hear(*there.reader), "outcome 2") << "the stream ends";
  });
  Connection here = must(client.connections.connect(server.node.address(), kPatience));
  EXPECT_EQ(here.reader->peer(), kServer);
  say(*here.writer, "are you there?");
  EXPECT_EQ(hear(*here.reader), "yes");
  EXPECT_EQ(hear(*here.reader), "outcome 2");
  EXPECT_EQ(here.writer->close(kPatience), Outcome::done);
  thread.join();
}

/// Each knows its own.
TEST_P(Connect, ManyFromBothSidesAtATime) {
  Party greater(kServer, place());
  Party smaller(1, place());
  std::barrier closed(2);  // who goes earlier may be lost to the other
  auto meet = [&](Party& self, const std::string& other) {
    constexpr int kMany = 12;
    must(self.connections.listen(4));
    std::vector<Connection> opened;
    std::vector<Connection> accepted;
    std::thread accepts([&] {
      while (accepted.size() < kMany) accepted.push_back(mustAccept(self.connections));
      for (Connection& each : accepted) say(*each.writer, "echo of " + hear(*each.reader));
    });
    for (int i = 0; i < kMany; i++) {
      opened.push_back(must(self.connections.connect(other, kPatience)));
      say(*opened.back().writer, std::to_string(i));
    }
    for (int i = 0; i < kMany; i++) {
      EXPECT_EQ(hear(*opened[i].reader), "echo of " + std::to_string(i));
    }
    accepts.join();
    for (Connection& each : opened) EXPECT_EQ(each.writer->close(kPatience), Outcome::done);
    for (Connection& each : accepted) EXPECT_EQ(hear(*each.reader), "outcome 2");
    for (Connection& each : accepted) EXPECT_EQ(each.writer->close(kPatience), Outcome::done);
    for (Connection& each : opened) EXPECT_EQ(hear(*each.reader), "outcome 2");
    closed.arrive_and_wait();
  };
  std::thread one([&] { meet(greater, smaller.node.address()); });
  meet(smaller, greater.node.address());
  one.join();
}

TEST_P(Connect, WhatWasSaidBeforeItIsAcceptedIsHeard) {
  Party server(kServer, place());
  must(server.connections.listen());
  {
    Party client(1, place());
    Connection here = must(client.connections.connect(server.node.address(), kPatience));
    say(*here.writer, "I was here");
    ASSERT_EQ(here.writer->close(kPatience), Outcome::done);
  }
  Connection there = mustAccept(server.connections);
  EXPECT_EQ(hear(*there.reader), "I was here");
  EXPECT_EQ(hear(*there.reader), "outcome 2");
  std::array<std::byte, 8> any{};
  Outcome told =
      Outcome::done;  // until it is known that nobody reads, at the latest by a full ring
  while (told == Outcome::done) told = there.writer->push(any, kPatience);
  EXPECT_EQ(told, Outcome::lost);
}

TEST_P(Connect, WaitsForOneWhoListensLater) {
  Party server(kServer, place());
  Party client(1, place());
  std::thread thread([&] {
    std::this_thread::sleep_for(50ms);
    must(server.connections.listen());
    Connection there = mustAccept(server.connections);
    EXPECT_EQ(hear(*there.reader), "late");
  });
  Connection here = must(client.connections.connect(server.node.address(), kPatience));
  say(*here.writer, "late");
  thread.join();
}

TEST_P(Connect, SaysWhyNot) {
  Party server(kServer, place());
  Party client(1, place());
  auto toNobody = client.connections.connect("127.0.0.1:1", kPatience);
  ASSERT_FALSE(toNobody);
  EXPECT_EQ(toNobody.error().code, ECONNREFUSED);
  auto toItself = client.connections.connect(client.node.address(), kPatience);
  ASSERT_FALSE(toItself);
  EXPECT_EQ(toItself.error().code, ELOOP);
  EXPECT_TRUE(hearsThatNobodyAccepts(client.connections, server.node.address()));
  EXPECT_FALSE(must(server.connections.accept()).has_value());
}

TEST_P(Connect, OneOfANodeAtATime) {
  Party server(kServer, place());
  auto second = Connections::on(server.node.channels(), kRing);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  server.owned.reset();
  EXPECT_TRUE(Connections::on(server.node.channels(), kRing));
}

/// Connections that go on keep their numbers, whoever counts.
TEST_P(Connect, OthersGoOnBesideNewOnes) {
  Party server(kServer, place());
  must(server.connections.listen());
  ChannelNode client(1, place());
  std::vector<Connection> here;
  std::vector<Connection> there;
  for (int round = 0; round < 3; round++) {
    auto connections = must(Connections::on(client.channels(), kRing));
    here.push_back(must(connections->connect(server.node.address(), kPatience)));
    there.push_back(mustAccept(server.connections));
    here.front().writer.reset();  // half of it: the other half keeps the number
  }
  for (int i = 0; i < 3; i++) {
    say(*there[i].writer, std::to_string(i));
    EXPECT_EQ(hear(*here[i].reader), std::to_string(i));
  }
}

/// More at a time than are accepted: the others wait.
TEST_P(Connect, ABacklogThatIsFullIsWaitedFor) {
  Party server(kServer, place());
  must(server.connections.listen(1));
  Party client(1, place());
  Connection first = must(client.connections.connect(server.node.address(), kPatience));
  EXPECT_TRUE(hearsThatNobodyAccepts(client.connections, server.node.address()));
  Connection there = mustAccept(server.connections);
  Connection second = must(client.connections.connect(server.node.address(), kPatience));
  Connection behind = mustAccept(server.connections);
  say(*second.writer, "second");
  EXPECT_EQ(hear(*behind.reader), "second");
}

/// Whoever accepts more slowly than others connect has no more of them for that.
TEST_P(Connect, WhatWaitsDoesNotGrowWithWhatIsAccepted) {
  Party server(kServer, place());
  must(server.connections.listen(2));
  Party client(1, place());
  std::vector<Connection> here;
  std::vector<Connection> there;
  auto connect = [&] {
    here.push_back(must(client.connections.connect(server.node.address(), kPatience)));
  };
  connect();
  connect();
  for (int round = 0; round < 3; round++) {
    EXPECT_TRUE(hearsThatNobodyAccepts(client.connections, server.node.address())) << round;
    there.push_back(mustAccept(server.connections));
    connect();
  }
  for (int round = 0; round < 2; round++) there.push_back(mustAccept(server.connections));
  for (size_t i = 0; i < here.size(); i++) {
    say(*here[i].writer, std::to_string(i));
    say(*there[i].writer, "of " + hear(*there[i].reader));
    EXPECT_EQ(hear(*here[i].reader).substr(0, 3), "of ");
  }
}

TEST_P(Connect, ABacklogBeyondTheChannelsIsRefusedAndMakesNoRings) {
  Party server(kServer, place());
  auto rings = [&] { return filesIn(folders_.path() + "/rings", "ring-"); };
  for (size_t beyond : {size_t{81}, SIZE_MAX}) {
    auto refused = server.connections.listen(beyond);
    ASSERT_FALSE(refused) << beyond;
    EXPECT_EQ(refused.error().sentence(),
              "cannot listen for " + std::to_string(beyond) +
                  " connections at a time: EINVAL; each takes two of the 160 channels that may be "
                  "linked at a time: 80 are possible");
  }
  EXPECT_EQ(rings(), 0U);
  must(server.connections.listen(3));
  EXPECT_FALSE(server.connections.listen(81));
  EXPECT_EQ(rings(), 3U) << "it goes on as before";
  must(server.connections.listen(1));
  EXPECT_EQ(rings(), 1U);
  must(server.connections.listen(0));
  EXPECT_EQ(rings(), 0U);
  Party client(1, place());
  EXPECT_TRUE(hearsThatNobodyAccepts(client.connections, server.node.address()));
}

TEST_P(Connect, ARingThatCannotBeIsRefusedAtOnce) {
  ChannelNode node(1, place());
  for (uint64_t bytes : {uint64_t{0}, uint64_t{2048}, uint64_t{5000}, uint64_t{1} << 32}) {
    auto refused = Connections::on(node.channels(), bytes);
    ASSERT_FALSE(refused) << bytes;
    EXPECT_EQ(refused.error().sentence(),
              "cannot open connections: EINVAL; a ring of " + std::to_string(bytes) +
                  " bytes: its size is a power of two from 4096 to 2147483648");
  }
  EXPECT_TRUE(Connections::on(node.channels(), kRing)) << "there is none yet";
}

TEST_P(Connect, AWantOfDescriptorsIsToldOfAsSuch) {
  Party server(kServer, place());
  must(server.connections.listen(1));
  Party client(1, place());
  Connection here = must(client.connections.connect(server.node.address(), kPatience));
  std::optional<Connection> there = mustAccept(server.connections);
  here = must(client.connections.connect(server.node.address(), kPatience));
  {
    softnic::testing::NoDescriptors none;
    for (const char* what : {"the connection", "the ring for the next"}) {
      auto refused = server.connections.accept(kPatience);
      ASSERT_FALSE(refused) << what;
      EXPECT_EQ(refused.error().code, EMFILE);
      std::string sentence = refused.error().sentence();
      EXPECT_NE(sentence.find(" descriptors open; raise that with 'ulimit -n'"), std::string::npos)
          << what << ": " << sentence;
    }
  }
  EXPECT_FALSE(must(server.connections.accept()).has_value()) << "the ring is made now";
  here = must(client.connections.connect(server.node.address(), kPatience));
}

TEST_P(Connect, ARingThatIsMuchLargerIsRefused) {
  Party server(kServer, place());
  must(server.connections.listen());
  ChannelNode client(1, place());
  auto large = must(Connections::on(client.channels(), 32 * kRing));
  auto refused = large->connect(server.node.address(), kPatience);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("more than the 65536"), std::string::npos)
      << refused.error().sentence();
}

/// Both ends of it, and what it had in shared memory.
TEST_P(Connect, NothingIsLeftOfThem) {
  Party server(kServer, place());
  must(server.connections.listen(2));
  Party client(1, place());
  for (int round = 0; round < 20; round++) {
    Connection here = must(client.connections.connect(server.node.address(), kPatience));
    Connection there = mustAccept(server.connections);
    say(*here.writer, std::to_string(round));
    EXPECT_EQ(hear(*there.reader), std::to_string(round));
  }
  auto rings = [&] { return filesIn(folders_.path() + "/rings", "ring-"); };
  auto limit = std::chrono::steady_clock::now() + kPatience;
  while (rings() > 2 && std::chrono::steady_clock::now() < limit) {
    server.node.channels().drive();
    client.node.channels().drive();
  }
  EXPECT_EQ(rings(), 2U) << "those that wait for others to come";
}

}  // namespace
}  // namespace verbena::fifo::testing
