// SPDX-License-Identifier: Apache-2.0
#include "live_node.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <thread>

#include "world.h"

namespace verbena::connect::testing {

bool eventually(const std::function<bool()>& holds) {
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return holds();
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

LiveNode::LiveNode(NodeId nodeId, const std::function<void(ManagerOptions&)>& change) : id(nodeId) {
  ManagerOptions options;
  options.self = nodeId;
  std::random_device random;
  options.incarnation = (uint64_t{random()} << 32 | random()) | 1;
  options.listen = "127.0.0.1:0";
  options.key = keyOf("a cluster key");
  if (change) change(options);
  owner.nextNumber = [next = random() & 0xffffff]() mutable { return ++next & 0xffffff; };
  owner.onClose = [this](LinkId closing) {
    owner.gone(closing);
    manager->closed(closing);  // any thread may say so, the job thread, too
  };
  auto started = Manager::start(options, owner, *this, [this](Manager& made) { manager = &made; });
  if (!started) throw std::runtime_error(started.error().sentence());
  owned_ = std::move(*started);
}

LiveNode::~LiveNode() {
  owned_.reset();
  EXPECT_EQ(owner.count(), 0U);
  EXPECT_EQ(owner.breaches(), std::vector<std::string>{});
}

void LiveNode::up(const LinkUp& link) {
  EXPECT_EQ(manager->find(link.peer, link.name), 0U) << "found before the observer was told";
}

void LiveNode::down(LinkId, NodeId peer, LinkName name, const std::string& reason) {
  EXPECT_EQ(manager->find(peer, name), 0U) << "found after it went down";
  std::lock_guard held(lock_);
  downs_.push_back(reason);
}

void LiveNode::dialFailed(NodeId, LinkName, Refusal why, const std::string& reason) {
  std::lock_guard held(lock_);
  failures_.emplace_back(why, reason);
}

void LiveNode::introduce(LiveNode& one, LiveNode& other) {
  one.manager->addPeer(other.id, other.manager->address());
  other.manager->addPeer(one.id, one.manager->address());
}

std::vector<std::string> LiveNode::downReasons() const {
  std::lock_guard held(lock_);
  return downs_;
}

std::vector<std::pair<Refusal, std::string>> LiveNode::failures() const {
  std::lock_guard held(lock_);
  return failures_;
}

bool LiveNode::connected(const LiveNode& one, const LiveNode& other) {
  auto here = one.owner.held(one.manager->find(other.id, kMain));
  auto there = other.owner.held(other.manager->find(one.id, kMain));
  return here && there && here->far == there->own && there->far == here->own;
}

}  // namespace verbena::connect::testing
