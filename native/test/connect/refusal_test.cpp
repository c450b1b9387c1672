// SPDX-License-Identifier: Apache-2.0
//
// What nodes of paper refuse each other, and what they say of it.
#include "exchanges.h"
#include "puppet.h"

namespace verbena::connect::testing {
namespace {

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
  hello.versions = {8, 9};
  puppet.say(hello);
  Packet refusal = puppet.hearOne();
  EXPECT_EQ(refusal.reason, Refusal::protocol);
  EXPECT_EQ(refusal.text, "node 1 speaks version 2 of the exchange, node 2 versions 8 to 9");
  EXPECT_EQ(one.counts.read().rejectedProtocol, 1U);
  puppet.toHello();
  Packet foreign = puppet.make(PacketKind::refuse);
  foreign.versions = {8, 9};
  foreign.text = "too old";
  puppet.say(foreign);
  EXPECT_EQ(failure(one), "node 2 at 10.0.0.1:2002 refuses: too old");
}

TEST_F(Exchanges, AnotherVersionOfAServiceIsRefusedByWhoeverSeesItFirst) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  two.owner.version = 2;
  introduce(one, two);
  two.dial(1);
  EXPECT_EQ(failure(two),
            "node 1 at 10.0.0.1:1001 refuses: cannot connect on fake: EPROTO; version 1 here, "
            "2 at node 2");
  EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::protocol);
  Puppet puppet(world, one, 3);
  puppet.toOffered();
  puppet.end = FakeOwner::endOf(3, 77);
  puppet.say(PacketKind::answer);
  EXPECT_EQ(failure(one), "cannot connect on fake: EPROTO; version 1 here, 3 at node 3");
  EXPECT_EQ(one.last(What::dialFailed)->why, Refusal::protocol);
  EXPECT_EQ(puppet.hearOne().kind, PacketKind::close);
  world.run(1s);
  EXPECT_EQ(one.owner.count() + two.owner.count(), 0U);
}

TEST_F(Exchanges, AnEndThatCannotBeMadeFailsTheDial) {
  SimulatedNode& one = startOne();
  SimulatedNode& two = startTwo();
  introduce(one, two);
  two.owner.refuseToCreate = "no room";
  two.dial(1);
  EXPECT_EQ(failure(two), "cannot create a link on fake: no room");
  EXPECT_EQ(two.last(What::dialFailed)->why, Refusal::local);
  one.dial(2);
  EXPECT_EQ(failure(one), "node 2 at 10.0.0.1:1002 refuses: cannot create a link on fake: no room");
  EXPECT_EQ(one.last(What::dialFailed)->why, Refusal::closing);
  two.owner.refuseToCreate = "";
  connect(one, two);
  expectInOrder(one);
  expectInOrder(two);
}

TEST_F(Exchanges, AnEndThatCannotBeConnectedFailsTheDial) {
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

TEST_F(Exchanges, DialsOfItselfAndOfNobodyFail) {
  SimulatedNode& one = startOne();
  one.dial(1);
  EXPECT_EQ(one.last(What::dialFailed)->text, "node 1 is this node itself");
  one.dial(9);
  EXPECT_EQ(one.last(What::dialFailed)->text, "no address of node 9 is known; add it as a peer");
}

/// Ranks of a job that have ended are removed so, whether there was a link with them or not.
TEST_F(Exchanges, DialsOfOneThatWasRemovedFailWithTheReason) {
  SimulatedNode& one = startOne();
  one.exchange->removePeer(world.now, 9, "rank 9 was ended by signal 9 (SIGKILL)");
  one.dial(9);
  EXPECT_EQ(one.last(What::dialFailed)->text, "rank 9 was ended by signal 9 (SIGKILL)");
  one.exchange->removePeer(world.now, 9);
  one.dial(9);
  EXPECT_EQ(one.last(What::dialFailed)->text, "no address of node 9 is known; add it as a peer");
}

}  // namespace
}  // namespace verbena::connect::testing
