// SPDX-License-Identifier: Apache-2.0
//
// Asking who is at an address, between nodes of paper.
#include <algorithm>
#include <cerrno>
#include <optional>

#include "exchanges.h"

namespace verbena::connect::testing {
namespace {

constexpr NodeId kUnnumbered = 0x12345678;

class Questions : public Exchanges {
 protected:
  void ask(SimulatedNode& node, std::vector<Address> addresses, Time timeout = 10s) {
    node.exchange->ask(world.now, std::move(addresses), timeout, [this](base::Result<Found> found) {
      answer.emplace(std::move(found));
      answers++;
    });
  }
  const base::Result<Found>& answered() {
    if (!world.runUntil([&] { return answer.has_value(); })) throw std::runtime_error("no answer");
    return *answer;
  }
  std::string refusal(int code) {
    EXPECT_FALSE(answered());
    EXPECT_EQ(answered().error().code, code);
    return answered().error().advice;
  }

  std::optional<base::Result<Found>> answer;
  int answers = 0;
};

TEST_F(Questions, TheNodeThereIsFoundAndCanBeDialled) {
  SimulatedNode& one = startOne();
  SimulatedNode& other = world.start(kUnnumbered, 1002);
  ask(one, {addressAt(1002)});
  ASSERT_TRUE(answered());
  EXPECT_EQ(answered()->node, kUnnumbered);
  EXPECT_EQ(answered()->address, other.address);
  EXPECT_EQ(other.owner.everCreated(), 0U) << "a question makes nothing";
  one.exchange->addPeer(world.now, answered()->node, {answered()->address});
  one.dial(kUnnumbered);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, other); }));
  world.run(5s);
  EXPECT_EQ(answers, 1);
  expectInOrder(one);
  expectInOrder(other);
}

TEST_F(Questions, AreRepeatedUntilAnAnswerComesThrough) {
  world.lossPerMille = 600;
  world.duplicatePerMille = 200;
  SimulatedNode& one = startOne();
  startTwo();
  for (int round = 1; round <= 50; round++) {
    answer.reset();
    ask(one, {addressAt(1002)}, 60s);
    ASSERT_TRUE(world.runUntil([&] { return answer.has_value(); }, 60s));
    ASSERT_TRUE(*answer) << answer->error().sentence();
    EXPECT_EQ((*answer)->node, 2U);
    EXPECT_EQ(answers, round);
  }
}

TEST_F(Questions, EachAddressOfAHostIsTried) {
  SimulatedNode& one = startOne();
  startTwo();
  ask(one, {addressAt(998), addressAt(999), addressAt(1002)});
  ASSERT_TRUE(answered());
  EXPECT_EQ(answered()->node, 2U);
  EXPECT_EQ(answered()->address, addressAt(1002));
}

TEST_F(Questions, NobodyAnswersInTime) {
  SimulatedNode& one = startOne();
  ask(one, {addressAt(999)}, 300ms);
  Time begin = world.now;
  EXPECT_EQ(refusal(ETIMEDOUT), "no answer within 300 ms");
  EXPECT_GE(world.now - begin, 300ms);
  EXPECT_FALSE(one.exchange->nextTimer().has_value()) << "nothing is left of it";
}

TEST_F(Questions, NobodyIsThere) {
  world.bounces = true;
  SimulatedNode& one = startOne();
  ask(one, {addressAt(998), addressAt(999)});
  EXPECT_EQ(refusal(ECONNREFUSED), "nothing listens at 10.0.0.1:999");
}

/// As soon as the packets have come back, however long is waited for answers.
TEST_F(Questions, NobodyIsThereIsSaidAtOnce) {
  world.bounces = true;
  world.leastDelay = world.mostDelay = 1ms;
  SimulatedNode& one = startOne();
  Time begin = world.now;
  ask(one, {addressAt(999)});
  EXPECT_EQ(refusal(ECONNREFUSED), "nothing listens at 10.0.0.1:999");
  EXPECT_EQ(world.now - begin, 3ms) << "three packets, one after the other";
}

