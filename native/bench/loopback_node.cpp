// SPDX-License-Identifier: Apache-2.0
#include "loopback_node.h"

#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "connect/manager.h"
#include "devices/providers.h"
#include "streams/engine.h"

namespace verbena::loopback {
namespace {

using Clock = std::chrono::steady_clock;
using streams::Engine;
using streams::LinkId;

constexpr uint32_t kStream = 1;
constexpr uint32_t kTripStream = 2;
constexpr uint32_t kTripBytes = 64;  // if the options say nothing
/// The manager counts its ids from 1.
constexpr LinkId kFirstIdle = 1ULL << 62;
/// Empty rounds before others get the core: the look at it is a system call, for which those who
/// have one each have no need.
constexpr int kPatience = 16;
constexpr int kLongPatience = 256;

template <typename T>
T must(base::Result<T> result) {
  if (!result) die(result.error().sentence().c_str());
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

/// Has always more, or nothing while it is off. Nobody reads what is sent, so nobody need write it.
class Endless final : public streams::Source {
 public:
  explicit Endless(uint32_t sizeBytes) : sizeBytes_(sizeBytes) {}
  void turn(bool on) { on_.store(on, std::memory_order_relaxed); }
  bool isOn() const { return on_.load(std::memory_order_relaxed); }
  uint64_t publishedEnd(uint64_t from, uint64_t maxBytes) override {
    if (!isOn()) return from;
    return from + (sizeBytes_ != 0 ? std::min<uint64_t>(sizeBytes_, maxBytes) : maxBytes);
  }

 private:
  uint64_t sizeBytes_;
  std::atomic<bool> on_{false};
};

class Silent final : public connect::Observer {
 public:
  void up(const connect::LinkUp&) override {}
  void down(LinkId, streams::NodeId, connect::LinkName, const std::string& reason) override {
    if (!ending) std::fprintf(stderr, "vbn-loopback: a connection is down: %s\n", reason.c_str());
  }
  void dialFailed(streams::NodeId, connect::LinkName, connect::Refusal,
                  const std::string&) override {}
  std::atomic<bool> ending{false};
};

streams::EngineOptions engineOptions(const Options& options, uint16_t self) {
  streams::EngineOptions chosen;
  chosen.self = self;
  chosen.maxConnections = options.nodes + 2 * options.idle;
  chosen.bufferBytes = options.bufferBytes;
  chosen.window = options.window;
  chosen.sendWorkRequests = std::max(64U, std::bit_ceil(options.window));
  // Everybody's whole window. Idle connections, which come later, get the smallest ones.
  chosen.receiveWorkRequests = 4 * (options.window + 1) * options.nodes;
  return chosen;
}

class Node {
 public:
  Node(const Options& options, uint16_t self, int line)
      : options_(options),
        self_(self),
        line_(line),
        patience_(options.nodes <= std::thread::hardware_concurrency() ? kLongPatience : kPatience),
        engine_(must(Engine::open(
            must(verbs::select(verbs::survey(devices::providers()), {.device = options.device})),
            engineOptions(options, self)))),
        manager_(start()) {
    engine_->report(*manager_);
  }

  int run() {
    exchangeAddresses();
    std::jthread progress([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) round();
    });
    openStreams();
    openIdle();
    tell(line_, "c", 1);
    progress.request_stop();
    progress.join();
    measure();
    end();
    return 0;
  }

 private:
  std::unique_ptr<connect::Manager> start() {
    std::random_device chance;
    connect::ManagerOptions chosen;
    chosen.self = self_;
    chosen.incarnation = (uint64_t{chance()} << 32 | chance()) | 1;
    chosen.listen = "127.0.0.1:0";
    // More processes than cores do not make peers dead.
    chosen.deadAfter = std::chrono::seconds(20);
    return must(connect::Manager::start(chosen, *engine_, observer_));
  }

  void exchangeAddresses() {
    Address own{};
    std::snprintf(own.text, sizeof own.text, "%s", manager_->address().c_str());
    tell(line_, &own, sizeof own);
    for (uint16_t node = 0; node < options_.nodes; node++) {
      Address address{};
      hear(line_, &address, sizeof address);
      if (node != self_) manager_->addPeer(node, address.text);
    }
  }

  void openStreams() {
    streams_.resize(options_.nodes);
    for (uint16_t node = 0; node < options_.nodes; node++) {
      if (node == self_) continue;
      Stream& stream = streams_[node];
      stream.id = must(manager_->get(node, streams::kStreams, std::chrono::seconds(20)));
      stream.source = std::make_unique<Endless>(options_.sizeBytes);
      openStream(stream.id, kStream, *stream.source);
    }
    if (makesTrips()) openStream(streams_[partner()].id, kTripStream, trip_);
  }

  void openStream(LinkId id, uint32_t number, streams::Source& source) {
    must(engine_->openStream(id, number, must(engine_->allocateRing(options_.ringBytes)), 0,
                             options_.ringBytes, source, 0));
  }

  bool makesTrips() const {
    return self_ < 2 && std::ranges::find(options_.phases, Pattern::Trip) != options_.phases.end();
  }
  uint16_t partner() const { return self_ == 0 ? 1 : 0; }

  /// From this node to itself: they are there, and carry nothing.
  void openIdle() {
    for (uint32_t i = 0; i < options_.idle; i++) {
      LinkId one = kFirstIdle + 2 * i, other = one + 1;
      connect::LinkEnd near = must(engine_->create({one, self_, streams::kStreams}));
      connect::LinkEnd far = must(engine_->create({other, self_, streams::kStreams}));
      must(engine_->connect(one, far));
      must(engine_->connect(other, near));
      engine_->ready(one);
      engine_->ready(other);
    }
  }

  size_t round() {
    size_t done = engine_->progress();
    streams::Arrival arrivals[64];
    while (size_t count = engine_->take(arrivals)) {
      uint32_t receives[std::size(arrivals)];
      for (size_t i = 0; i < count; i++) receives[i] = arrivals[i].receive;
      engine_->giveBack(std::span(receives, count));
      for (size_t i = 0; i < count; i++) arrived(arrivals[i]);
      done += count;
    }
    rounds_++;
    if (done != 0) busyRounds_++;
    empty_ = done == 0 ? empty_ + 1 : 0;
    if (empty_ > patience_) std::this_thread::yield();
    return done;
  }

  void arrived(const streams::Arrival& arrival) {
    if (arrival.stream != kTripStream) return;
    tripsArrived_ = arrival.position + arrival.bytes;
    if (self_ == 1) sendTrip(tripsArrived_);
  }

  void sendTrip(uint64_t end) {
    trip_.publish(end);
    engine_->pump(streams_[partner()].id);
  }

  std::vector<uint64_t> makeTrips(Clock::time_point end) {
    uint64_t size = options_.sizeBytes == 0 ? kTripBytes : options_.sizeBytes;
    std::vector<uint64_t> tookNs;
    for (Clock::time_point now = Clock::now(); now < end;) {
      Clock::time_point begun = now;
      uint64_t sent = tripsArrived_ + size;
      sendTrip(sent);
      while (tripsArrived_ != sent) round();
      now = Clock::now();
      tookNs.push_back(static_cast<uint64_t>((now - begun).count()));
    }
    std::ranges::sort(tookNs);
    return tookNs;
  }

  void runUntil(Clock::time_point end) {
    while (Clock::now() < end) {
      for (int i = 0; i < 32; i++) round();
    }
  }

  void measure() {
    int64_t startNs = 0;
    hear(line_, &startNs, sizeof startNs);
    Clock::time_point start{std::chrono::nanoseconds(startNs)};
    auto phase = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(options_.seconds));
    runUntil(start);
    std::vector<PhaseResult> results;
    for (Pattern pattern : options_.phases) {
      turnTo(pattern);
      runUntil(start + phase / 10);  // what the pattern before has left
      results.push_back(measureUntil(pattern, start + phase));
      start += phase;
    }
    turnOff();
    observer_.ending = true;  // others may be at their end before us
    tell(line_, results.data(), results.size() * sizeof(PhaseResult));
    char word = 0;
    while (recv(line_, &word, 1, MSG_DONTWAIT) < 0) round();
  }

