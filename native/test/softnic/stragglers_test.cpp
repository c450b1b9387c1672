// SPDX-License-Identifier: Apache-2.0
//
// Memory is taken back from peers that are in the middle of an operation on it: those that live,
// and those that are stopped and go on later.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>
#include <thread>

#include "processes.h"
#include "softnic/device/context.h"
#include "softnic/objects/faults.h"

namespace verbena::softnic::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRegionBytes = 1 << 20;
/// A bound against hanging: what is waited for takes kStragglerNs, twice at most.
constexpr std::chrono::seconds kBounded{30};

/// What another process is to do with our memory.
struct Order {
  ibv_wr_opcode opcode;
  uint64_t address;
  uint32_t rkey;
  uint32_t lengthBytes;
};

ibv_wc_status execute(const End& end, const Order& order) {
  ibv_sge list = end.sge(0, order.lengthBytes);
  ibv_send_wr request = end.request(order.opcode, 1, &list);
  if (order.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    request.wr.atomic = {order.address, 1, 0, order.rkey};
  } else {
    request.wr.rdma = {order.address, order.rkey};
  }
  EXPECT_EQ(end.post(request), 0);
  return end.waitOne().status;
}

void prepare(const End& end, const Line& line, const std::string& faults) {
  fill(end.memory(), kRegionBytes, 3);
  std::string error;
  EXPECT_TRUE(setFaults(end.context.get(), faults, error)) << error;
  line.tell(addressOf(end));
  connectTo(end, line.hear<Address>());
  line.tell('r');
}

/// The other process: connects, executes one order under a fault script, and tells how it ended.
std::function<void(const Line&)> obeying(std::string faults) {
  return [faults = std::move(faults)](const Line& line) {
    End end;
    prepare(end, line, faults);
    line.tell(execute(end, line.hear<Order>()));
    line.hear<char>();
  };
}

/// A third process: executes one order again and again until it is told something, and tells how
/// often.
void repeating(const Line& line) {
  End end;
  prepare(end, line, "");
  auto order = line.hear<Order>();
  uint64_t times = 0;
  for (; !line.heard(); times++) ASSERT_EQ(execute(end, order), IBV_WC_SUCCESS);
  line.hear<char>();
  line.tell(times);
}

void meet(const End& end, const Child& child) {
  connectTo(end, child.line().hear<Address>());
  child.line().tell(addressOf(end));
  child.line().hear<char>();
}

/// A further queue pair on the end's device.
verbs::QueuePair anotherQp(const End& end) {
  return must(verbs::QueuePair::create(end.pd, end.cq, end.cq, {}));
}

verbs::MemoryRegion registered(const End& end, std::span<std::byte> memory) {
  return must(verbs::MemoryRegion::registerRange(end.pd, memory, end.options.access));
}

class Stragglers : public ::testing::Test {
 protected:
  static Order orderOn(const End& end, ibv_wr_opcode opcode, uint32_t bytes) {
    return {opcode, reinterpret_cast<uint64_t>(end.memory()), end.rkey(), bytes};
  }
  /// The end lets go of its memory in bounded time, and has lost nothing of what it held.
  static void deregisterInTime(End& end) {
    std::vector<std::byte> before(end.buffer.begin(), end.buffer.end());
    unsigned long failed = verbs::failedDestructions();
    Clock::time_point start = Clock::now();
    end.region.reset();
    EXPECT_LT(Clock::now() - start, kBounded);
    EXPECT_EQ(verbs::failedDestructions(), failed);
    EXPECT_TRUE(std::ranges::equal(before, end.buffer)) << "what it held is kept";
  }
  /// Another thread has begun to deregister the end's memory.
  static void awaitRevoked(const End& end, uint32_t key) {
    auto& shown = contextOf(end.context.get()).port().regions[regionIndexOf(key)];
    while (shown.keyAndAccess.load() != 0) std::this_thread::yield();
  }
  /// What the child does when it goes on changes nothing; returns what it has come to.
  static ibv_wc_status goOnInVain(const End& end, const Child& child) {
    std::vector<std::byte> before(end.buffer.begin(), end.buffer.end());
    child.goOn();
    auto status = child.line().hear<ibv_wc_status>();
    EXPECT_TRUE(std::ranges::equal(before, end.buffer));
    return status;
  }

  Folders folders_;
};

