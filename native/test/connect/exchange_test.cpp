// SPDX-License-Identifier: Apache-2.0
//
// Two or three nodes of paper, and what the world does to them.
#include <gtest/gtest.h>

#include <cerrno>
#include <stdexcept>

#include "puppet.h"

namespace verbena::connect::testing {
namespace {

using What = Told::What;

bool agree(const SimulatedNode& one, const SimulatedNode& other) {
  auto here = one.owner.held(one.live(other.id()));
  auto there = other.owner.held(other.live(one.id()));
  return here && there && here->far == there->own && there->far == here->own;
}

void expectInOrder(const SimulatedNode& node) {
  EXPECT_EQ(node.owner.breaches(), std::vector<std::string>{});
  EXPECT_EQ(node.breaches, std::vector<std::string>{});
}

class Exchanges : public ::testing::Test {
 protected:
  SimulatedNode& startOne() { return world.start(1, 1001); }
  SimulatedNode& startTwo() { return world.start(2, 1002); }
  void introduce(SimulatedNode& one, SimulatedNode& other) {
    one.addPeer(other);
    other.addPeer(one);
  }
  void connect(SimulatedNode& dialler, SimulatedNode& accepter) {
    introduce(dialler, accepter);
    dialler.dial(accepter.id());
    ASSERT_TRUE(world.runUntil([&] { return agree(dialler, accepter); }));
  }
  /// What the first dial of this node that fails says.
  std::string failure(SimulatedNode& node) {
    bool failed = world.runUntil([&] { return node.count(What::dialFailed) > 0; });
    if (!failed) throw std::runtime_error("the dial did not fail");  // ends this test
    return node.last(What::dialFailed)->text;
  }

  World world;
};

TEST_F(Exchanges, FivePacketsMakeAConnection) {
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

TEST_F(Exchanges, BothDiallingMakeOneConnectionWithoutAWastedQueuePair) {
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

TEST_F(Exchanges, AnOfferToALifeThatEndedDoesNotStopTheNextOnesDial) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  one.dial(2);
  ASSERT_TRUE(world.runUntil([&] { return one.exchange->stateOf(2) == Peer::State::offer; }));
  world.kill(two);
  SimulatedNode& again = world.start(2, 1999);
  again.addPeer(one);
  again.dial(1);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, again); }, 1s));
}

// The points at which a life can end: after so many packets have arrived.
class RestartAfter : public ::testing::TestWithParam<std::tuple<int, bool, bool, bool>> {};

TEST_P(RestartAfter, ThatManyPackets) {
  auto [delivered, restartDialler, elsewhere, bothDial] = GetParam();
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

TEST_F(Exchanges, ALiveNodesIdIsRefusedToAStranger) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  SimulatedNode& stranger = world.start(2, 1999);
  stranger.addPeer(one);
  stranger.dial(1);
  EXPECT_EQ(failure(stranger),
            "node 1 at 10.0.0.1:1001 refuses: node 2 is another one, alive at 10.0.0.1:1002");
  EXPECT_EQ(stranger.last(What::dialFailed)->why, Refusal::identity);
  EXPECT_TRUE(agree(one, two));
  EXPECT_EQ(one.counts.read().rejectedIdentity, 1U);
  EXPECT_EQ(one.owner.everCreated(), 1U);
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

TEST_F(Exchanges, AnotherKeyIsRefusedWithBothSidesNamed) {
  struct Case {
    const char *one, *two, *text;
  };
  const Case cases[] = {
      {"left", "right", "node 1 and node 2 have different cluster keys"},
      {"left", "", "node 1 has a cluster key, node 2 has none"},
      {"", "right", "node 2 has a cluster key, node 1 has none"},
  };
  for (const Case& each : cases) {
    World fresh;
    SimulatedNode& one = fresh.start(1, 1001, [&](ManagerOptions& o) { o.key = keyOf(each.one); });
    SimulatedNode& two = fresh.start(2, 1002, [&](ManagerOptions& o) { o.key = keyOf(each.two); });
    two.addPeer(one);
    two.dial(1);
    ASSERT_TRUE(fresh.runUntil([&] { return two.count(What::dialFailed) > 0; }));
    EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::key);
    EXPECT_EQ(two.last(What::dialFailed)->text,
              std::string("node 1 at 10.0.0.1:1001 refuses: ") + each.text);
    EXPECT_GE(one.counts.read().rejectedKey, 1U);
    EXPECT_EQ(one.owner.everCreated() + two.owner.everCreated(), 0U);
  }
}

