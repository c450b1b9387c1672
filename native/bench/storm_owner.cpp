// SPDX-License-Identifier: Apache-2.0
#include "storm_owner.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "devices/providers.h"
#include "streams/engine.h"
#include "verbs/survey.h"

namespace verbena::bench {
namespace {

using connect::LinkId;
using connect::NodeId;
using streams::Engine;

class WithoutQueuePairs final : public StormOwner, connect::LinkOwner {
 public:
  explicit WithoutQueuePairs(NodeId self) : self_(self) {}

  connect::LinkOwner& links() override { return *this; }
  void report(connect::Lifecycle& to) override { lifecycle_ = &to; }
  void greet(LinkId, NodeId) override {}
  size_t greeted() const override { return greeted_.load(std::memory_order_relaxed); }

  base::Result<connect::LinkEnd> create(const connect::NewLink& link) override {
    peers_[link.id] = link.peer;
    return endOf(self_, link.peer);
  }
  base::Result<void> connect(LinkId id, const connect::LinkEnd& far) override {
    if (far != endOf(peers_[id], self_)) {
      return base::Error{"connect", "", EINVAL, "the far end belongs to others"};
    }
    connected_.insert(peers_[id]);
    greeted_.store(connected_.size(), std::memory_order_relaxed);
    return {};
  }
  void ready(LinkId) override {}
  void close(LinkId id, const std::string&) override { lifecycle_->closed(id); }

 private:
  /// Names who made it for whom.
  static connect::LinkEnd endOf(NodeId maker, NodeId peer) {
    const NodeId both[] = {maker, peer};
    return connect::LinkEnd(std::as_bytes(std::span(both)));
  }

  const NodeId self_;
  connect::Lifecycle* lifecycle_ = nullptr;
  std::map<LinkId, NodeId> peers_;  // of the job thread, as what follows
  std::set<NodeId> connected_;
  std::atomic<size_t> greeted_{0};  // tells of itself alone: relaxed
};

template <typename T>
T must(base::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().sentence());
  return std::move(result).value();
}

/// Small buffers and queues: a hundred nodes share one host, and say little.
streams::EngineOptions optionsFor(NodeId self, NodeId nodes) {
  streams::EngineOptions options;
  options.self = self;
  // Twice: a connection that replaces another is made while that one still drains.
  options.maxConnections = 2U * nodes;
  options.sendWorkRequests = 16;
  options.signalEvery = 8;
  options.bufferBytes = 1024;
  options.receiveWorkRequests = 16U * nodes;
  options.window = 8;
  options.controlRingBytes = 1024;
  return options;
}

std::unique_ptr<Engine> openEngine(NodeId self, NodeId nodes) {
  verbs::Selection port =
      must(verbs::select(verbs::survey(devices::providers()), {.device = "softnic"}));
  return must(Engine::open(port, optionsFor(self, nodes)));
}

/// A whole hello is one send: a control stream is sent as it was written.
struct Hello {
  NodeId from;
  NodeId to;
};

class OnEngine final : public StormOwner {
 public:
  OnEngine(NodeId self, NodeId nodes)
      : self_(self), engine_(openEngine(self, nodes)), thread_([this](const std::stop_token& stop) {
          while (!stop.stop_requested()) round();
        }) {}

  connect::LinkOwner& links() override { return *engine_; }
  void report(connect::Lifecycle& to) override { engine_->report(to); }
  void greet(LinkId id, NodeId peer) override {
    Hello hello{self_, peer};
    engine_->writeControl(id, std::as_bytes(std::span(&hello, 1)));
    engine_->interest(id);
  }
  size_t greeted() const override { return greeted_.load(std::memory_order_relaxed); }

 private:
  void round() {
    if (work()) return;
    engine_->arm();
    // The time out ends the thread, too: nobody calls wake() for it.
    if (!work()) engine_->wait(std::chrono::milliseconds(10));
  }

  bool work() {
    bool done = engine_->progress() != 0;
    streams::Arrival arrivals[16];
    while (size_t count = engine_->take(arrivals)) {
      for (size_t i = 0; i < count; i++) hear(arrivals[i]);
      done = true;
    }
    return done;
  }

  void hear(const streams::Arrival& arrival) {
    Hello hello{};
    if (arrival.bytes == sizeof hello) {
      std::memcpy(&hello, arrival.pieces[0].start, sizeof hello);
      if (hello.to == self_) greeters_.insert(hello.from);
    }
    engine_->giveBack(arrival.receive);
    greeted_.store(greeters_.size(), std::memory_order_relaxed);
  }

  const NodeId self_;
  std::unique_ptr<Engine> engine_;
  std::set<NodeId> greeters_;       // of the thread
  std::atomic<size_t> greeted_{0};  // tells of itself alone: relaxed
  std::jthread thread_;             // last: ends first
};

}  // namespace

std::unique_ptr<StormOwner> ownerWithoutQueuePairs(NodeId self) {
  return std::make_unique<WithoutQueuePairs>(self);
}

std::unique_ptr<StormOwner> engineOnSoftnic(NodeId self, NodeId nodes) {
  return std::make_unique<OnEngine>(self, nodes);
}

}  // namespace verbena::bench
