// SPDX-License-Identifier: Apache-2.0
//
// Who is dialled where and for how long, between nodes of paper.
#include "exchanges.h"

namespace verbena::connect::testing {
namespace {

TEST_F(Exchanges, BothDiallingMakeOneLinkWithoutAWastedEnd) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  one.dial(2);
  two.dial(1);
  world.run(3s);
  EXPECT_TRUE(agree(one, two));
  EXPECT_EQ(one.owner.everCreated(), 1U);
  EXPECT_EQ(two.owner.everCreated(), 1U);
  EXPECT_TRUE(one.last(What::up)->flag) << "the dial of the lower id goes first";
}

TEST_F(Exchanges, AWrongAddressOnTheSideThatGoesFirstDoesNotStopTheOther) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  one.exchange->addPeer(world.now, 2, {addressAt(999)});
  two.addPeer(one);
  one.dial(2);
  two.dial(1);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two); }, 1s));
  EXPECT_EQ(one.count(What::dialFailed), 0U);
}

TEST_F(Exchanges, ADialDuringAnotherOnesClosingWaitsForIt) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  world.mostClosing = 500ms;
  connect(one, two);
  one.exchange->close(world.now, one.live(2), "again");
  one.dial(2);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two); }, 2s));
  expectInOrder(one);
  expectInOrder(two);
}

TEST_F(Exchanges, ALongerDialOfTheSamePeerProlongsTheFirst) {
  SimulatedNode& one = startOne();
  one.exchange->addPeer(world.now, 2, {addressAt(999)});
  one.dial(2, 100ms);
  one.dial(2, 1s);
  world.run(900ms);
  EXPECT_EQ(one.count(What::dialFailed), 0U);
  world.run(200ms);
  EXPECT_EQ(one.count(What::dialFailed), 1U);
}

TEST_F(Exchanges, EachRepetitionWaitsLonger) {
  SimulatedNode& one = startOne();
  one.exchange->addPeer(world.now, 2, {addressAt(999)});
  one.dial(2, 10s);
  world.run(10s);
  // 5, 10, 20 … 320 ms make 635; from there on one each half second.
  EXPECT_GE(world.sent.size(), 20U);
  EXPECT_LE(world.sent.size(), 35U);
}

TEST_F(Exchanges, PacketsThatBounceEndADialSoon) {
  SimulatedNode& one = startOne();
  world.bounces = true;
  one.exchange->addPeer(world.now, 2, {addressAt(999)});
  one.dial(2);
  world.run(100ms);
  ASSERT_EQ(one.count(What::dialFailed), 1U);
  EXPECT_EQ(one.last(What::dialFailed)->text,
            "nothing listens at 10.0.0.1:999; is node 2 running there?");
}

TEST_F(Exchanges, EachAddressOfAHostIsTried) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  one.exchange->addPeer(world.now, 2, {addressAt(998), addressAt(999), two.address});
  one.dial(2);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two); }, 1s));
}

TEST_F(Exchanges, AnUnknownPeerThatDialledIsDialledBackWhereItCameFrom) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  two.addPeer(one);
  two.dial(1);
  ASSERT_TRUE(world.runUntil([&] { return agree(one, two); }));
  one.exchange->close(world.now, one.live(2), "again");
  world.run(1s);
  one.dial(2);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two); }, 1s));
}

TEST_F(Exchanges, OneOfTwoAddressesThatBouncesDoesNotEndADial) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  one.exchange->addPeer(world.now, 2, {addressAt(1999), two.address});
  world.bounces = true;
  world.drops = [&](const Sent& sent) { return sent.to == two.address; };
  one.dial(2, 60s);
  world.run(10s);  // ten packets to each at least
  EXPECT_EQ(one.count(What::dialFailed), 0U) << one.last(What::dialFailed)->text;
  world.drops = nullptr;
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two); }));
}

TEST_F(Exchanges, AllOfTwoAddressesThatBounceEndADialSoon) {
  SimulatedNode& one = startOne();
  one.exchange->addPeer(world.now, 2, {addressAt(1998), addressAt(1999)});
  world.bounces = true;
  one.dial(2, 60s);
  EXPECT_EQ(failure(one), "nothing listens at 10.0.0.1:1999; is node 2 running there?");
  EXPECT_EQ(world.sent.size(), 6U);
}

TEST_F(Exchanges, OfTwoAddressesTheOneThatAnsweredCountsAlone) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  one.exchange->addPeer(world.now, 2, {two.address, addressAt(1999)});
  world.bounces = true;
  one.dial(2, 60s);
  ASSERT_TRUE(world.runUntil([&] { return one.exchange->stateOf(2) == Peer::State::opening; }));
  world.drops = [&](const Sent& sent) { return sent.to == two.address; };  // the first OFFER
  world.kill(two);
  world.drops = nullptr;
  size_t before = world.sent.size();
  failure(one);
  EXPECT_LE(world.sent.size() - before, 3U);
}

TEST_F(Exchanges, DiscoveryFindsNodesAndNoticesTheirEnd) {
  SimulatedNode& one = world.start(1, 1001, [](ManagerOptions& o) { o.discovery = 100ms; });
  SimulatedNode& two = startTwo();
  one.addPeer(two);
  world.run(150ms);
  ASSERT_EQ(one.count(What::reachable), 1U);
  EXPECT_TRUE(one.last(What::reachable)->flag);
  world.kill(two);
  world.run(600ms);
  EXPECT_FALSE(one.last(What::reachable)->flag);
  startTwo();
  world.run(200ms);
  EXPECT_TRUE(one.last(What::reachable)->flag);
}

}  // namespace
}  // namespace verbena::connect::testing
