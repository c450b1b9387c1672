// SPDX-License-Identifier: Apache-2.0
//
// How links over TCP end, and who gets their place.
#include <thread>

#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

class SoftnicTcpEnds : public ::testing::Test {
 protected:
  /// Claims to be the ports in so many slots, from `first` on.
  void claim(const End& end, uint32_t first, uint32_t count) {
    bool valid = false;
    TcpPlace place = *TcpPlace::fromEnvironment(valid);
    for (uint32_t slot = first; slot < first + count; slot++) {
      held_.push_back(listenAt(place, slot));  // a dialled link lives
      held_.push_back(connectToPort(tcp_.basePort() + slotOf(end.qp.qpNum())));
      Hello hello = helloOf(end, slot, slot);
      ASSERT_EQ(send(held_.back().get(), &hello, sizeof hello, 0), ssize_t{sizeof hello});
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  OverTcp tcp_;
  Folders folders_;

 private:
  std::vector<base::FileDescriptor> held_;
};

/// Whether a link of the end fulfils `test` within two seconds.
template <typename Test>
bool getsLink(const End& end, Test test) {
  Context& context = contextOf(end.context.get());
  for (Clock::time_point last = Clock::now() + seconds(2); Clock::now() < last;) {
    {
      std::lock_guard guard(context.lock);
      for (const std::shared_ptr<Link>& link : context.links) {
        if (test(dynamic_cast<TcpLink&>(*link))) return true;
      }
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

auto openTo(uint64_t incarnation) {
  return [incarnation](const TcpLink& link) {
    return link.state == LinkState::Open && link.incarnation() == incarnation;
  };
}

void endAllLinks(const End& end) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  for (const std::shared_ptr<Link>& link : context.links) link->peerLeft();
}

TEST_F(SoftnicTcpEnds, APeerThatKeepsOneConnectionOpenAndSilentIsGoneAfterAWhile) {
  End end;
  BarePeer peer(end, 1);
  connectTo(end, peer.address(), {.timeout = 10, .retryCount = 1});
  peer.takeConnection();
  peer.introduce();
  ASSERT_TRUE(getsLink(end, openTo(4711)));
  peer.closeConnection();
  ASSERT_EQ(end.send(1, 0, 64), 0);
  std::vector<ibv_wc> got;
  // It takes ten seconds, as with a host that says nothing; the rest is for a busy machine.
  for (Clock::time_point last = Clock::now() + seconds(120); got.empty() && Clock::now() < last;) {
    got = end.pollFor(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(10));
  }
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].status, IBV_WC_RETRY_EXC_ERR);
}

/// The end of the old life may be noticed by any thread, after which no socket tells of it.
TEST_F(SoftnicTcpEnds, ANewLifeGetsThePlaceOfTheOldOneWhoeverNoticesItsEnd) {
  End end;
  BarePeer peer(end, 1);
  connectTo(end, peer.address());
  peer.takeConnection();
  peer.introduce(1);
  ASSERT_TRUE(getsLink(end, openTo(1)));
  peer.introduce(2);
  std::this_thread::sleep_for(milliseconds(100));
  endAllLinks(end);
  EXPECT_TRUE(getsLink(end, openTo(2)));
}

TEST_F(SoftnicTcpEnds, OneAddressCannotMakeUsKeepAnyNumberOfLinksButThoseThatEndDoNotCount) {
  constexpr size_t kMostLinks = 128;
  End end;
  claim(end, 1, 200);
  std::this_thread::sleep_for(milliseconds(100));
  Context& context = contextOf(end.context.get());
  {
    std::lock_guard guard(context.lock);
    EXPECT_EQ(context.links.size(), kMostLinks);
  }
  endAllLinks(end);
  claim(end, 300, 1);
  EXPECT_TRUE(getsLink(end, openTo(300)));
}

}  // namespace
}  // namespace verbena::softnic::testing