TEST_F(Exchanges, ARefusalThatIsNotProvedDoesNotEndADialThatIsAnswered) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  two.dial(1);
  Packet forged = decode(world.sent[0].packet, Hmac(two.options.key)).packet;
  std::swap(forged.source, forged.destination);
  forged.kind = PacketKind::refuse;
  forged.reason = Refusal::key;
  world.inject(one.address, two.address, encode(forged, std::nullopt));
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two); }, 1s));
  EXPECT_EQ(two.count(What::dialFailed), 0U);
}

/// What a refused HELLO brings back cannot be used against whoever's HELLO it resembles.
TEST_F(Exchanges, ARefusalForWantOfTheKeyIsNotProved) {
  SimulatedNode& one = startOne();
  Puppet thief(world, one, 2);
  thief.key = Hmac(keyOf("a guess"));
  thief.dialler = randomNonce(world);
  thief.say(PacketKind::hello);
  ASSERT_EQ(world.sent.size(), 1U);
  EXPECT_FALSE(decode(world.sent[0].packet, Hmac(one.options.key)).proved);
}

TEST_F(Exchanges, AnotherClusterIsRefusedWithBothNamed) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = world.start(2, 1002, [](ManagerOptions& o) { o.cluster = "north"; });
  two.addPeer(one);
  two.dial(1);
  EXPECT_EQ(failure(two),
            "node 1 at 10.0.0.1:1001 refuses: node 2 is of cluster 'north', node 1 of 'default'");
  EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::identity);
  EXPECT_EQ(one.counts.read().rejectedIdentity, 1U);
}

TEST_F(Exchanges, WhoHasNotProvedTheKeyHearsOfNoClusterButItsOwn) {
  auto of = [](const char* cluster, const char* key) {
    return [=](ManagerOptions& o) {
      o.cluster = cluster;
      o.key = keyOf(key);
    };
  };
  struct Case {
    const char *key, *strangers;
  };
  for (const Case& each :
       {Case{"", ""}, Case{"", "right"}, Case{"left", ""}, Case{"left", "right"}}) {
    World fresh;
    SimulatedNode& one = fresh.start(1, 1001, of("secret-project", each.key));
    SimulatedNode& stranger = fresh.start(2, 1002, of("north", each.strangers));
    stranger.addPeer(one);
    stranger.dial(1);
    ASSERT_TRUE(fresh.runUntil([&] { return stranger.count(What::dialFailed) > 0; }));
    EXPECT_EQ(stranger.last(What::dialFailed)->text.find("secret-project"), std::string::npos)
        << stranger.last(What::dialFailed)->text;
    for (const Sent& packet : fresh.sent) {
      if (packet.source != 1) continue;
      std::string bytes(reinterpret_cast<const char*>(packet.packet.data()), packet.packet.size());
      EXPECT_EQ(bytes.find("secret-project"), std::string::npos);
    }
  }
}

TEST_F(Exchanges, WithoutAKeyAnotherClusterIsRefusedWithTheDiallersNamed) {
  auto open = [](ManagerOptions& o) { o.key.clear(); };
  SimulatedNode& one = world.start(1, 1001, open);
  SimulatedNode& two = world.start(2, 1002, [&](ManagerOptions& o) {
    open(o);
    o.cluster = "north";
  });
  two.addPeer(one);
  two.dial(1);
  EXPECT_EQ(failure(two),
            "node 1 at 10.0.0.1:1001 refuses: node 2 is of cluster 'north', node 1 of another");
  EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::identity);
}

TEST_F(Exchanges, AnotherNodeThanTheOneDialledRefuses) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  two.exchange->addPeer(world.now, 7, {one.address});
  two.dial(7);
  EXPECT_EQ(failure(two), "node 7 at 10.0.0.1:1001 refuses: this is node 1, not node 7");
}

TEST_F(Exchanges, ANodeWithTheSameIdIsRefused) {
  SimulatedNode& one = startOne();
  SimulatedNode& twin = world.start(1, 1999);
  twin.exchange->addPeer(world.now, 2, {one.address});
  twin.dial(2);
  EXPECT_EQ(failure(twin), "node 2 at 10.0.0.1:1001 refuses: this is node 1, not node 2");
}

