// SPDX-License-Identifier: Apache-2.0
//
// Nodes with several services on one worker, over softnic and real sessions.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "../softnic/ends.h"
#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "node/node.h"
#include "streams/engine.h"

namespace verbena::node::testing {
namespace {

using fabric::Done;
using fabric::kOneSided;
using fabric::Operation;
using fabric::Region;
using fabric::RegionKey;
using fabric::Request;
using softnic::testing::Folders;
using softnic::testing::kPatience;
using softnic::testing::must;
using streams::kStreams;
using namespace std::chrono_literals;

/// What a node serves.
enum Services : unsigned { kStreamsAlone = 1, kMemoryAlone = 2, kBoth = 3 };

/// A node with its services, and a thread that does its rounds.
class Served {
 public:
  Served(connect::NodeId id, uint64_t incarnation, unsigned services = kBoth)
      : owner{id, incarnation} {
    NodeOptions options;
    options.device.device = "softnic";
    options.worker = {.maxLinks = 32};
    options.manager.self = id;
    options.manager.incarnation = incarnation;
    options.manager.listen = "127.0.0.1:0";
    node = must(Node::open(options));
    if ((services & kStreamsAlone) != 0) addStreams(id);
    if ((services & kMemoryAlone) != 0) addMemory();
    must(node->start());
    rounds_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) round();
    });
  }
  ~Served() {
    rounds_ = {};
    node.reset();
  }

  connect::LinkId linkTo(const Served& other, connect::LinkName name) {
    node->manager().addPeer(other.owner.node, other.node->manager().address());
    return must(node->manager().get(other.owner.node, name, kPatience));
  }
  std::shared_ptr<Region> region(size_t bytes) const {
    return must(Region::allocate(node->worker().sharedDomain(), owner, bytes));
  }
  /// Posts one operation and waits for its end.
  Done::Outcome run(connect::LinkId link, const Request& request) {
    auto end = std::chrono::steady_clock::now() + kPatience;
    while (must(memory->post(link, std::span(&request, 1))) == 0) std::this_thread::yield();
    Done done{};
    while (memory->poll(std::span(&done, 1)) == 0) {
      if (std::chrono::steady_clock::now() > end) return Done::Outcome::unknown;
      std::this_thread::yield();
    }
    return done.outcome;
  }
  /// Whether there was news of this kind of a link of this name, within patience.
  bool hears(News::Kind kind, connect::LinkName name) {
    for (auto end = std::chrono::steady_clock::now() + kPatience;
         std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(1ms)) {
      std::lock_guard guard(lock_);
      for (const News& each : news_) {
        if (each.kind == kind && each.name == name) return true;
      }
    }
    return false;
  }

  const fabric::Owner owner;
  std::unique_ptr<streams::Engine> engine;
  std::unique_ptr<fabric::OneSided> memory;
  std::unique_ptr<Node> node;

 private:
  void addStreams(connect::NodeId id) {
    streams::EngineOptions options;
    options.self = id;
    options.maxConnections = 16;
    options.receiveWorkRequests = 64;
    engine = must(streams::Engine::on(node->worker(), options));
    must(node->add(kStreams.service, engine->service(), 16));
  }
  void addMemory() {
    memory = must(fabric::OneSided::on(node->worker(), {.links = 16}));
    must(node->add(kOneSided.service, *memory, 16));
  }
  void round() {
    size_t done = node->worker().progress();
    {
      std::lock_guard guard(lock_);
      while (auto one = node->takeNews()) news_.push_back(std::move(*one));
    }
    if (done == 0) std::this_thread::sleep_for(50us);
  }

  std::mutex lock_;
  std::vector<News> news_;
  std::jthread rounds_;
};

Request put(const Region& from, const RegionKey& key, uint64_t length) {
  return {.operation = Operation::put, .local = &from, .key = key, .length = length};
}

class NodeServices : public ::testing::Test {
 protected:
  Folders folders_;
};

