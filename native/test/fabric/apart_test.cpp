// SPDX-License-Identifier: Apache-2.0
//
// One-sided memory between processes that have nothing but TCP in common: softnic's wire, on this
// host's loopback and between two network namespaces, with connections that are cut under way.
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "../softnic/over_tcp.h"
#include "../softnic/processes.h"
#include "memories.h"
#include "softnic/device/context.h"
#include "softnic/wire/tcp_link.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::Child;
using softnic::testing::fill;
using softnic::testing::holds;
using softnic::testing::Line;
using softnic::testing::OverTcp;
using Clock = std::chrono::steady_clock;
using Outcome = Done::Outcome;

constexpr connect::LinkId kLink = 7;
constexpr size_t kBytes = 1 << 20;
constexpr size_t kPiece = 64 << 10;
constexpr size_t kCounter = 15 * kPiece;  // behind the pieces of a round
constexpr uint64_t kPieces = 8;

verbs::Wiring wiringAt(const std::string& address, bool keyed) {
  verbs::Wiring wiring{.listen = address};
  if (keyed) wiring.key.assign(32, std::byte{7});
  return wiring;
}

bool run(const std::string& command) {
  return std::system((command + " 2>/dev/null").c_str()) == 0;
}

/// In a network of its own, where that can be had: it has come up when the other side says so.
bool moveApart(const Line& line, const std::string& address) {
  bool moved = unshare(CLONE_NEWNET) == 0;
  line.tell(moved ? getpid() : 0);
  if (!line.hear<bool>()) return false;
  return run("ip link set lo up") && run("ip addr add " + address + "/24 dev vbn0") &&
         run("ip link set vbn0 up");
}

struct Introduction {
  connect::LinkEnd end;
  RegionKey key;
};

/// Who is put to. It drives nothing until it is told to end.
void serve(const Line& line, const verbs::Wiring& wiring) {
  Node node(2, 202, {}, false, wiring);
  std::shared_ptr<Region> region = node.region(kBytes);
  connect::NewLink link{kLink, 1, kOneSided, nullptr, 101};
  line.tell(Introduction{must(node.worker().create(node.memory(), link)),
                         must(region->share(0, kBytes, kAllAccess))});
  must(node.worker().connect(kLink, line.hear<connect::LinkEnd>()));
  node.worker().ready(kLink);
  line.tell(true);
  auto seed = line.hear<unsigned>();
  for (unsigned i = 0; i < kPieces && seed != 0; i++) {
    EXPECT_TRUE(holds(region->bytes().data() + i * kPiece, kPiece, seed + i)) << i;
  }
  node.close(kLink);
}

/// Who puts.
class Putting {
 public:
  Putting(const Line& line, const verbs::Wiring& wiring)
      : line_(line), node_(1, 101, {}, false, wiring), local_(node_.region(kBytes)) {
    auto far = line_.hear<Introduction>();
    key_ = far.key;
    connect::NewLink link{kLink, 2, kOneSided, nullptr, 202};
    line_.tell(must(node_.worker().create(node_.memory(), link)));
    must(node_.worker().connect(kLink, far.end));
    node_.worker().ready(kLink);
    line_.hear<bool>();
  }

  Request request(Operation operation, uint64_t offset, uint64_t length) const {
    return {.operation = operation,
            .local = local_.get(),
            .localOffset = offset,
            .key = key_,
            .offset = offset,
            .length = length,
            .operand = 1};
  }
  Outcome run(const Request& request) { return node_.run(kLink, request); }

  /// All pieces put and counted, and got back: as they were, each once.
  void exchange(unsigned seed, uint64_t rounds) {
    std::vector<Request> all;
    for (unsigned i = 0; i < kPieces; i++) {
      fill(local_->bytes().data() + i * kPiece, kPiece, seed + i);
      all.push_back(request(Operation::put, i * kPiece, kPiece));
    }
    all.push_back(request(Operation::fetchAdd, kCounter, 8));
    post(all);
    uint64_t before = 0;
    std::memcpy(&before, local_->bytes().data() + kCounter, 8);
    ASSERT_EQ(before, rounds) << "counted once each time";
    std::memset(local_->bytes().data(), 0, kPieces * kPiece);
    for (Request& each : all) each.operation = Operation::get;
    all.pop_back();
    post(all);
    for (unsigned i = 0; i < kPieces; i++) {
      ASSERT_TRUE(holds(local_->bytes().data() + i * kPiece, kPiece, seed + i)) << i;
    }
  }