  PhaseResult measureUntil(Pattern pattern, Clock::time_point end) {
    streams::EngineCounters before = engine_->counters();
    uint64_t rounds = rounds_, busy = busyRounds_;
    Clock::time_point begun = Clock::now();
    std::vector<uint64_t> trips;
    if (pattern == Pattern::Trip && self_ == 0) trips = makeTrips(end);
    runUntil(end);
    streams::EngineCounters after = engine_->counters();
    return {std::chrono::duration<double>(Clock::now() - begun).count(),
            after.sends - before.sends,
            after.sendBytes - before.sendBytes,
            after.arrivalBytes - before.arrivalBytes,
            after.reports - before.reports,
            rounds_ - rounds,
            busyRounds_ - busy,
            trips.size(),
            trips.empty() ? 0 : trips[trips.size() / 2],
            trips.empty() ? 0 : trips[trips.size() * 99 / 100]};
  }

  void turnTo(Pattern pattern) {
    for (uint16_t node = 0; node < options_.nodes; node++) {
      if (node == self_) continue;
      streams_[node].source->turn(sends(pattern, options_.nodes, self_, node));
      engine_->interest(streams_[node].id);
    }
  }

  void turnOff() {
    for (Stream& stream : streams_) {
      if (stream.source != nullptr) stream.source->turn(false);
    }
  }

  /// The manager's end waits for the engine's word on each connection, which it gets in rounds. Of
  /// idle ones it does not know, and must not hear after its end: they go with the engine.
  void end() {
    for (Stream& stream : streams_) {
      if (stream.source != nullptr) engine_->closeStream(stream.id, kStream);
    }
    if (makesTrips()) engine_->closeStream(streams_[partner()].id, kTripStream);
    std::jthread progress([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) round();
    });
    manager_.reset();
  }

  struct Stream {
    LinkId id = 0;
    std::unique_ptr<Endless> source;
  };

  const Options& options_;
  uint16_t self_;
  int line_;
  int patience_;
  Silent observer_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<connect::Manager> manager_;
  std::vector<Stream> streams_;
  streams::PublishedPosition trip_;
  uint64_t tripsArrived_ = 0;  // position
  uint64_t rounds_ = 0;
  uint64_t busyRounds_ = 0;
  int empty_ = 0;
};

}  // namespace

void die(const char* what) {
  std::fprintf(stderr, "vbn-loopback: %s\n", what);
  std::exit(1);
}

void tell(int line, const void* bytes, size_t count) {
  if (send(line, bytes, count, MSG_NOSIGNAL) != static_cast<ssize_t>(count)) {
    die("another process has gone");
  }
}

void hear(int line, void* bytes, size_t count) {
  if (recv(line, bytes, count, MSG_WAITALL) != static_cast<ssize_t>(count)) {
    die("another process has gone");
  }
}

int runNode(const Options& options, uint16_t self, int line) {
  return Node(options, self, line).run();
}

}  // namespace verbena::loopback