TEST_F(Exchanges, AnotherVersionIsRefusedWithBothNamed) {
  SimulatedNode& one = startOne();
  Puppet puppet(world, one, 2);
  puppet.dialler = randomNonce(world);
  Packet hello = puppet.make(PacketKind::hello);
  hello.version = 9;
  puppet.say(hello);
  Packet refusal = puppet.hearOne();
  EXPECT_EQ(refusal.reason, Refusal::protocol);
  EXPECT_EQ(refusal.text, "node 1 speaks version 1 of the exchange, node 2 version 9");
  EXPECT_EQ(one.counts.read().rejectedProtocol, 1U);
  puppet.toHello();
  Packet foreign = puppet.make(PacketKind::refuse);
  foreign.version = 9;
  foreign.text = "too old";
  puppet.say(foreign);
  EXPECT_EQ(failure(one), "node 2 at 10.0.0.1:2002 refuses: too old");
}

TEST_F(Exchanges, AnotherEngineVersionIsRefusedByWhoeverSeesItFirst) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  two.owner.engineVersion = 2;
  introduce(one, two);
  two.dial(1);
  EXPECT_EQ(failure(two),
            "node 1 at 10.0.0.1:1001 refuses: node 1 speaks engine version 1, node 2 version 2");
  EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::protocol);
  Puppet puppet(world, one, 3);
  puppet.toOffer();
  puppet.end.engineVersion = 3;
  puppet.say(PacketKind::answer);
  EXPECT_EQ(failure(one), "node 1 speaks engine version 1, node 3 version 3");
  EXPECT_EQ(puppet.hearOne().kind, PacketKind::close);
  world.run(1s);
  EXPECT_EQ(one.owner.count() + two.owner.count(), 0U);
}

TEST_F(Exchanges, AQueuePairThatCannotBeMadeFailsTheDial) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  two.owner.refuseToCreate = "no room";
  two.dial(1);
  EXPECT_EQ(failure(two), "cannot create a queue pair on fake: no room");
  EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::local);
  one.dial(2);
  EXPECT_EQ(failure(one),
            "node 2 at 10.0.0.1:1002 refuses: cannot create a queue pair on fake: no room");
  EXPECT_EQ(one.last(What::dialFailed)->why, Refusal::closing);
  two.owner.refuseToCreate = "";
  connect(one, two);
  expectInOrder(one);
  expectInOrder(two);
}

TEST_F(Exchanges, AQueuePairThatCannotBeConnectedFailsTheDial) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  two.owner.refuseToConnect = "no route";
  two.dial(1);
  EXPECT_EQ(failure(two), "cannot connect on fake: no route");
  world.run(1s);
  EXPECT_EQ(one.owner.count() + two.owner.count(), 0U) << "the accepting side was told";
  one.dial(2);
  EXPECT_EQ(failure(one), "node 2 at 10.0.0.1:1002 refuses: cannot connect on fake: no route");
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
  EXPECT_EQ(one.last(What::down)->text, "node 2 has lost its end and dials anew");
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

TEST_F(Exchanges, ANodeThatClosesRefuses) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  connect(one, two);
  world.mostClosing = 1s;
  one.exchange->shutDown(world.now);
  world.run(1ms);
  EXPECT_EQ(two.live(1), 0U);
  two.dial(1);
  EXPECT_EQ(failure(two), "node 1 at 10.0.0.1:1001 refuses: node 1 closes");
  one.dial(2);
  EXPECT_EQ(failure(one), "node 1 closes");
  world.run(2s);
  EXPECT_TRUE(one.exchange->idle());
}

TEST_F(Exchanges, ANodeThatClosesRefusesTheFirstPacketOfADial) {
  SimulatedNode& one = startOne();
  Puppet puppet(world, one, 2);
  one.exchange->shutDown(world.now);
  puppet.dialler = randomNonce(world);
  puppet.say(PacketKind::hello);
  EXPECT_EQ(puppet.hearOne().reason, Refusal::closing);
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
  EXPECT_EQ(one.exchange->stateOf(2), Peer::State::up);
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
  ASSERT_TRUE(world.runUntil([&] { return one.exchange->stateOf(2) == Peer::State::offer; }));
  world.drops = [&](const Sent& sent) { return sent.to == two.address; };  // the first OFFER
  world.kill(two);
  world.drops = nullptr;
  size_t before = world.sent.size();
  failure(one);
  EXPECT_LE(world.sent.size() - before, 3U);
}

TEST_F(Exchanges, DialsOfItselfAndOfNobodyFail) {
  SimulatedNode& one = startOne();
  one.dial(1);
  EXPECT_EQ(one.last(What::dialFailed)->text, "node 1 is this node itself");
  one.dial(9);
  EXPECT_EQ(one.last(What::dialFailed)->text, "no address of node 9 is known; add it as a peer");
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
