// SPDX-License-Identifier: Apache-2.0
//
// Nodes, a network and a clock of paper: everything that happens is drawn from one seed, and a
// second takes microseconds.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "connect/exchange.h"
#include "fake_owner.h"

namespace verbena::connect::testing {

using namespace std::chrono_literals;

class World;

/// What the observer of one node was told.
struct Told {
  enum class What { up, down, dialFailed, reachable };
  What what;
  NodeId peer;
  LinkId id = 0;
  std::string text;
  Refusal why = Refusal::none;
  bool flag = false;  ///< dialled, or answers
  uint64_t incarnation = 0;
  LinkName name{};
};

/// One life of one node.
class SimulatedNode final : public Outside, public Observer {
 public:
  SimulatedNode(World& world, const ManagerOptions& options, const Address& address);

  void send(const Address& to, const Datagram& packet) override;
  void fillRandom(std::span<std::byte> bytes) override;
  void expectEnds(size_t) override {}
  void up(const LinkUp& link) override;
  void down(LinkId id, NodeId peer, LinkName name, const std::string& reason) override;
  void notUp(LinkId id, LinkName name, const std::string& reason) override;
  void gone(LinkId id, NodeId peer) override;
  void dialFailed(NodeId peer, LinkName name, Refusal why, const std::string& reason) override;
  void reachable(NodeId peer, bool answers) override;

  NodeId id() const { return options.self; }
  const Told* last(Told::What what) const;
  size_t count(Told::What what) const;
  LinkId live(NodeId peer, LinkName name = kMain) const;
  void dial(NodeId peer, Time timeout = 10s) { dial(peer, kMain, timeout); }
  void dial(NodeId peer, LinkName name, Time timeout = 10s);
  void addPeer(const SimulatedNode& peer);

  World& world;
  ManagerOptions options;
  Address address;
  Counts counts;
  FakeOwner owner;
  std::vector<Told> told;
  std::map<std::pair<NodeId, LinkName>, LinkId> upNow;
  std::map<LinkId, std::string> neverUp;  ///< and why
  std::set<LinkId> endedUp;               ///< that were down
  std::set<LinkId> goneForGood;
  std::vector<std::string> breaches;
  std::unique_ptr<Exchange> exchange;
};

struct Sent {
  NodeId source;
  Address from;
  Address to;
  Datagram packet;
};

class World {
 public:
  explicit World(uint64_t seed = 1) : random(seed) {}

  /// A new life at this port of 10.0.0.0/8; what was there is gone without a word.
  SimulatedNode& start(NodeId id, uint16_t port, std::function<void(ManagerOptions&)> change = {});
  void kill(SimulatedNode& node);
  SimulatedNode* at(const Address& address);

  void run(Time duration);
  /// False when it did not come true in the time.
  bool runUntil(const std::function<bool()>& holds, Time limit = 20s);
  void after(Time delay, std::function<void()> action);
  /// Delivers a datagram as it is, now.
  void inject(const Address& from, const Address& to, std::span<const std::byte> datagram);

  bool chance(unsigned perMille) { return random() % 1000 < perMille; }
  Time between(Time least, Time most);
  void deliverLater(const Sent& sent);

  std::mt19937_64 random;
  Time now = 100s;
  unsigned lossPerMille = 0;
  unsigned duplicatePerMille = 0;
  unsigned replayPerMille = 0;
  Time leastDelay = 50us;
  Time mostDelay = 200us;
  Time mostClosing = 5ms;
  bool bounces = false;  ///< packets to nobody are reported to their sender
  std::function<bool(const Sent&)> drops;
  std::vector<std::unique_ptr<SimulatedNode>> nodes;
  std::vector<Sent> sent;  ///< everything since the last clear
  uint32_t lastNumber = 0;

 private:
  friend class SimulatedNode;
  bool step(Time limit);
  void route(const Sent& packet);

  struct Event {
    Time at;
    uint64_t order;
    std::function<void()> action;
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  std::vector<Event> events_;  ///< a heap, earliest first
  uint64_t lastOrder_ = 0;
  std::vector<std::unique_ptr<SimulatedNode>> dead_;
};

Address addressAt(uint16_t port);
std::vector<std::byte> keyOf(const std::string& text);

}  // namespace verbena::connect::testing
