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

#include "channels.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kCapacity = 4096;
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
  std::unique_ptr<Connections> owned = must(Connections::on(node.channels(), kCapacity));
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
  auto second = Connections::on(server.node.channels(), kCapacity);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  server.owned.reset();
  EXPECT_TRUE(Connections::on(server.node.channels(), kCapacity));
}

/// Connections that go on keep their numbers, whoever counts.
TEST_P(Connect, OthersGoOnBesideNewOnes) {
  Party server(kServer, place());
  must(server.connections.listen());
  ChannelNode client(1, place());
  std::vector<Connection> here;
  std::vector<Connection> there;
  for (int round = 0; round < 3; round++) {
    auto connections = must(Connections::on(client.channels(), kCapacity));
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

TEST_P(Connect, ARingThatIsMuchLargerIsRefused) {
  Party server(kServer, place());
  must(server.connections.listen());
  ChannelNode client(1, place());
  auto large = must(Connections::on(client.channels(), 32 * kCapacity));
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
