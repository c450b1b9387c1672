// SPDX-License-Identifier: Apache-2.0
//
// What holds between processes as within one.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "peer_process.h"

namespace verbena::conformance {
namespace {

/// A device of its own and one endpoint; made after the other process was started.
struct Station {
  explicit Station(MemoryKind kind = MemoryKind::shareable)
      : context(must(verbs::Context::open(DeviceUnderTest::get().selection().device))),
        endpoint(context, {.memory = kind}) {}

  /// Receives are posted before the other side can send.
  Card join(Line& line, const LinkOptions& link = {}, uint64_t receives = 0,
            const ibv_sge& into = {}) {
    Card other = line.exchange(endpoint);
    endpoint.connectTo(other.qpNum, link);
    for (uint64_t i = 0; i < receives; i++) endpoint.postReceive(i, {into});
    line.meet();
    return other;
  }

  Send oneSided(ibv_wr_opcode opcode, uint64_t id, size_t offset, size_t length,
                const Card& target) {
    return {.id = id,
            .opcode = opcode,
            .pieces = {endpoint.piece(offset, length)},
            .remoteAddress = target.address,
            .remoteKey = target.rkey};
  }

  verbs::Context context;
  Endpoint endpoint;
};

class TwoProcesses : public ::testing::TestWithParam<MemoryKind> {
 protected:
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    ASSERT_TRUE(DeviceUnderTest::get().found()) << DeviceUnderTest::get().why();
  }
};

TEST_P(TwoProcesses, ExchangeMessages) {
  constexpr uint64_t kRounds = 50;
  MemoryKind kind = GetParam();
  PeerProcess peer([kind](Line& line) {
    Station station(kind);
    station.join(line, {}, kRounds, station.endpoint.piece(0, 5000));
    for (uint64_t i = 0; i < kRounds; i++) {
      expectSuccess(await(station.endpoint.receiveQueue()), i, IBV_WC_RECV);
      ASSERT_TRUE(station.endpoint.holds(0, 5000, static_cast<unsigned>(i)));
      station.endpoint.fill(8192, 100, static_cast<unsigned>(i + 1));
      station.endpoint.post({.id = i, .pieces = {station.endpoint.piece(8192, 100)}});
      expectSuccess(await(station.endpoint.sendQueue()), i, IBV_WC_SEND);
    }
    line.meet();
  });
  Station station(kind);
  station.join(peer.line(), {}, kRounds, station.endpoint.piece(8192, 100));
  for (uint64_t i = 0; i < kRounds; i++) {
    station.endpoint.fill(0, 5000, static_cast<unsigned>(i));
    station.endpoint.post({.id = i, .pieces = {station.endpoint.piece(0, 5000)}});
    expectSuccess(await(station.endpoint.receiveQueue()), i, IBV_WC_RECV);
    ASSERT_TRUE(station.endpoint.holds(8192, 100, static_cast<unsigned>(i + 1)));
  }
  peer.line().meet();
  EXPECT_TRUE(peer.succeeded());
}

TEST_P(TwoProcesses, ReachEachOthersMemory) {
  MemoryKind kind = GetParam();
  PeerProcess peer([kind](Line& line) {
    Station station(kind);
    station.endpoint.fill(4096, 4096, 2);
    station.join(line);
    line.meet();  // the other side has written and read
    EXPECT_TRUE(station.endpoint.holds(0, 4096, 1));
    line.meet();
  });
  Station station(kind);
  Card other = station.join(peer.line());
  station.endpoint.fill(0, 4096, 1);
  station.endpoint.post(station.oneSided(IBV_WR_RDMA_WRITE, 1, 0, 4096, other));
  expectSuccess(await(station.endpoint.sendQueue()), 1, IBV_WC_RDMA_WRITE);
  Send read = station.oneSided(IBV_WR_RDMA_READ, 2, 8192, 4096, other);
  read.remoteAddress += 4096;
  station.endpoint.post(read);
  expectSuccess(await(station.endpoint.sendQueue()), 2, IBV_WC_RDMA_READ);
  EXPECT_TRUE(station.endpoint.holds(8192, 4096, 2));
  peer.line().meet();
  peer.line().meet();
  EXPECT_TRUE(peer.succeeded());
}

TEST_P(TwoProcesses, AddToOneWordWithoutLosingAnAddition) {
  // Both add to the word of the second process: it reaches its own memory through the device, as an
  // atomic operation is only atomic with others of the same device.
  constexpr uint64_t kEach = 300;
  MemoryKind kind = GetParam();
  auto addMany = [](Endpoint& adder, const Card& target) {
    for (uint64_t i = 0; i < kEach; i++) {
      adder.post({.id = i,
                  .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
                  .pieces = {adder.piece(64, 8)},
                  .remoteAddress = target.address,
                  .remoteKey = target.rkey,
                  .compareOrAdd = 1});
      expectSuccess(await(adder.sendQueue()), i, IBV_WC_FETCH_ADD);
    }
  };
  PeerProcess peer([kind, addMany](Line& line) {
    Station station(kind);
    station.join(line);
    Endpoint here(station.context);
    Endpoint there(station.context, {.pd = &station.endpoint.pd()});
    connect(here, there);
    addMany(here, {.rkey = station.endpoint.rkey(), .address = station.endpoint.address()});
    line.meet();
    EXPECT_EQ(station.endpoint.word(0), 2 * kEach);
    line.meet();
  });
  Station station(kind);
  Card target = station.join(peer.line());
  addMany(station.endpoint, target);
  peer.line().meet();
  peer.line().meet();
  EXPECT_TRUE(peer.succeeded());
}

TEST_P(TwoProcesses, NoticeThatTheOtherWasKilled) {
  MemoryKind kind = GetParam();
  PeerProcess peer([kind](Line& line) {
    Station station(kind);
    station.join(line);
    line.meet();
    line.meet();  // never comes back from here
  });
  Station station(kind);
  Card target = station.join(peer.line(), {.timeout = 12, .retryCount = 2});
  peer.line().meet();
  peer.kill();
  station.endpoint.post(station.oneSided(IBV_WR_RDMA_WRITE, 1, 0, 64, target));
  station.endpoint.post({.id = 2, .pieces = {station.endpoint.piece(0, 8)}});
  expectStatus(await(station.endpoint.sendQueue()), 1, IBV_WC_RETRY_EXC_ERR);
  expectStatus(await(station.endpoint.sendQueue()), 2, IBV_WC_WR_FLUSH_ERR);
}

TEST_P(TwoProcesses, SurviveThatOthersWereKilled) {
  // A new process takes the place of a killed one; what that left behind does no harm.
  MemoryKind kind = GetParam();
  for (unsigned round = 0; round < 3; round++) {
    PeerProcess peer([kind](Line& line) {
      Station station(kind);
      station.join(line);
      line.meet();
      line.meet();
    });
    Station station(kind);
    Card target = station.join(peer.line());
    station.endpoint.post(station.oneSided(IBV_WR_RDMA_WRITE, round, 0, 64, target));
    expectSuccess(await(station.endpoint.sendQueue()), round, IBV_WC_RDMA_WRITE);
    peer.line().meet();
    peer.kill();
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, TwoProcesses,
                         ::testing::Values(MemoryKind::shareable, MemoryKind::foreign),
                         [](const auto& test) {
                           return test.param == MemoryKind::shareable ? "Shareable" : "Foreign";
                         });

}  // namespace
}  // namespace verbena::conformance
