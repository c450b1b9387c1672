// SPDX-License-Identifier: Apache-2.0
//
// Two or three nodes of paper, and what the world does to them.
#include "exchanges.h"
#include "puppet.h"

namespace verbena::connect::testing {
namespace {

TEST_F(Exchanges, FivePacketsMakeALink) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(two, one);
  EXPECT_EQ(world.sent.size(), 5U);
  const Told* up = one.last(What::up);
  EXPECT_EQ(up->incarnation, two.options.incarnation);
  EXPECT_FALSE(up->flag);
  EXPECT_EQ(up->text, two.address.text());
  EXPECT_TRUE(two.last(What::up)->flag);
}

TEST_F(Exchanges, AnOfferToALifeThatEndedDoesNotStopTheNextOnesDial) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  one.dial(2);
  ASSERT_TRUE(world.runUntil([&] { return one.exchange->stateOf(2) == Peer::State::opening; }));
  world.kill(two);
  SimulatedNode& again = world.start(2, 1999);
  again.addPeer(one);
  again.dial(1);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, again); }, 1s));
}

// The points at which a life can end: after so many packets have arrived.
class RestartAfter : public ::testing::TestWithParam<std::tuple<int, bool, bool, bool>> {};

TEST_P(RestartAfter, ThatManyPackets) {
  auto [delivered, restartDialler, elsewhere, dialsBack] = GetParam();
  bool bothDial = dialsBack;  // Clang 14 captures no binding
  World world;
  SimulatedNode* one = &world.start(1, 1001);
  SimulatedNode* two = &world.start(2, 1002);
  one->addPeer(*two);
  two->addPeer(*one);
  world.drops = [&, left = delivered](const Sent&) mutable { return left-- <= 0; };
  one->dial(2);
  world.run(2ms);
  SimulatedNode*& restarted = restartDialler ? one : two;
  auto port = static_cast<uint16_t>(restarted->address.port + (elsewhere ? 100 : 0));
  NodeId id = restarted->id();
  world.kill(*restarted);
  restarted = &world.start(id, port);
  one->addPeer(*two);
  two->addPeer(*one);
  world.drops = {};
  // Node 1 may only learn by and by that its connection is gone, and dials again then.
  EXPECT_TRUE(world.runUntil(
      [&] {
        one->dial(2);
        if (bothDial) two->dial(1);
        world.run(100ms);
        return agree(*one, *two);
      },
      3s));
  world.run(5s);
  EXPECT_TRUE(agree(*one, *two));
  expectInOrder(*one);
  expectInOrder(*two);
}

INSTANTIATE_TEST_SUITE_P(Exchanges, RestartAfter,
                         ::testing::Combine(::testing::Range(0, 7), ::testing::Bool(),
                                            ::testing::Bool(), ::testing::Bool()));

TEST_F(Exchanges, ReplayOfAFormerExchangeChangesNothing) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.run(5s);  // with PINGs and PONGs
  one.exchange->close(world.now, one.live(2), "over");
  world.run(1s);
  std::vector<Sent> former = world.sent;
  auto replayAll = [&] {
    for (const Sent& sent : former) {
      world.inject(sent.from, sent.to, sent.packet);
      world.inject(addressAt(3000), sent.to, sent.packet);  // the thief's own address
      world.run(1ms);
    }
    world.run(3s);
  };
  replayAll();
  EXPECT_EQ(one.owner.everCreated(), 1U);
  EXPECT_EQ(two.owner.everCreated(), 1U);
  two.dial(1);
  world.run(1s);
  ASSERT_TRUE(agree(one, two));
  replayAll();
  EXPECT_TRUE(agree(one, two));
  EXPECT_EQ(one.owner.everCreated(), 2U);
  EXPECT_EQ(two.owner.everCreated(), 2U);
}

/// A peer of each id has come, and its link is over again.
void comeAndGo(World& world, SimulatedNode& one, NodeId first, NodeId count) {
  for (NodeId id = first; id < first + count; id++) {
    SimulatedNode& guest = world.start(id, 1002);
    guest.addPeer(one);
    guest.dial(one.id());
    ASSERT_TRUE(world.runUntil([&] { return agree(one, guest); }));
    one.exchange->close(world.now, one.live(id), "over");
    world.run(1s);
  }
}

