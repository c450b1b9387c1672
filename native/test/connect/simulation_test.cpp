// SPDX-License-Identifier: Apache-2.0
//
// Seeded: a failure prints its seed; VERBENA_SEED runs that one alone, VERBENA_SEEDS so many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>

#include "exchanges.h"

namespace verbena::connect::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSeeds = 150;
#else
constexpr uint64_t kSeeds = 1500;
#endif

uint64_t number(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// The links that each pair of nodes may have.
constexpr LinkName kNames[] = {kMain, {1, 1}, {7, 0}};

/// One seed: a few nodes, some of which misbehave for ten seconds; then the network heals.
class Scenario {
 public:
  explicit Scenario(uint64_t seed) : world_(seed) {
    nodeCount_ = static_cast<NodeId>(2 + world_.random() % 4);
    world_.lossPerMille = pick({0, 50, 300});
    world_.duplicatePerMille = pick({0, 50, 300});
    world_.replayPerMille = pick({0, 20, 200});
    world_.mostDelay = pick({0, 1, 1}) == 0 ? 200us : Time(20ms);
    world_.mostClosing = pick({0, 1, 1}) == 0 ? Time(0ns) : Time(30ms);
    world_.drops = [this](const Sent& sent) { return partitioned(sent); };
    for (NodeId id = 0; id < nodeCount_; id++) start(id);
  }

  void misbehave() {
    for (int i = 0; i < 60; i++) {
      act();
      world_.run(world_.between(0ns, 300ms));
      checkUnique();
    }
  }

  void heal() {
    world_.lossPerMille = world_.duplicatePerMille = world_.replayPerMille = 0;
    partitionAt_ = 0;
    world_.run(5s);
  }

  void expectAllToAll() {
    EXPECT_TRUE(world_.runUntil([this] {
      dialAll();
      world_.run(500ms);
      return allAgree();
    }));
    // And it stays so.
    size_t created = everCreated();
    world_.run(5s);
    EXPECT_TRUE(allAgree());
    EXPECT_EQ(created, everCreated());
  }

  void shutDown() {
    for (auto& node : world_.nodes) node->exchange->shutDown(world_.now);
    world_.run(1s);
    for (auto& node : world_.nodes) {
      EXPECT_TRUE(node->exchange->idle());
      EXPECT_EQ(node->owner.count(), 0U);
      EXPECT_EQ(node->goneForGood.size(), node->owner.everCreated());
    }
    checkUnique();
  }

 private:
  unsigned pick(std::initializer_list<unsigned> choices) {
    return choices.begin()[world_.random() % choices.size()];
  }

  void start(NodeId id) {
    SimulatedNode& made = world_.start(id, static_cast<uint16_t>(1000 + id));
    for (NodeId other = 0; other < nodeCount_; other++) {
      Address address = addressAt(static_cast<uint16_t>(1000 + other));
      if (other != id) made.exchange->addPeer(world_.now, other, {address});
    }
  }

  SimulatedNode& any() { return *world_.nodes[world_.random() % world_.nodes.size()]; }

  void act() {
    SimulatedNode& node = any();
    NodeId peer = any().id();
    LinkName name = kNames[world_.random() % std::size(kNames)];
    switch (world_.random() % 10) {
      case 0: start(node.id()); break;  // the old life ends without a word
      case 1: partitionAt_ = static_cast<NodeId>(world_.random() % (nodeCount_ + 1)); break;
      case 2:
        if (node.live(peer, name) != 0) {
          node.exchange->close(world_.now, node.live(peer, name), "tired");
        }
        break;
      default: node.dial(peer, name, world_.between(1ms, 2s)); break;
    }
  }

  bool partitioned(const Sent& sent) const {
    bool sourceIsLow = sent.from.port < 1000 + partitionAt_;
    bool targetIsLow = sent.to.port < 1000 + partitionAt_;
    return sourceIsLow != targetIsLow;
  }

  void dialAll() {
    for (auto& node : world_.nodes) {
      for (NodeId peer = 0; peer < nodeCount_; peer++) {
        for (LinkName name : kNames) {
          if (peer != node->id() && node->live(peer, name) == 0) node->dial(peer, name, 5s);
        }
      }
    }
  }

  bool allAgree() const {
    for (auto& one : world_.nodes) {
      for (auto& other : world_.nodes) {
        for (LinkName name : kNames) {
          if (one != other && !agree(*one, *other, name)) return false;
        }
      }
    }
    return true;
  }

  size_t everCreated() const {
    size_t sum = 0;
    for (auto& node : world_.nodes) sum += node->owner.everCreated();
    return sum;
  }

  void checkUnique() {
    for (auto& node : world_.nodes) {
      EXPECT_EQ(node->owner.breaches(), std::vector<std::string>{});
      EXPECT_EQ(node->breaches, std::vector<std::string>{});
    }
  }

  World world_;
  NodeId nodeCount_;
  NodeId partitionAt_ = 0;
};

TEST(Simulation, ConnectsAllToAllAfterAnythingTheNetworkDid) {
  uint64_t only = number("VERBENA_SEED", 0);
  uint64_t first = only == 0 ? 1 : only;
  uint64_t last = only == 0 ? number("VERBENA_SEEDS", kSeeds) : only;
  for (uint64_t seed = first; seed <= last; seed++) {
    Scenario scenario(seed);
    scenario.misbehave();
    scenario.heal();
    scenario.expectAllToAll();
    scenario.shutDown();
    ASSERT_FALSE(HasFailure()) << "VERBENA_SEED=" << seed
                               << " connect-test --gtest_filter='Simulation.*'";
  }
}

}  // namespace
}  // namespace verbena::connect::testing
