// SPDX-License-Identifier: Apache-2.0
//
// A whole node closes where there is no memory left, and ends neither itself nor its process. A
// link does, too.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <string>

#include "../softnic/processes.h"
#include "../softnic/scarce_memory.h"
#include "base/survive.h"
#include "live_node.h"
#include "whole_node.h"

namespace verbena::connect::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Child;
using softnic::testing::Folders;
using softnic::testing::Line;
using softnic::testing::OfScarceMemory;
using softnic::testing::piecesLeft;
using softnic::testing::piecesLeftToAll;

using AddressText = std::array<char, 128>;

/// The other node is a process of its own: it lacks nothing.
void beThePeer(const Line& line) {
  WholeNode peer(2);
  AddressText text{};
  std::string address = peer.endpoint().address();
  std::memcpy(text.data(), address.data(), std::min(address.size(), text.size() - 1));
  line.tell(text);
  line.hear<char>();
}

/// From the first piece of memory on, from the second on, and so forth.
class NodeWithoutMemory : public OfScarceMemory<::testing::TestWithParam<int>> {};

TEST_P(NodeWithoutMemory, Closes) {
  Folders folders;
  Child peer(beThePeer);
  auto address = peer.line().hear<AddressText>();
  WholeNode node(1);
  node.manager().addPeer(2, address.data());
  auto link = node.manager().get(2, streams::kStreams, kPatience);
  ASSERT_TRUE(link) << link.error().sentence();
  node.endpoint().engine().writeControl(*link, std::as_bytes(std::span("the last word")));
  node.endpoint().engine().interest(*link);
  node.endRounds();
  piecesLeftToAll = GetParam();
  node.close();
  piecesLeftToAll = -1;
  peer.line().tell('q');
  EXPECT_EQ(peer.wait(), 0);
}

INSTANTIATE_TEST_SUITE_P(AfterPieces, NodeWithoutMemory,
                         ::testing::Values(0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 50));

class LinkWithoutMemory : public OfScarceMemory<::testing::Test> {};

/// Its device may say so, and whoever used it.
TEST_F(LinkWithoutMemory, MayFailMoreThanOnce) {
  constexpr LinkName kOther{1, 1};
  LiveNode one(1);
  LiveNode two(2);
  LiveNode::introduce(one, two);
  LinkId link = *one.manager->get(2, kMain, kPatience);
  LinkId other = *one.manager->get(2, kOther, kPatience);
  // Nothing is taken meanwhile: the thread that would is at the end of the other link.
  std::atomic<bool> isHeld = false;
  std::atomic<bool> goesOn = false;
  one.owner.onClose = [&, ends = one.owner.onClose](LinkId closing) {
    isHeld = closing == other;
    if (closing == other) {
      EXPECT_TRUE(eventually([&] { return goesOn.load(); }));
    }
    ends(closing);
  };
  one.manager->close(other, "had enough");
  ASSERT_TRUE(eventually([&] { return isHeld.load(); }));
  std::string reason = "a reason for which there is no room any more";
  int said = 0;
  piecesLeft = 0;
  base::survive([&] {
    for (; said < 3; said++) one.manager->failed(link, reason);
  });
  piecesLeft = -1;
  goesOn = true;
  EXPECT_EQ(said, 3);
  EXPECT_TRUE(eventually([&] { return two.downReasons().size() == 2; }));
  EXPECT_EQ(two.downReasons().back(), "node 1 closed: no memory");
}

}  // namespace
}  // namespace verbena::connect::testing