TEST_F(Exchanges, PeersThatNumberThemselvesAreForgottenWhenTheirLinksHaveLongBeenOver) {
  constexpr NodeId kMany = 20;
  SimulatedNode& one = startOne();
  comeAndGo(world, one, kMostGiven + 1, kMany);
  EXPECT_EQ(one.exchange->peers(), kMany);
  std::vector<Sent> former = world.sent;
  world.run(31s);
  EXPECT_EQ(one.exchange->peers(), 0U);
  EXPECT_FALSE(one.exchange->nextTimer().has_value());
  size_t created = one.owner.everCreated();
  for (const Sent& sent : former) world.inject(sent.from, sent.to, sent.packet);
  world.run(1s);
  EXPECT_EQ(one.exchange->peers(), 0U);
  EXPECT_EQ(one.owner.everCreated(), created) << "nothing that was recorded makes a link";
  expectInOrder(one);
}

TEST_F(Exchanges, PeersThatAreNumberedOrNamedAreRemembered) {
  SimulatedNode& one = startOne();
  comeAndGo(world, one, 2, 1);
  NodeId id = kMostGiven + 5;
  SimulatedNode& named = world.start(id, 1003);
  one.addPeer(named);
  world.run(100s);
  EXPECT_EQ(one.exchange->peers(), 2U);
  one.dial(id);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, named); }));
  world.run(100s);
  EXPECT_TRUE(agree(one, named));
}

/// As one that has dialled.
TEST_F(Exchanges, PeersThatWereFoundAreForgottenWhenTheirLinksHaveLongBeenOver) {
  SimulatedNode& one = startOne();
  NodeId id = kMostGiven + 5;
  SimulatedNode& found = world.start(id, 1003);
  one.exchange->found(world.now, {id, found.address});
  world.run(20s);
  one.dial(id);
  ASSERT_TRUE(world.runUntil([&] { return agree(one, found); }));
  world.run(100s);
  EXPECT_TRUE(agree(one, found));
  one.exchange->close(world.now, one.live(id), "over");
  world.run(31s);
  EXPECT_EQ(one.exchange->peers(), 0U);
  one.dial(id);
  EXPECT_EQ(failure(one),
            "no address of node " + std::to_string(id) + " is known; add it as a peer");
}

TEST_F(Exchanges, ReplayedSignsOfLifeDoNotKeepADeadPeerAlive) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.run(5s);
  std::vector<Sent> recorded = world.sent;
  world.kill(two);
  for (int i = 0; i < 30 && one.live(2) != 0; i++) {
    for (const Sent& sent : recorded) {
      if (sent.source == 2) world.inject(sent.from, sent.to, sent.packet);
    }
    world.run(100ms);
  }
  EXPECT_EQ(one.live(2), 0U);
}

TEST_F(Exchanges, AHelloMakesNoState) {
  SimulatedNode& one = startOne();
  for (NodeId id = 100; id < 1100; id++) {
    Puppet stranger(world, one, 2);
    stranger.id = id;
    stranger.dialler = randomNonce(world);
    stranger.say(PacketKind::hello);
  }
  EXPECT_EQ(world.sent.size(), 1000U) << "one answer each";
  EXPECT_FALSE(one.exchange->nextTimer().has_value());
  EXPECT_EQ(one.owner.everCreated(), 0U);
}

TEST_F(Exchanges, AnOfferFromElsewhereThanItsHelloIsChallengedAgain) {
  SimulatedNode& one = startOne();
  Puppet puppet(world, one, 2);
  puppet.askForChallenge();
  puppet.address = addressAt(2999);
  puppet.say(PacketKind::offer);
  EXPECT_EQ(puppet.hearOne().kind, PacketKind::challenge);
  EXPECT_EQ(one.owner.everCreated(), 0U);
}

TEST_F(Exchanges, AChallengeIsGoodForSecondsOnly) {
  SimulatedNode& one = startOne();
  Puppet puppet(world, one, 2);
  puppet.askForChallenge();
  world.run(11s);
  puppet.say(PacketKind::offer);
  EXPECT_EQ(puppet.hearOne().kind, PacketKind::challenge);
}