TEST_F(Stragglers, AWriterStoppedInTheMiddleChangesNothingAfterDeregistration) {
  Child child(obeying("write:1=stop"));
  End end;
  meet(end, child);
  fill(end.memory(), kRegionBytes, 9);
  child.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 600'000));
  child.awaitStop();
  ASSERT_TRUE(holds(end.memory(), 100'000, 3)) << "it is in the middle";
  ASSERT_FALSE(holds(end.memory(), 256 * 1024, 3)) << "it is in the middle";
  deregisterInTime(end);
  EXPECT_EQ(goOnInVain(end, child), IBV_WC_REM_ACCESS_ERR);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(Stragglers, AShortWriteIsNoDifferent) {
  Child child(obeying("write:1=stop"));
  End end;
  meet(end, child);
  fill(end.memory(), kRegionBytes, 9);
  child.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 64));
  child.awaitStop();
  ASSERT_TRUE(holds(end.memory(), 32, 3));
  deregisterInTime(end);
  EXPECT_EQ(goOnInVain(end, child), IBV_WC_REM_ACCESS_ERR);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(Stragglers, AReaderStoppedInTheMiddleIsRefused) {
  Child child(obeying("read:1=stop"));
  End end;
  meet(end, child);
  child.line().tell(orderOn(end, IBV_WR_RDMA_READ, 600'000));
  child.awaitStop();
  deregisterInTime(end);
  EXPECT_EQ(goOnInVain(end, child), IBV_WC_REM_ACCESS_ERR);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

/// Nobody can say whether an atomic was executed whose memory was taken away around it.
TEST_F(Stragglers, AnAtomicStoppedInTheMiddleFails) {
  Child child(obeying("atomic:1=stop"));
  End end;
  meet(end, child);
  child.line().tell(orderOn(end, IBV_WR_ATOMIC_FETCH_AND_ADD, 8));
  child.awaitStop();
  deregisterInTime(end);
  EXPECT_EQ(goOnInVain(end, child), IBV_WC_RETRY_EXC_ERR);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

/// Who was left behind by a queue pair that went is not forgotten when its memory goes.
TEST_F(Stragglers, AWriterWhoseQueuePairWentFirstChangesNothingEither) {
  Child child(obeying("write:1=stop"));
  End end;
  meet(end, child);
  child.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 600'000));
  child.awaitStop();
  Clock::time_point start = Clock::now();
  must(end.qp.toReset());
  EXPECT_LT(Clock::now() - start, kBounded);
  deregisterInTime(end);
  EXPECT_NE(goOnInVain(end, child), IBV_WC_SUCCESS);
  child.line().tell('q');
  child.wait();
}

/// Threads of the owner and a third process write on while the pages are changed beneath them.
TEST_F(Stragglers, WhatOthersWriteMeanwhileIsKept) {
  Child stopped(obeying("write:1=stop"));
  Child adding(repeating);
  End end;
  meet(end, stopped);
  verbs::QueuePair qp = anotherQp(end);
  Address peer = adding.line().hear<Address>();
  must(qp.toInit({.remoteAccess = end.options.access}));
  verbs::RtrAttributes rtr{
      .remoteQpNum = peer.qpNum, .receivePsn = peer.qpNum, .maxReadsServed = 16};
  rtr.path.remoteGid = peer.gid;
  must(qp.toRtr(rtr));
  must(qp.toRts({.sendPsn = qp.qpNum(), .maxReadsIssued = 16}));
  adding.line().tell(Address{end.gid(), qp.qpNum(), end.rkey(), 0});
  adding.line().hear<char>();

  verbs::MemoryRegion all = registered(end, end.buffer);
  constexpr size_t kWord = 4096 + 64;  // in a page that both regions have
  auto& word = *reinterpret_cast<uint64_t*>(end.memory() + kWord);
  auto& own = *reinterpret_cast<uint64_t*>(end.memory() + kWord + 8);
  stopped.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 2000));
  stopped.awaitStop();
  adding.line().tell(
      Order{IBV_WR_ATOMIC_FETCH_AND_ADD, reinterpret_cast<uint64_t>(&word), all.rkey(), 8});
  std::atomic<bool> enough = false;
  uint64_t added = 0;
  std::thread owner([&] {
    for (; !enough; added++) std::atomic_ref(own).fetch_add(1);
  });
  auto addedByOther = [&] { return std::atomic_ref(word).load(); };
  auto awaitMore = [&] {
    for (uint64_t before = addedByOther(); addedByOther() < before + 1000;)
      std::this_thread::yield();
  };
  awaitMore();
  end.region.reset();
  awaitMore();
  adding.line().tell('e');
  auto times = adding.line().hear<uint64_t>();
  enough = true;
  owner.join();
  EXPECT_EQ(addedByOther(), times);
  EXPECT_EQ(std::atomic_ref(own).load(), added);
  stopped.goOn();
  EXPECT_EQ(stopped.line().hear<ibv_wc_status>(), IBV_WC_REM_ACCESS_ERR);
  stopped.line().tell('q');
  EXPECT_EQ(adding.wait(), 0);
}

TEST_F(Stragglers, TheSameMemoryCanBeRegisteredAndWrittenAgain) {
  Child child(obeying("write:1=stop"));
  End end;
  meet(end, child);
  child.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 600'000));
  child.awaitStop();
  deregisterInTime(end);
  child.goOn();
  child.line().hear<ibv_wc_status>();
  End other;
  end.region = registered(end, end.buffer);
  must(end.qp.toReset());
  end.connect(other);
  other.connect(end);
  fill(other.memory(), kRegionBytes, 5);
  EXPECT_EQ(execute(other, orderOn(end, IBV_WR_RDMA_WRITE, kRegionBytes)), IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(end.memory(), kRegionBytes, 5));
  std::memset(other.memory(), 0, kRegionBytes);
  EXPECT_EQ(execute(other, orderOn(end, IBV_WR_RDMA_READ, kRegionBytes)), IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(other.memory(), kRegionBytes, 5));
  deregisterInTime(end);
  child.line().tell('q');
}

/// The wait lasts as long as the peer is stopped here, and nothing else of the device waits with
/// it.
TEST_F(Stragglers, TheDeviceGoesOnWhileOneWaits) {
  Child child(obeying("write:1=stop"));
  End end;
  meet(end, child);
  contextOf(end.context.get()).stragglerNs = UINT64_MAX;
  child.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 600'000));
  child.awaitStop();
  verbs::MemoryRegion rest = registered(end, end.buffer);
  uint32_t key = end.rkey();
  std::future<void> gone = std::async(std::launch::async, [&] { end.region.reset(); });
  awaitRevoked(end, key);
  End other;
  verbs::QueuePair qp = anotherQp(end);
  std::swap(qp, end.qp);
  end.connect(other);
  other.connect(end);
  EXPECT_EQ(execute(other, {IBV_WR_RDMA_WRITE, rest.address() + 700'000, rest.rkey(), 100'000}),
            IBV_WC_SUCCESS);
  ibv_sge list{rest.address(), 64, rest.lkey()};
  ibv_recv_wr receive{.wr_id = 7, .next = nullptr, .sg_list = &list, .num_sge = 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(ibv_post_recv(end.qp.get(), &receive, &bad), 0);
  ASSERT_EQ(other.send(1, 0, 64), 0);
  EXPECT_EQ(end.waitOne().wr_id, 7U);
  EXPECT_EQ(gone.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  child.goOn();
  EXPECT_EQ(gone.wait_for(kBounded), std::future_status::ready);
  EXPECT_EQ(child.line().hear<ibv_wc_status>(), IBV_WC_REM_ACCESS_ERR);
  child.line().tell('q');
}

/// A process with many queue pairs moves them to error one after the other, and must not stand
/// still once for each peer that does.
TEST_F(Stragglers, AreNotWaitedForByWhoMovesAQueuePairToError) {
  Child child(obeying("write:1=stop"));
  End end;
  meet(end, child);
  Context& context = contextOf(end.context.get());
  context.stragglerNs = UINT64_MAX;
  child.line().tell(orderOn(end, IBV_WR_RDMA_WRITE, 600'000));
  child.awaitStop();
  std::future<void> moved = std::async(std::launch::async, [&] { must(end.qp.toError()); });
  EXPECT_EQ(moved.wait_for(kBounded), std::future_status::ready);
  context.stragglerNs = 0;
  {
    verbs::QueuePair gone = anotherQp(end);
    std::swap(gone, end.qp);
  }
  deregisterInTime(end);
  EXPECT_NE(goOnInVain(end, child), IBV_WC_SUCCESS);
  child.line().tell('q');
}

}  // namespace
}  // namespace verbena::softnic::testing