/// Each hears of the packets of all.
TEST_F(Questions, BouncesOfOthersAreNotCounted) {
  world.bounces = true;
  world.leastDelay = world.mostDelay = 1ms;
  SimulatedNode& one = startOne();
  for (int i = 0; i < 5; i++) ask(one, {addressAt(1002)});
  world.after(1500us, [&] { startTwo(); });
  EXPECT_TRUE(answered());
  world.run(1s);
  EXPECT_EQ(answers, 5);
}

TEST_F(Questions, OneAddressThatAnswersIsEnough) {
  world.bounces = true;
  SimulatedNode& one = startOne();
  startTwo();
  world.leastDelay = world.mostDelay = 40ms;
  ask(one, {addressAt(999), addressAt(1002)});
  EXPECT_TRUE(answered());
}

TEST_F(Questions, AnotherKeyAnotherClusterAndAClosingNodeRefuse) {
  SimulatedNode& one = world.start(1, 1001, [](ManagerOptions& o) { o.key = keyOf("left"); });
  world.start(2, 1002, [](ManagerOptions& o) { o.key = keyOf("right"); });
  ask(one, {addressAt(1002)});
  EXPECT_EQ(refusal(EACCES), "node 2 and node 1 have different cluster keys");
  answer.reset();
  world.start(3, 1003, [](ManagerOptions& o) {
    o.key = keyOf("left");
    o.cluster = "north";
  });
  ask(one, {addressAt(1003)});
  EXPECT_EQ(refusal(EACCES),
            "node 3 at 10.0.0.1:1003 refuses: node 1 is of cluster 'default', node 3 of 'north'");
  answer.reset();
  SimulatedNode& four = world.start(4, 1004, [](ManagerOptions& o) { o.key = keyOf("left"); });
  four.exchange->shutDown(world.now);
  ask(one, {addressAt(1004)});
  EXPECT_EQ(refusal(ECONNREFUSED), "node 4 at 10.0.0.1:1004 refuses: node 4 closes");
}

TEST_F(Questions, WhoDialsAtTheSameTimeIsFound) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  one.exchange->addPeer(world.now, 2, {addressAt(999)});
  one.dial(2);
  ask(two, {one.address});
  ASSERT_TRUE(answered()) << answered().error().sentence();
  EXPECT_EQ(answered()->node, 1U);
  EXPECT_TRUE(std::ranges::any_of(world.sent, [&](const Sent& each) {
    Packet packet = decode(each.packet, Hmac(one.options.key)).packet;
    return packet.kind == PacketKind::refuse && packet.reason == Refusal::crossed;
  }));
}

TEST_F(Questions, ANodeThatAsksForItsOwnAddressIsToldSo) {
  SimulatedNode& one = startOne();
  ask(one, {one.address});
  EXPECT_EQ(refusal(ELOOP), "it is this node itself");
}

TEST_F(Questions, ANodeThatClosesAsksNoMore) {
  SimulatedNode& one = startOne();
  ask(one, {addressAt(999)});
  one.exchange->shutDown(world.now);
  EXPECT_EQ(refusal(ECANCELED), "this node closes");
  answer.reset();
  ask(one, {addressAt(999)});
  EXPECT_EQ(refusal(ECANCELED), "this node closes");
}

TEST_F(Questions, AStrangersAnswerIsNotBelieved) {
  SimulatedNode& one = startOne();
  ask(one, {addressAt(999)});
  ASSERT_FALSE(world.sent.empty());
  Packet forged = decode(world.sent.back().packet, Hmac(one.options.key)).packet;
  forged.kind = PacketKind::challenge;
  forged.source = 7;
  forged.destination = 1;
  forged.text.clear();
  forged.accepter[3] = std::byte{9};
  world.inject(addressAt(999), one.address, encode(forged, Hmac(keyOf("a guess"))));
  EXPECT_FALSE(answer.has_value());
  forged.dialler[5] ^= std::byte{1};
  world.inject(addressAt(999), one.address, encode(forged, Hmac(one.options.key)));
  EXPECT_FALSE(answer.has_value());
}

}  // namespace
}  // namespace verbena::connect::testing
