// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "softnic/device/context.h"

namespace verbena::softnic::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> namesIn(const std::string& path) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

/// Connects with the process at the other end, and returns when both are ready.
void exchange(const End& end, const Line& line, uint64_t receives = 0) {
  line.tell(addressOf(end));
  connectTo(end, line.hear<Address>());
  for (uint64_t i = 0; i < receives; i++) EXPECT_EQ(end.postReceive(i, i * 64, 64), 0);
  line.tell('r');
  line.hear<char>();
}

TEST(SoftnicProcesses, SendBothWays) {
  Folders folders;
  constexpr uint64_t kMessages = 20000;
  Child child([](const Line& line) {
    End end;
    exchange(end, line, 100);
    for (uint64_t i = 0; i < kMessages; i++) {
      ibv_wc got = end.waitOne();
      while (got.opcode != IBV_WC_RECV) got = end.waitOne();
      EXPECT_EQ(got.wr_id, i % 100);
      end.postReceive(got.wr_id, got.wr_id * 64, 64);
      ASSERT_EQ(end.send(i, got.wr_id * 64, 64), 0);
    }
    line.hear<char>();
  });
  End end;
  exchange(end, child.line());
  for (uint64_t i = 0; i < kMessages; i++) {
    ASSERT_EQ(end.postReceive(i, 4096, 64), 0);
    fill(end.memory(), 64, static_cast<unsigned>(i));
    ASSERT_EQ(end.send(i, 0, 64), 0);
    for (const ibv_wc& done : end.wait(2))
      ASSERT_EQ(done.status, IBV_WC_SUCCESS);  // the acknowledgement and the echo, in either order
    ASSERT_TRUE(holds(end.memory() + 4096, 64, static_cast<unsigned>(i))) << i;
  }
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST(SoftnicProcesses, ReadIsAnsweredWhileTheTargetDoesNotPoll) {
  for (bool shareable : {true, false}) {
    SCOPED_TRACE(shareable ? "directly" : "by the target's thread");
    Folders folders;
    Child child([&](const Line& line) {
      EndOptions options;
      options.shareable = shareable;
      End end(options);
      fill(end.memory(), 100000, 5);
      exchange(end, line);
      line.hear<char>();
    });
    End end;
    Address peer = child.line().hear<Address>();
    connectTo(end, peer);
    child.line().tell(addressOf(end));
    child.line().hear<char>();
    child.line().tell('r');
    ibv_sge list = end.sge(0, 100000);
    ibv_send_wr read = end.request(IBV_WR_RDMA_READ, 1, &list);
    read.wr.rdma = {peer.memory, peer.rkey};
    ASSERT_EQ(end.post(read), 0);
    ibv_wc done = end.waitOne();
    EXPECT_EQ(done.status, IBV_WC_SUCCESS);
    EXPECT_EQ(done.opcode, IBV_WC_RDMA_READ);
    EXPECT_TRUE(holds(end.memory(), 100000, 5));
    child.line().tell('q');
    EXPECT_EQ(child.wait(), 0);
  }
}

TEST(SoftnicProcesses, FetchAddIsAtomicBetweenDirectAndAnsweredOnes) {
  // Two processes add to one word: one connected to its owner's process, and the owner itself.
  Folders folders;
  constexpr uint64_t kEach = 20000;
  Child child([](const Line& line) {
    End end;
    exchange(end, line);
    std::atomic_ref word(*reinterpret_cast<uint64_t*>(end.memory()));
    for (uint64_t i = 0; i < kEach; i++) word.fetch_add(1);
    line.hear<char>();
    EXPECT_EQ(word.load(), 2 * kEach);
  });
  End end;
  Address peer = child.line().hear<Address>();
  connectTo(end, peer);
  child.line().tell(addressOf(end));
  child.line().hear<char>();
  child.line().tell('r');
  ibv_sge list = end.sge(0, 8);
  for (uint64_t i = 0; i < kEach; i++) {
    ibv_send_wr add = end.request(IBV_WR_ATOMIC_FETCH_AND_ADD, i, &list);
    add.wr.atomic = {peer.memory, 1, 0, peer.rkey};
    ASSERT_EQ(end.post(add), 0);
    ASSERT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
  }
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST(SoftnicProcesses, APeerKilledEndsInRetryExceeded) {
  for (ibv_wr_opcode opcode : {IBV_WR_SEND, IBV_WR_RDMA_WRITE}) {
    SCOPED_TRACE(opcode);
    Folders folders;
    Child child([&](const Line& line) {
      End end;
      exchange(end, line);
      line.hear<char>();
    });
    End end;
    Address peer = child.line().hear<Address>();
    connectTo(end, peer, {.timeout = 10, .retryCount = 2});
    child.line().tell(addressOf(end));
    child.line().hear<char>();
    child.line().tell('r');
    child.kill();
    ibv_sge list = end.sge(0, 64);
    // Not even a direct operation succeeds on what the peer has left.
    ibv_send_wr request = end.request(opcode, 1, &list);
    request.wr.rdma = {peer.memory, peer.rkey};
    ASSERT_EQ(end.post(request), 0);
    EXPECT_EQ(end.waitOne().status, IBV_WC_RETRY_EXC_ERR);
    EXPECT_EQ(must(end.qp.state()), IBV_QPS_ERR);
  }
}

/// A peer that is killed between marking a key and taking the mark away does not hold up who lets
/// go of the memory.
TEST(SoftnicProcesses, AMarkOfTheKilledIsNotWaitedFor) {
  Folders folders;
  Child child([](const Line& line) {
    End end;
    exchange(end, line);
    line.hear<char>();
  });
  End end;
  Address peer = child.line().hear<Address>();
  connectTo(end, peer);
  child.line().tell(addressOf(end));
  child.line().hear<char>();
  child.line().tell('r');
  Context& context = contextOf(end.context.get());
  context.port().qps[qpIndexOf(end.qp.qpNum())].mark = packMark(peer.qpNum, end.rkey());
  context.stragglerNs = std::chrono::nanoseconds(kPatience).count();
  child.kill();
  auto start = std::chrono::steady_clock::now();
  end.region.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, kPatience / 4);
}

TEST(SoftnicProcesses, ARingThatIsNeverFetchedIsTakenBack) {
  Folders folders;
  Child child([](const Line& line) {
    End end;
    contextOf(end.context.get()).lock.lock();  // so that it looks at nothing
    line.tell(addressOf(end));
    line.hear<char>();
  });
  auto rings = [&] {
    std::vector<std::string> names = namesIn(folders.path());
    return std::count_if(names.begin(), names.end(),
                         [](const std::string& name) { return name.starts_with("ring-"); });
  };
  End end;
  connectTo(end, child.line().hear<Address>());
  EXPECT_EQ(rings(), 1);
  child.kill();
  must(end.qp.toReset());
  {
    Context& context = contextOf(end.context.get());
    std::lock_guard guard(context.lock);
    context.links.reap();
  }
  EXPECT_EQ(rings(), 0);
}

TEST(SoftnicProcesses, LeftoversOfTheKilledAreSweptByTheNext) {
  Folders folders;
  {
    Child child([](const Line& line) {
      End end;
      line.tell('r');
      line.hear<char>();
    });
    child.line().hear<char>();
    child.kill();
  }
  auto leftovers = namesIn(folders.path());
  ASSERT_GE(leftovers.size(), 3U) << "port, segment and lock of the killed";
  { End end; }
  EXPECT_EQ(namesIn(folders.path()), (std::vector<std::string>{"id", "lock"}));
}

// Sanitizers need address space of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(SoftnicProcesses, OneThatHasNoMemoryToLookDoesNotSweepTheLiving) {
  Folders folders;
  Child child([&](const Line&) {
    End end;
    std::vector<std::string> before = namesIn(folders.path());
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlim_t little = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + (1 << 20);
    rlimit limit{little, little};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    EXPECT_THROW(End(), std::runtime_error);
    EXPECT_EQ(namesIn(folders.path()), before);
  });
  EXPECT_EQ(child.wait(), 0);
}
#endif

}  // namespace
}  // namespace verbena::softnic::testing
