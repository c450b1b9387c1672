// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <algorithm>
#include <cerrno>

namespace verbena::connect::testing {

Address addressAt(uint16_t port) {
  return *Address::parse("10.0.0.1:" + std::to_string(port));
}

std::vector<std::byte> keyOf(const std::string& text) {
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

SimulatedNode::SimulatedNode(World& inWorld, const ManagerOptions& nodeOptions,
                             const Address& ownAddress)
    : world(inWorld), options(nodeOptions), address(ownAddress) {
  exchange = std::make_unique<Exchange>(options, *this, owner, *this, counts);
  owner.nextNumber = [this] { return ++world.lastNumber; };
  owner.onClose = [this](LinkId id) {
    world.after(world.between(0ns, world.mostClosing), [this, id] {
      owner.gone(id);
      if (exchange) exchange->closed(world.now, id);
    });
  };
}

void SimulatedNode::send(const Address& to, const Datagram& packet) {
  world.route({options.self, address, to, packet});
}

void SimulatedNode::fillRandom(std::span<std::byte> bytes) {
  for (std::byte& each : bytes) each = static_cast<std::byte>(world.random());
}

void SimulatedNode::up(const LinkUp& link) {
  told.push_back({Told::What::up, link.peer, link.id, link.address, Refusal::none, link.dialled,
                  link.incarnation, link.name});
  std::optional<FakeOwner::Held> held = owner.held(link.id);
  if (!held || held->stage != FakeOwner::Stage::ready) breaches.push_back("up before ready");
  bool isFirst = upNow.try_emplace({link.peer, link.name}, link.id).second;
  if (!isFirst) breaches.push_back("up while another one is");
}

void SimulatedNode::down(LinkId id, NodeId peer, LinkName name, const std::string& reason) {
  told.push_back({Told::What::down, peer, id, reason, Refusal::none, false, 0, name});
  if (live(peer, name) != id) breaches.push_back("down without having been up");
  std::optional<FakeOwner::Held> held = owner.held(id);
  if (!held || held->stage != FakeOwner::Stage::ready) breaches.push_back("down after close");
  upNow.erase({peer, name});
  endedUp.insert(id);
}

void SimulatedNode::notUp(LinkId id, LinkName, const std::string& reason) {
  if (!neverUp.emplace(id, reason).second) breaches.push_back("told twice that it is not up");
  if (endedUp.contains(id)) breaches.push_back("not up, though it was down");
  for (auto& [wanted, live] : upNow) {
    if (live == id) breaches.push_back("not up, though it is");
  }
}

void SimulatedNode::gone(LinkId id, NodeId peer) {
  for (auto& [wanted, live] : upNow) {
    if (live == id) breaches.push_back("gone while it is up, with " + nameOf(peer));
  }
  if (!endedUp.contains(id) && !neverUp.contains(id)) breaches.push_back("gone without a reason");
  if (owner.held(id)) breaches.push_back("gone before its end is");
  if (!goneForGood.insert(id).second) breaches.push_back("gone twice");
}

void SimulatedNode::dialFailed(NodeId peer, LinkName name, Refusal why, const std::string& reason) {
  told.push_back({Told::What::dialFailed, peer, 0, reason, why, false, 0, name});
}

void SimulatedNode::reachable(NodeId peer, bool answers) {
  told.push_back({Told::What::reachable, peer, 0, "", Refusal::none, answers, 0, {}});
}

const Told* SimulatedNode::last(Told::What what) const {
  auto found =
      std::find_if(told.rbegin(), told.rend(), [&](const Told& t) { return t.what == what; });
  return found == told.rend() ? nullptr : &*found;
}

size_t SimulatedNode::count(Told::What what) const {
  return static_cast<size_t>(
      std::count_if(told.begin(), told.end(), [&](const Told& t) { return t.what == what; }));
}

LinkId SimulatedNode::live(NodeId peer, LinkName name) const {
  auto found = upNow.find({peer, name});
  return found == upNow.end() ? 0 : found->second;
}

void SimulatedNode::dial(NodeId peer, LinkName name, Time timeout) {
  exchange->dial(world.now, peer, name, timeout);
}

void SimulatedNode::addPeer(const SimulatedNode& peer) {
  exchange->addPeer(world.now, peer.id(), {peer.address});
}

SimulatedNode& World::start(NodeId id, uint16_t port, std::function<void(ManagerOptions&)> change) {
  Address address = addressAt(port);
  if (SimulatedNode* before = at(address)) kill(*before);
  ManagerOptions options;
  options.self = id;
  options.incarnation = random() | 1;
  options.key = keyOf("a cluster key");
  if (change) change(options);
  nodes.push_back(std::make_unique<SimulatedNode>(*this, options, address));
  return *nodes.back();
}

void World::kill(SimulatedNode& node) {
  auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](auto& each) { return each.get() == &node; });
  node.exchange.reset();
  dead_.push_back(std::move(*found));  // events may still name it
  nodes.erase(found);
}

SimulatedNode* World::at(const Address& address) {
  for (auto& each : nodes) {
    if (each->address == address) return each.get();
  }
  return nullptr;
}

Time World::between(Time least, Time most) {
  auto span = static_cast<uint64_t>((most - least).count());
  return least + Time{static_cast<int64_t>(random() % (span + 1))};
}

void World::after(Time delay, std::function<void()> action) {
  events_.push_back({now + delay, ++lastOrder_, std::move(action)});
  std::push_heap(events_.begin(), events_.end(), std::greater<>());
}

void World::inject(const Address& from, const Address& to, std::span<const std::byte> datagram) {
  SimulatedNode* node = at(to);
  if (node != nullptr) node->exchange->receive(now, from, datagram);
}

void World::deliverLater(const Sent& packet) {
  after(between(leastDelay, mostDelay), [this, packet] {
    if (at(packet.to) != nullptr) return inject(packet.from, packet.to, packet.packet);
    SimulatedNode* sender = at(packet.from);
    if (bounces && sender != nullptr) sender->exchange->unreachable(now, packet.to, ECONNREFUSED);
  });
}

void World::route(const Sent& packet) {
  sent.push_back(packet);
  if (replayPerMille != 0 && chance(replayPerMille)) deliverLater(sent[random() % sent.size()]);
  if (drops && drops(packet)) return;
  if (chance(lossPerMille)) return;
  deliverLater(packet);
  if (chance(duplicatePerMille)) deliverLater(packet);
}

bool World::step(Time limit) {
  Time next = events_.empty() ? Time::max() : events_.front().at;
  SimulatedNode* due = nullptr;
  for (auto& each : nodes) {
    std::optional<Time> timer = each->exchange->nextTimer();
    if (!timer || std::max(*timer, now) >= next) continue;
    next = std::max(*timer, now);
    due = each.get();
  }
  if (next > limit) {
    now = limit;
    return false;
  }
  now = std::max(now, next);
  if (due != nullptr) {
    due->exchange->advance(now);
    return true;
  }
  std::pop_heap(events_.begin(), events_.end(), std::greater<>());
  Event event = std::move(events_.back());
  events_.pop_back();
  event.action();
  return true;
}

void World::run(Time duration) {
  Time end = now + duration;
  while (step(end)) {
  }
}

bool World::runUntil(const std::function<bool()>& holds, Time limit) {
  Time end = now + limit;
  while (!holds()) {
    if (!step(end)) return holds();
  }
  return true;
}

}  // namespace verbena::connect::testing