TEST_F(NodeServices, EachHasALinkOfItsOwnInOneSession) {
  Served one(1, 101), two(2, 202);
  connect::LinkId memory = one.linkTo(two, kOneSided);
  connect::LinkId streams = one.linkTo(two, kStreams);
  EXPECT_NE(memory, streams);
  auto here = one.region(4096), there = two.region(4096);
  std::memset(here->bytes().data(), 7, 4096);
  RegionKey key = must(there->share(0, 4096, fabric::kRemotePut));
  EXPECT_EQ(one.run(memory, put(*here, key, 4096)), Done::Outcome::done);
  EXPECT_EQ(there->bytes()[4095], std::byte{7});
  EXPECT_EQ(one.engine->writeControl(streams, std::as_bytes(std::span("word"))), 5U);
  EXPECT_TRUE(one.hears(News::Kind::up, kStreams) && two.hears(News::Kind::up, kOneSided));
}

TEST_F(NodeServices, ALinkIsOfNoUseToAnotherService) {
  Served one(1, 101), two(2, 202);
  connect::LinkId memory = one.linkTo(two, kOneSided);
  connect::LinkId streams = one.linkTo(two, kStreams);
  auto here = one.region(64), there = two.region(64);
  Request request = put(*here, must(there->share(0, 64, fabric::kRemotePut)), 8);
  EXPECT_EQ(one.memory->post(streams, std::span(&request, 1)).error().code, ENOTCONN);
  EXPECT_EQ(one.engine->writeControl(memory, std::as_bytes(std::span("word"))), 0U);
  auto ring = must(one.engine->allocateRing(4096));
  streams::PublishedPosition source;
  EXPECT_EQ(one.engine->openStream(memory, 1, ring, 0, 4096, source, 0).error().code, ENOTCONN);
}

TEST_F(NodeServices, OneThatTheFarSideHasNotIsDeclinedAndTheOthersGoOn) {
  Served one(1, 101), two(2, 202, kMemoryAlone);
  connect::LinkId memory = one.linkTo(two, kOneSided);
  auto refused = one.node->manager().get(2, kStreams, kPatience);
  EXPECT_NE(refused.error().sentence().find("nothing here speaks for it"), std::string::npos)
      << refused.error().sentence();
  auto here = one.region(64), there = two.region(64);
  RegionKey key = must(there->share(0, 64, fabric::kRemotePut));
  EXPECT_EQ(one.run(memory, put(*here, key, 64)), Done::Outcome::done);
}

TEST_F(NodeServices, AKeyOfAFormerLifeDoesNotWorkInTheNext) {
  Served one(1, 101);
  auto here = one.region(64);
  RegionKey former;
  {
    Served two(2, 202);
    connect::LinkId link = one.linkTo(two, kOneSided);
    auto there = two.region(64);
    former = must(there->share(0, 64, fabric::kRemotePut));
    EXPECT_EQ(one.run(link, put(*here, former, 8)), Done::Outcome::done);
  }
  EXPECT_TRUE(one.hears(News::Kind::down, kOneSided));
  Served again(2, 203);
  connect::LinkId link = one.linkTo(again, kOneSided);
  Request request = put(*here, former, 8);
  EXPECT_EQ(one.memory->post(link, std::span(&request, 1)).error().code, ESTALE);
}

TEST_F(NodeServices, StreamsAreRefusedThatDoNotFitTheWorker) {
  NodeOptions options;
  options.device.device = "softnic";
  options.worker = {.maxLinks = 4, .sendWorkRequests = 32};
  auto node = must(Node::open(options));
  auto sentence = [&](const streams::EngineOptions& of) {
    return streams::Engine::on(node->worker(), of).error().sentence();
  };
  EXPECT_NE(sentence({.maxConnections = 5}).find("maxConnections of 5"), std::string::npos);
  EXPECT_NE(sentence({.maxConnections = 4}).find("sendWorkRequests of 64"), std::string::npos);
}

TEST_F(NodeServices, NumbersAreOneServicesEach) {
  NodeOptions options;
  options.device.device = "softnic";
  options.worker = {.maxLinks = 4};
  auto node = must(Node::open(options));
  auto memory = must(fabric::OneSided::on(node->worker()));
  auto other = must(fabric::OneSided::on(node->worker()));
  must(node->add(2, *memory, 3));
  EXPECT_EQ(node->add(2, *other, 1).error().code, EINVAL);
  EXPECT_EQ(node->add(0, *other, 1).error().code, EINVAL);
  EXPECT_EQ(node->add(3, *other, 2).error().code, EINVAL) << "there are four places";
  node.reset();
}

}  // namespace
}  // namespace verbena::node::testing
