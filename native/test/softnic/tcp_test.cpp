// SPDX-License-Identifier: Apache-2.0
//
// The TCP wire, between two processes of one host that cannot see each other's folder.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <thread>

#include "softnic/objects/faults.h"
#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

/// One more than the highest descriptor of this process; nothing is free below it.
rlim_t descriptorsUsed() {
  rlim_t lowestFree = static_cast<rlim_t>(dup(0));
  close(static_cast<int>(lowestFree));
  return lowestFree;
}

TEST(SoftnicTcp, CarriesEveryOperationBetweenFolders) {
  OverTcp tcp;
  Folders theirs;  // the child's; it may not live to remove it
  Child child([](const Line& line) {
    End end(keyed());
    fill(end.memory(), 300000, 3);
    line.tell(tcpAddressOf(end));
    connectTo(end, line.hear<Address>());
    EXPECT_EQ(end.postReceive(1, 500000, 300000), 0);
    line.tell('r');
    ibv_wc got = end.waitOne();
    EXPECT_EQ(got.status, IBV_WC_SUCCESS);
    EXPECT_EQ(got.byte_len, 300000U);
    EXPECT_TRUE(holds(end.memory() + 500000, 300000, 4));
    line.tell('g');
    line.hear<char>();  // READ and atomics are served by the device's threads
  });
  Folders own;
  End end(keyed());
  Address peer = child.line().hear<Address>();
  child.line().tell(tcpAddressOf(end));
  connectTo(end, peer);
  child.line().hear<char>();
  fill(end.memory(), 300000, 4);
  ASSERT_EQ(end.send(1, 0, 300000), 0);
  EXPECT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
  child.line().hear<char>();
  ibv_sge list = end.sge(0, 300000);
  ibv_send_wr read = end.request(IBV_WR_RDMA_READ, 2, &list);
  read.wr.rdma = {peer.memory, peer.rkey};
  ASSERT_EQ(end.post(read), 0);
  EXPECT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(end.memory(), 300000, 3));
  ibv_sge word = end.sge(0, 8);
  ibv_send_wr add = end.request(IBV_WR_ATOMIC_FETCH_AND_ADD, 3, &word);
  add.wr.atomic = {peer.memory, 1, 0, peer.rkey};
  ASSERT_EQ(end.post(add), 0);
  EXPECT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

/// More packets come at once than are taken from a link in one turn, and then nothing more.
TEST(SoftnicTcp, ManySmallWritesReachATargetThatDoesNotPoll) {
  OverTcp tcp;
  Folders theirs;  // the child's; it may not live to remove it
  Child child([](const Line& line) {
    End end(keyed());
    line.tell(tcpAddressOf(end));
    connectTo(end, line.hear<Address>());
    line.tell('r');
    line.hear<char>();
  });
  Folders own;
  constexpr uint64_t kWrites = 500;
  EndOptions options = keyed();
  options.qp.sendWorkRequests = kWrites;
  End end(options);
  Address peer = child.line().hear<Address>();
  child.line().tell(tcpAddressOf(end));
  connectTo(end, peer);
  child.line().hear<char>();
  ibv_sge list = end.sge(0, 8);
  std::vector<ibv_send_wr> writes(kWrites, end.request(IBV_WR_RDMA_WRITE, 1, &list));
  for (uint64_t i = 0; i < kWrites; i++) {
    writes[i].wr.rdma = {peer.memory, peer.rkey};
    writes[i].next = i + 1 < kWrites ? &writes[i + 1] : nullptr;
  }
  ASSERT_EQ(end.post(writes[0]), 0);
  EXPECT_EQ(end.wait(kWrites).back().status, IBV_WC_SUCCESS);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST(SoftnicTcp, APeerKilledEndsInRetryExceeded) {
  OverTcp tcp;
  Folders theirs;  // the child's; it may not live to remove it
  Child child([](const Line& line) {
    End end;
    line.tell(tcpAddressOf(end));
    connectTo(end, line.hear<Address>());
    line.tell('r');
    line.hear<char>();
  });
  Folders own;
  End end;
  Address peer = child.line().hear<Address>();
  child.line().tell(tcpAddressOf(end));
  connectTo(end, peer, {.timeout = 10, .retryCount = 2});
  child.line().hear<char>();
  child.kill();
  ASSERT_EQ(end.send(1, 0, 64), 0);
  EXPECT_EQ(end.waitOne().status, IBV_WC_RETRY_EXC_ERR);
}

/// A connection that was made and not accepted keeps the listener readable.
TEST(SoftnicTcp, WaitsQuietlyWhileNoDescriptorIsLeftToAcceptWith) {
  OverTcp tcp;
  Folders theirs;  // the child's; it may not live to remove it
  Child child([](const Line& line) {
    End end;
    rlimit most{};
    getrlimit(RLIMIT_NOFILE, &most);
    rlimit few{descriptorsUsed(), most.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    line.tell(slotOf(end.qp.qpNum()));
    line.hear<char>();
    std::clock_t before = std::clock();  // of the processor
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 10);
    setrlimit(RLIMIT_NOFILE, &most);
    line.tell('l');
    line.hear<char>();
  });
  base::FileDescriptor socket = connectToPort(tcp.basePort() + child.line().hear<uint32_t>());
  child.line().tell('c');
  child.line().hear<char>();
  // Accepted after all, and heard: this is no Hello.
  Hello nonsense{};
  ASSERT_TRUE(sendAll(socket, nonsense));
  EXPECT_EQ(recv(socket.get(), &nonsense, 1, 0), 0);
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST(SoftnicTcp, WhereNoMemoryIsLeftTheDeviceFailsAndNotTheProcess) {
  OverTcp tcp;
  Folders folders;
  End left;
  End right;
  connectTo(left, tcpAddressOf(right));
  connectTo(right, tcpAddressOf(left));
  std::string error;
  ASSERT_TRUE(setFaults(right.context.get(), "receive:1=no-memory", error)) << error;
  ASSERT_EQ(right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(left.send(1, 0, 64), 0);
  ibv_async_event event{};
  ASSERT_EQ(provider().get_async_event(right.context.get(), &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_DEVICE_FATAL);
  provider().ack_async_event(&event);
  EXPECT_EQ(right.waitOne().status, IBV_WC_WR_FLUSH_ERR);
}

TEST(SoftnicTcp, AForeignHelloEndsNoLivingLink) {
  OverTcp tcp;
  Folders folders;
  End left;
  End right;
  connectTo(left, tcpAddressOf(right), {.timeout = 10, .retryCount = 1});
  connectTo(right, tcpAddressOf(left));
  auto exchangeOne = [&] {
    ASSERT_EQ(right.postReceive(1, 0, 64), 0);
    ASSERT_EQ(left.send(1, 0, 64), 0);
    EXPECT_EQ(right.waitOne().status, IBV_WC_SUCCESS);
    EXPECT_EQ(left.waitOne().status, IBV_WC_SUCCESS);
  };
  exchangeOne();
  base::FileDescriptor stranger = connectToPort(tcp.basePort() + slotOf(left.qp.qpNum()));
  Hello claim = helloOf(left, slotOf(right.qp.qpNum()));
  Challenge challenge{};
  ASSERT_TRUE(sendAll(stranger, claim));
  ASSERT_TRUE(receiveAll(stranger, challenge));
  ASSERT_TRUE(sendAll(stranger, base::Digest{}));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  exchangeOne();
}

}  // namespace
}  // namespace verbena::softnic::testing