TEST_F(Exchanges, ADeadNodesIdIsGivenToItsNextLifeElsewhere) {
  for (bool bounces : {false, true}) {
    World fresh;
    fresh.bounces = bounces;
    SimulatedNode& one = fresh.start(1, 1001);
    SimulatedNode& two = fresh.start(2, 1002);
    one.addPeer(two);
    one.dial(2);
    ASSERT_TRUE(fresh.runUntil([&] { return agree(one, two); }));
    fresh.kill(two);
    SimulatedNode& again = fresh.start(2, 1999);
    again.addPeer(one);
    again.dial(1);
    Time limit = bounces ? 100ms : one.options.deadAfter;
    EXPECT_TRUE(fresh.runUntil([&] { return agree(one, again); }, limit)) << bounces;
    expectInOrder(one);
  }
}

TEST_F(Exchanges, SilenceIsNoticedByBothSidesInTime) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.run(7s);
  ASSERT_TRUE(agree(one, two));
  world.drops = [](const Sent&) { return true; };
  world.run(one.options.deadAfter);
  EXPECT_EQ(one.live(2), 0U);
  EXPECT_EQ(two.live(1), 0U);
  EXPECT_EQ(one.last(What::down)->text, "nothing heard of node 2 for 2000 ms");
}

TEST_F(Exchanges, LossDoesNotLookLikeDeath) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.lossPerMille = 200;
  world.run(600s);
  EXPECT_EQ(one.count(What::down) + two.count(What::down), 0U);
}

TEST_F(Exchanges, AMachineThatStoodStillForgivesTheSilence) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.now += 60s;  // both, as when a laptop sleeps; no timer ran
  world.run(5s);
  EXPECT_TRUE(agree(one, two));
  EXPECT_EQ(one.count(What::down) + two.count(What::down), 0U);
}

TEST_F(Exchanges, APeerThatHasLostItsEndIsConnectedAnew) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.drops = [](const Sent& sent) {
    return decode(sent.packet, Hmac(keyOf("a cluster key"))).packet.kind == PacketKind::close;
  };
  two.exchange->close(world.now, two.live(1), "failed");
  two.dial(1);
  EXPECT_TRUE(world.runUntil([&] { return two.live(1) != 0 && agree(one, two); }, 300ms));
  EXPECT_EQ(one.last(What::down)->text, "node 2 has lost its end and offers anew");
}

TEST_F(Exchanges, ALostCloseIsSaidAgainToWhoeverAsks) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.drops = [](const Sent&) { return true; };
  two.exchange->close(world.now, two.live(1), "failed");
  world.drops = {};
  EXPECT_TRUE(world.runUntil([&] { return one.live(2) == 0; }, one.options.heartbeat + 100ms));
  EXPECT_EQ(one.last(What::down)->text, "node 2 closed: failed");
}

TEST_F(Exchanges, AHelloThatComesTwiceBringsTheNonceOfItsConnection) {
  SimulatedNode& one = startOne();
  Puppet puppet(world, one, 2);
  puppet.toAnswered();
  puppet.say(PacketKind::hello);
  EXPECT_EQ(puppet.hearOne().accepter, puppet.accepter);
}

// Both dialled; the OFFER of the side that lost comes late.
TEST_F(Exchanges, AnOfferFromBeforeThisSidesOwnConnectionIsVoid) {
  SimulatedNode& one = startOne();
  Puppet puppet(world, one, 2);
  puppet.askForChallenge();
  Puppet late = puppet;
  puppet.toUpDialled();
  late.say(PacketKind::offer);
  EXPECT_EQ(late.hearOne().kind, PacketKind::challenge);
  EXPECT_EQ(one.exchange->stateOf(2, kMain), Links::State::up);
}

TEST_F(Exchanges, ANextLifeAtTheSameAddressReplacesTheLastAtOnce) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  SimulatedNode& again = startTwo();
  again.addPeer(one);
  again.dial(1);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, again); }, 50ms));
  EXPECT_EQ(one.last(What::down)->text, "node 2 was restarted");
}

}  // namespace
}  // namespace verbena::connect::testing
