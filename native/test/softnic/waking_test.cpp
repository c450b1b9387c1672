// SPDX-License-Identifier: Apache-2.0
//
// A program that sleeps on a channel is rung for at once, not found at the next tick; one that
// polls is left alone by the device's threads.
#include <filesystem>
#include <fstream>
#include <thread>

#include "ends.h"
#include "softnic/device/context.h"
#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

/// As every event loop does: looks as long as there is something, arms, looks once more.
void lookArmAndLook(const End& end) {
  ibv_wc done[8];
  while (end.cq.poll(done) > 0) {
  }
  ASSERT_EQ(end.cq.arm(), 0);
  ASSERT_EQ(end.cq.poll(done), 0);
}

TEST(Waking, PeersRingForWhoArmsAndLooksOnceMore) {
  EndOptions withChannel;
  withChannel.channel = true;
  Pair pair({}, withChannel);
  const PortMemory& port = contextOf(pair.right.context.get()).port();
  for (int round = 0; round < 5; round++) {
    ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
    ASSERT_EQ(pair.left.send(1, 0, 64), 0);
    ASSERT_EQ(pair.right.waitOne().status, IBV_WC_SUCCESS);
    ASSERT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
    lookArmAndLook(pair.right);
    // The context's thread looks around some times meanwhile: at each look it might be mistaken.
    for (int look = 0; look < 40; look++) {
      ASSERT_EQ(port.asleep.load(), 1U) << "after " << look << " looks in round " << round;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

/// The one thread of a TCP wire in this process, once it has its name.
std::filesystem::path threadOfTcp() {
  auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until) {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(thread.path() / "comm"), name);
      if (name == "softnic-tcp") return thread.path();
    }
  }
  throw std::runtime_error("no thread of the TCP wire");
}

/// How often the thread has gone to sleep.
uint64_t sleepsOf(const std::filesystem::path& thread) {
  std::ifstream status(thread / "status");
  const std::string key = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoull(line.substr(key.size()));
  }
  throw std::runtime_error("no count of switches in " + thread.string());
}

void read(const End& reader, const Address& from) {
  ibv_sge list = reader.sge(0, 64);
  ibv_send_wr request = reader.request(IBV_WR_RDMA_READ, 1, &list);
  request.wr.rdma = {from.memory, from.rkey};
  ASSERT_EQ(reader.post(request), 0);
  ASSERT_EQ(reader.waitOne().status, IBV_WC_SUCCESS);
}

TEST(Waking, WhoPollsTakesWhatComesOverTcpAlone) {
  OverTcp tcp;
  Folders folders;
  End polls;
  std::filesystem::path thread = threadOfTcp();
  End target;
  connectTo(polls, tcpAddressOf(target));
  connectTo(target, tcpAddressOf(polls));
  read(polls, tcpAddressOf(target));
  uint64_t before = sleepsOf(thread);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3000; i++) read(polls, tcpAddressOf(target));
  auto took = std::chrono::steady_clock::now() - start;
  // Once a millisecond it looks whether the program still polls, not once for each answer. Where
  // this thread has lost its processor meanwhile, it does not.
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  EXPECT_LE(sleepsOf(thread) - before, 4 * static_cast<uint64_t>(milliseconds) + 20);
}

TEST(Waking, ATargetThatHasEndedItsPollingIsReadFromOverTcp) {
  OverTcp tcp;
  Folders folders;
  End reader;
  End target;
  connectTo(reader, tcpAddressOf(target));
  connectTo(target, tcpAddressOf(reader));
  for (int round = 0; round < 5; round++) {
    EXPECT_TRUE(target.pollFor(std::chrono::milliseconds(5)).empty());
    read(reader, tcpAddressOf(target));
  }
}

}  // namespace
}  // namespace verbena::softnic::testing
