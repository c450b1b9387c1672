// SPDX-License-Identifier: Apache-2.0
//
// Several links in one session, between nodes of paper.
#include <algorithm>

#include "exchanges.h"
#include "puppet.h"

namespace verbena::connect::testing {
namespace {

constexpr LinkName kOther{1, 1};
constexpr LinkName kThird{7, 0};

class LinksOfOneSession : public Exchanges {
 protected:
  LinksOfOneSession() : one(startOne()), two(startTwo()) { connect(one, two); }

  void offer(SimulatedNode& from, SimulatedNode& to, LinkName name) {
    from.dial(to.id(), name);
    ASSERT_TRUE(world.runUntil([&] { return agree(from, to, name); }));
  }
  static PacketKind kindOf(const Sent& sent) {
    return decode(sent.packet, Hmac(keyOf("a cluster key"))).packet.kind;
  }
  size_t countOf(PacketKind kind) const {
    return static_cast<size_t>(std::count_if(world.sent.begin(), world.sent.end(),
                                             [&](const Sent& s) { return kindOf(s) == kind; }));
  }
  void expectAllInOrder() const {
    expectInOrder(one);
    expectInOrder(two);
  }

  SimulatedNode& one;
  SimulatedNode& two;
};

TEST_F(LinksOfOneSession, AFurtherLinkTakesThreePackets) {
  world.sent.clear();
  offer(one, two, kOther);
  EXPECT_EQ(world.sent.size(), 3U);
  EXPECT_EQ(one.count(What::up), 2U);
  EXPECT_EQ(two.last(What::up)->name, kOther);
}

TEST_F(LinksOfOneSession, EitherSideOffers) {
  world.sent.clear();
  offer(two, one, kOther);
  EXPECT_EQ(world.sent.size(), 3U);
  EXPECT_TRUE(two.last(What::up)->flag);
  EXPECT_FALSE(one.last(What::up)->flag);
}

TEST_F(LinksOfOneSession, TheFirstDialBringsAllThatAreWishedFor) {
  World fresh;
  SimulatedNode& left = fresh.start(1, 1001);
  SimulatedNode& right = fresh.start(2, 1002);
  left.addPeer(right);
  for (LinkName name : {kMain, kOther, kThird}) left.dial(2, name);
  EXPECT_TRUE(fresh.runUntil([&] {
    return agree(left, right, kMain) && agree(left, right, kOther) && agree(left, right, kThird);
  }));
  EXPECT_EQ(fresh.sent.size(), 2U + 3 * 3);
  expectInOrder(left);
  expectInOrder(right);
}

TEST_F(LinksOfOneSession, BothOfferingOneNameMakeOneLinkOfTheLowerIdsOffer) {
  one.dial(2, kOther);
  two.dial(1, kOther);
  world.run(3s);
  EXPECT_TRUE(agree(one, two, kOther));
  EXPECT_TRUE(one.last(What::up)->flag);
  EXPECT_EQ(one.count(What::dialFailed) + two.count(What::dialFailed), 0U);
  EXPECT_EQ(one.owner.everCreated(), 2U);
  expectAllInOrder();
}

TEST_F(LinksOfOneSession, TheEndOfOneIsNotTheEndOfTheOthers) {
  offer(one, two, kOther);
  two.exchange->close(world.now, two.live(1), "enough");
  world.run(1s);
  EXPECT_EQ(one.live(2), 0U);
  EXPECT_EQ(one.last(What::down)->text, "node 2 closed: enough");
  EXPECT_TRUE(agree(one, two, kOther));
  world.run(10s);
  EXPECT_TRUE(agree(one, two, kOther));
}

TEST_F(LinksOfOneSession, ACloseThatIsLostIsRepeated) {
  offer(one, two, kOther);
  int lost = 0;
  world.drops = [&](const Sent& sent) { return kindOf(sent) == PacketKind::close && lost++ < 5; };
  two.exchange->close(world.now, two.live(1), "enough");
  EXPECT_TRUE(world.runUntil([&] { return one.live(2) == 0; }, 400ms));
  EXPECT_EQ(one.last(What::down)->text, "node 2 closed: enough");
  EXPECT_EQ(lost, 6);
}

TEST_F(LinksOfOneSession, AClosedThatIsLostIsSaidAgain) {
  offer(one, two, kOther);
  int lost = 0;
  world.drops = [&](const Sent& sent) { return kindOf(sent) == PacketKind::closed && lost++ < 3; };
  two.exchange->close(world.now, two.live(1), "enough");
  world.run(1s);
  EXPECT_EQ(lost, 4);
  EXPECT_EQ(countOf(PacketKind::close), 4U);
  EXPECT_EQ(one.count(What::down), 1U);
}

/// The CLOSE of the link before comes after the OFFER of the next.
TEST_F(LinksOfOneSession, TheNextOneMayOvertakeTheEndOfTheLast) {
  offer(one, two, kOther);
  world.drops = [&](const Sent& sent) { return kindOf(sent) == PacketKind::close; };
  two.exchange->close(world.now, two.live(1, kOther), "once more");
  two.dial(1, kOther);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, two, kOther); }, 500ms));
  EXPECT_EQ(one.last(What::down)->text, "node 2 has lost its end and offers anew");
  world.drops = {};
  world.run(3s);
  EXPECT_TRUE(agree(one, two, kOther));
  EXPECT_TRUE(agree(one, two));
  expectAllInOrder();
}