  /// Lets go of its connections, those to the far side and those from it.
  void cut(bool outbound) {
    softnic::Context& context = softnic::contextOf(node_.worker().domain().context.get());
    std::lock_guard guard(context.lock);
    for (const std::shared_ptr<softnic::Link>& each : context.links) {
      auto* link = dynamic_cast<softnic::TcpLink*>(each.get());
      ASSERT_NE(link, nullptr) << "it is no wire of TCP";
      int fd = outbound ? link->outbound().fd() : link->inboundFd();
      if (fd >= 0) shutdown(fd, SHUT_RDWR);
    }
  }
  uint64_t cuts() {
    softnic::Context& context = softnic::contextOf(node_.worker().domain().context.get());
    std::lock_guard guard(context.lock);
    return context.tcp->terms().counts.cuts;
  }

  void finish(unsigned seed) {
    line_.tell(seed);
    node_.close(kLink);
  }

 private:
  void post(std::span<const Request> all) {
    for (size_t posted = 0; posted < all.size();) {
      posted += must(node_.memory().post(kLink, all.subspan(posted)));
      node_.worker().progress();
    }
    for (const Done& each : node_.await(all.size())) ASSERT_EQ(each.outcome, Outcome::done);
  }

  const Line& line_;
  Node node_;
  std::shared_ptr<Region> local_;
  RegionKey key_;
};

void putUnderCuts(const Line& line, const verbs::Wiring& wiring) {
  constexpr uint64_t kCuts = 30;
  Putting putting(line, wiring);
  unsigned seed = 0;
  std::atomic<bool> over{false};
  std::jthread cutter([&] {
    std::mt19937 random(5);
    while (!over) {
      putting.cut(random() % 2 == 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
    }
  });
  auto last = Clock::now() + kPatience;
  for (uint64_t rounds = 0; putting.cuts() < kCuts && Clock::now() < last; rounds++) {
    putting.exchange(seed += 16, rounds);
    if (::testing::Test::HasFailure()) break;
  }
  over = true;
  cutter.join();
  EXPECT_GE(putting.cuts(), kCuts);
  putting.finish(seed);
}

void putWithoutAKey(const Line& line, const verbs::Wiring& wiring) {
  Putting putting(line, wiring);
  EXPECT_EQ(putting.run(putting.request(Operation::get, 0, 64)), Outcome::done);
  EXPECT_EQ(putting.run(putting.request(Operation::put, 0, 64)), Outcome::refused);
  putting.finish(0);
}

enum class Between : uint8_t { Loopback, Namespaces };

class FabricApart : public ::testing::TestWithParam<Between> {
 protected:
  using Play = void (*)(const Line& line, const verbs::Wiring& wiring);

  void SetUp() override {
    if (!testPort().device.name().starts_with("softnic")) GTEST_SKIP() << "for softnic's wire";
  }

  /// Two processes, each on a host of its own as far as they know.
  void play(Play target, Play writer, bool keyed) {
    Folders one;
    Child server([&](const Line& line) { begin(line, "10.77.23.1", keyed, target); });
    Folders other;
    Child client([&](const Line& line) { begin(line, "10.77.23.2", keyed, writer); });
    if (GetParam() == Between::Namespaces && !connectNetworks(server, client)) {
      GTEST_SKIP() << "no network namespaces can be had: they need root and 'ip'";
    }
    relay(server.line(), client.line());
    EXPECT_EQ(client.wait(), 0);
    EXPECT_EQ(server.wait(), 0);
  }

 private:
  void begin(const Line& line, const std::string& address, bool keyed, Play part) {
    bool apart = GetParam() == Between::Namespaces;
    if (apart && !moveApart(line, address)) return;
    std::string at = apart ? address : "127.0.0.1:" + std::to_string(tcp_.basePort());
    part(line, wiringAt(at, keyed));
  }
  static bool connectNetworks(const Child& server, const Child& client) {
    auto one = server.line().hear<int>();
    auto other = client.line().hear<int>();
    bool joined = one != 0 && other != 0 &&
                  run("ip link add vbn0 netns " + std::to_string(one) +
                      " type veth peer name vbn0 netns " + std::to_string(other));
    server.line().tell(joined);
    client.line().tell(joined);
    return joined;
  }
  static void relay(const Line& server, const Line& client) {
    client.tell(server.hear<Introduction>());
    server.tell(client.hear<connect::LinkEnd>());
    client.tell(server.hear<bool>());
    server.tell(client.hear<unsigned>());
  }

  OverTcp tcp_;
};

std::string nameOfBetween(const ::testing::TestParamInfo<Between>& info) {
  return info.param == Between::Loopback ? "Loopback" : "Namespaces";
}
INSTANTIATE_TEST_SUITE_P(Hosts, FabricApart,
                         ::testing::Values(Between::Loopback, Between::Namespaces), nameOfBetween);

TEST_P(FabricApart, WhatIsPutWhileConnectionsAreCutIsThereOnceAndWhole) {
  play(serve, putUnderCuts, true);
}

TEST_P(FabricApart, WithoutAClusterKeyNothingIsPut) {
  play(serve, putWithoutAKey, false);
}

}  // namespace
}  // namespace verbena::fabric::testing
