// SPDX-License-Identifier: Apache-2.0
//
// How links over TCP end, and who gets their place.
#include <algorithm>
#include <thread>

#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

using std::chrono::milliseconds;

class SoftnicTcpEnds : public ::testing::Test {
 protected:
  /// A connection to the end that says nothing.
  void call(const End& end) { callers_.push_back(connectTo(end, tcp_.basePort())); }

  /// Begins to claim to be the port in a slot. What is listened at makes a dialled link live.
  void say(const End& end, uint32_t slot) {
    listeners_.push_back(listenAt(place(), slot));
    call(end);
    ASSERT_TRUE(sendAll(callers_.back(), helloOf(end, slot, slot)));
  }
  /// Goes on with it, on the connection that was made last but for `later`.
  void prove(size_t later = 0) {
    const base::FileDescriptor& caller = callers_[callers_.size() - 1 - later];
    Challenge challenge{};
    ASSERT_TRUE(receiveAll(caller, challenge));
    ASSERT_TRUE(sendAll(caller, base::Digest{}));
  }
  /// Claims to be the ports in so many slots, from `first` on.
  void claim(const End& end, uint32_t first, uint32_t count) {
    setDownTime(end, kPatience);  // though nobody answers where it dials
    for (uint32_t slot = first; slot < first + count; slot++) {
      say(end, slot);
      prove();
    }
  }
  TcpPlace place() const {
    return *TcpPlace::parse("127.0.0.1:" + std::to_string(tcp_.basePort()));
  }

  /// How many of those that called the end has sent away.
  ptrdiff_t sentAway() const { return std::count_if(callers_.begin(), callers_.end(), hungUp); }

  /// All that have called are gone, and what they listened at.
  void leaveAll() {
    listeners_.clear();
    callers_.clear();
  }

  OverTcp tcp_;
  Folders folders_;

 private:
  std::vector<base::FileDescriptor> listeners_;
  std::vector<base::FileDescriptor> callers_;
};

/// Whether a link of the end fulfils `test` in the end.
template <typename Test>
bool getsLink(const End& end, Test test) {
  return eventually([&] {
    bool some = false;
    forEachTcpLink(end, [&](TcpLink& link) { some |= test(link); });
    return some;
  });
}

auto openTo(uint64_t incarnation) {
  return [incarnation](const TcpLink& link) {
    return link.state == LinkState::Open && link.incarnation() == incarnation;
  };
}

void endAllLinks(const End& end) {
  forEachTcpLink(end, [](TcpLink& link) { link.peerLeft(); });
}

TEST_F(SoftnicTcpEnds, APeerThatKeepsOneConnectionOpenAndSilentIsGoneAfterAWhile) {
  End end;
  BarePeer peer(end, tcp_.basePort(), 1);
  connectTo(end, peer.address(), {.timeout = 10, .retryCount = 1});
  peer.takeConnection();
  peer.say();
  ASSERT_TRUE(getsLink(end, openTo(4711)));
  setDownTime(end, milliseconds(500));
  peer.closeConnection();
  ASSERT_EQ(end.send(1, 0, 64), 0);
  // It takes ten seconds more, as with a host that says nothing; the rest is for a busy machine.
  EXPECT_EQ(end.waitOne().status, IBV_WC_RETRY_EXC_ERR);
}

/// The end of the old life may be noticed by any thread, after which no socket tells of it.
TEST_F(SoftnicTcpEnds, ANewLifeGetsThePlaceOfTheOldOneWhoeverNoticesItsEnd) {
  End end;
  BarePeer peer(end, tcp_.basePort(), 1);
  connectTo(end, peer.address());
  peer.livesAs(1);
  peer.takeConnection();
  peer.say(1);
  ASSERT_TRUE(getsLink(end, openTo(1)));
  peer.say(2);
  std::this_thread::sleep_for(milliseconds(100));
  endAllLinks(end);
  EXPECT_TRUE(getsLink(end, openTo(2)));
}

TEST_F(SoftnicTcpEnds, OneAddressCannotMakeUsKeepAnyNumberOfLinksButThoseThatEndDoNotCount) {
  constexpr uint32_t kMostLinks = 128;
  constexpr uint32_t kClaims = 200;
  End end;
  claim(end, 1, kClaims);
  ASSERT_TRUE(eventually([&] { return sentAway() == kClaims - kMostLinks; })) << sentAway();
  Context& context = contextOf(end.context.get());
  {
    std::lock_guard guard(context.lock);
    EXPECT_EQ(context.links.size(), kMostLinks);
  }
  endAllLinks(end);
  claim(end, 300, 1);
  EXPECT_TRUE(getsLink(end, openTo(300)));
}

/// All that came while the port was busy are accepted at once, and not all find room.
TEST_F(SoftnicTcpEnds, WhoHasSaidWhoItIsMakesRoomForOthersAndIsNotSentAway) {
  constexpr int kMoreThanAreKept = 65;
  End end;
  {
    std::lock_guard guard(contextOf(end.context.get()).lock);  // nobody is accepted meanwhile
    say(end, 1);
    for (int i = 1; i < kMoreThanAreKept; i++) call(end);
  }
  prove(kMoreThanAreKept - 1);
  EXPECT_TRUE(getsLink(end, openTo(1)));
  EXPECT_LE(sentAway(), 1);  // of those who say nothing
}

TEST_F(SoftnicTcpEnds, LinksWhoseEndNobodyHasNoticedYetDoNotCount) {
  constexpr uint32_t kMostLinks = 128;
  constexpr int kMoreThanAreKept = 65;
  End end;
  claim(end, 1, kMostLinks);
  Context& context = contextOf(end.context.get());
  ASSERT_TRUE(eventually([&] {
    std::lock_guard guard(context.lock);
    return context.links.size() == kMostLinks;
  }));
  {
    std::lock_guard guard(context.lock);  // nobody notices, and nobody is accepted meanwhile
    leaveAll();
    say(end, 300);
    for (int i = 1; i < kMoreThanAreKept; i++) call(end);
  }
  prove(kMoreThanAreKept - 1);
  EXPECT_TRUE(getsLink(end, openTo(300)));
}

TEST_F(SoftnicTcpEnds, WhoWaitsForItsPlaceIsNotSentAwayForThoseWhoSayNothing) {
  constexpr int kMoreThanAreKept = 65;
  End end;
  BarePeer peer(end, tcp_.basePort(), 1);
  connectTo(end, peer.address());
  peer.livesAs(1);
  peer.takeConnection();
  peer.say(1);
  ASSERT_TRUE(getsLink(end, openTo(1)));
  peer.say(2);
  for (int i = 0; i < kMoreThanAreKept; i++) call(end);
  ASSERT_TRUE(eventually([&] { return sentAway() > 0; }));
  endAllLinks(end);
  EXPECT_TRUE(getsLink(end, openTo(2)));
}

}  // namespace
}  // namespace verbena::softnic::testing