TEST_F(LinksOfOneSession, AnOfferThatComesAgainMakesNoSecondLink) {
  offer(one, two, kOther);
  std::vector<Sent> recorded = world.sent;
  one.exchange->close(world.now, one.live(2, kOther), "over");
  world.run(1s);
  size_t created = two.owner.everCreated();
  for (const Sent& sent : recorded) {
    world.inject(sent.from, sent.to, sent.packet);
    world.run(1ms);
  }
  world.run(3s);
  EXPECT_EQ(two.owner.everCreated(), created);
  EXPECT_EQ(two.live(1, kOther), 0U);
  EXPECT_TRUE(agree(one, two)) << "the first one's packets were among them";
}

TEST_F(LinksOfOneSession, AnOfferThatIsDeclinedCostsThatLinkAlone) {
  two.owner.refuseToCreate = "no room";
  one.dial(2, kOther);
  EXPECT_EQ(failure(one), "node 2 at 10.0.0.1:1002 refuses: cannot create a link on fake: no room");
  EXPECT_EQ(one.last(What::dialFailed)->name, kOther);
  world.run(5s);
  EXPECT_TRUE(agree(one, two));
  EXPECT_EQ(one.count(What::dialFailed), 1U);
  two.owner.refuseToCreate = "";
  offer(one, two, kOther);
}

TEST_F(LinksOfOneSession, AnOfferThatNobodyAnswersFailsInItsTime) {
  world.drops = [&](const Sent& sent) { return kindOf(sent) == PacketKind::offer; };
  one.dial(2, kOther, 300ms);
  EXPECT_EQ(failure(one),
            "node 2 at 10.0.0.1:1002 did not answer the offer of a link within 300 ms");
  world.drops = {};
  world.run(3s);
  EXPECT_TRUE(agree(one, two));
  offer(one, two, kOther);
}

/// Its far side may have written through it already.
TEST_F(LinksOfOneSession, TheReasonOfOneThatDoesNotComeUpIsTold) {
  world.drops = [&](const Sent& sent) { return kindOf(sent) == PacketKind::confirm; };
  one.dial(2, kOther);
  ASSERT_TRUE(world.runUntil([&] { return one.live(2, kOther) != 0; }));
  EXPECT_EQ(two.exchange->stateOf(1, kOther), Links::State::answered);
  two.exchange->removePeer(world.now, 1, "its host burns");
  ASSERT_EQ(two.neverUp.size(), 1U);
  EXPECT_EQ(two.neverUp.begin()->second, "its host burns");
  world.run(1s);
  expectAllInOrder();
}

/// An OFFER to a node that does not know the session any more would begin one.
TEST_F(LinksOfOneSession, AnOfferInASessionThatIsLostBeginsTheNext) {
  world.drops = [&](const Sent&) { return true; };
  two.exchange->close(world.now, two.live(1), "lost");
  world.run(1ms);
  SimulatedNode& again = startTwo();
  again.addPeer(one);
  world.drops = {};
  one.dial(2, kOther);
  EXPECT_TRUE(world.runUntil([&] { return agree(one, again, kOther); }, 200ms));
  expectInOrder(one);
  expectInOrder(again);
}

TEST_F(LinksOfOneSession, ASilentPeerCostsAllOfThem) {
  offer(one, two, kOther);
  offer(two, one, kThird);
  world.drops = [](const Sent&) { return true; };
  world.run(one.options.deadAfter + one.options.heartbeat);
  for (LinkName name : {kMain, kOther, kThird}) EXPECT_EQ(one.live(2, name), 0U);
  EXPECT_EQ(one.count(What::down), 3U);
  EXPECT_EQ(one.exchange->stateOf(2), Peer::State::idle);
}

TEST_F(LinksOfOneSession, TheLastOneTakesTheSessionWithIt) {
  offer(one, two, kOther);
  one.exchange->close(world.now, one.live(2), "over");
  one.exchange->close(world.now, one.live(2, kOther), "over");
  world.run(1s);
  EXPECT_EQ(one.exchange->stateOf(2), Peer::State::idle);
  EXPECT_EQ(two.exchange->stateOf(1), Peer::State::idle);
  EXPECT_FALSE(one.exchange->nextTimer().has_value());
  EXPECT_FALSE(two.exchange->nextTimer().has_value());
}

TEST_F(LinksOfOneSession, ALinkThatBothCloseEndsOnce) {
  offer(one, two, kOther);
  one.exchange->close(world.now, one.live(2, kOther), "over here");
  two.exchange->close(world.now, two.live(1, kOther), "over there");
  world.run(1s);
  EXPECT_EQ(one.count(What::down), 1U);
  EXPECT_EQ(two.count(What::down), 1U);
  EXPECT_TRUE(agree(one, two));
  expectAllInOrder();
}

TEST_F(LinksOfOneSession, AnAnswerToNothingIsClosed) {
  Puppet puppet(world, one, 3);
  puppet.toUpAccepted();
  puppet.link = {kThird, 5, false};
  puppet.say(PacketKind::answer);
  Packet heard = puppet.hearOne();
  EXPECT_EQ(heard.kind, PacketKind::close);
  EXPECT_EQ(heard.link, puppet.link.mirrored());
  EXPECT_EQ(heard.text, "no such link");
}

}  // namespace
}  // namespace verbena::connect::testing
