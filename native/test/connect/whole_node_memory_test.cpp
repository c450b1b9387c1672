// SPDX-License-Identifier: Apache-2.0
//
// A whole node closes where there is no memory left, and ends neither itself nor its process.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "../softnic/processes.h"
#include "../softnic/scarce_memory.h"
#include "whole_node.h"

namespace verbena::connect::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Child;
using softnic::testing::Folders;
using softnic::testing::Line;
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
class NodeWithoutMemory : public ::testing::TestWithParam<int> {};

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

}  // namespace
}  // namespace verbena::connect::testing
