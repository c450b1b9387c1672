// SPDX-License-Identifier: Apache-2.0
//
// What tests of exchanges between nodes of paper have in common.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "world.h"

namespace verbena::connect::testing {

using What = Told::What;

/// Whether each of them holds the end that the other's is connected to.
inline bool agree(const SimulatedNode& one, const SimulatedNode& other, LinkName name = kMain) {
  auto here = one.owner.held(one.live(other.id(), name));
  auto there = other.owner.held(other.live(one.id(), name));
  return here && there && here->far == there->own && there->far == here->own;
}

inline void expectInOrder(const SimulatedNode& node) {
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

}  // namespace verbena::connect::testing
