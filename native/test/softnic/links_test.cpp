// SPDX-License-Identifier: Apache-2.0
//
// Links to peers that are gone are given back: a peer may come again as often as it likes.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLives = 10;
/// The peer that is there, and one that has just gone.
constexpr size_t kMostLinks = 2;
constexpr size_t kMappingsOfOne = 3;     // the peer's port and two rings
constexpr size_t kDescriptorsOfOne = 2;  // two sockets

/// What a process holds for its links, seen from outside.
struct Held {
  size_t links;
  size_t mappings;
  size_t descriptors;
};

size_t mappingsOf(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find(path) != std::string::npos;
  return count;
}

size_t openDescriptors() {
  std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

Held heldBy(const End& end, const Folders& folders) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  return {context.links.size(), mappingsOf(folders.path()), openDescriptors()};
}

/// Runs `live` as often as a peer comes and goes: at most the last one gone is not given back yet.
template <typename Live>
void expectNoMoreWithEachLife(const End& end, const Folders& folders, Live live) {
  live(0);
  live(1);
  Held first = heldBy(end, folders);
  for (int life = 2; life < kLives; life++) live(life);
  Held last = heldBy(end, folders);
  EXPECT_LE(last.links, kMostLinks);
  EXPECT_LE(last.mappings, first.mappings + kMappingsOfOne);
  EXPECT_LE(last.descriptors, first.descriptors + kDescriptorsOfOne);
}

TEST(SoftnicLinks, ToPeersThatCloseAreGivenBack) {
  Folders folders;
  End end;
  expectNoMoreWithEachLife(end, folders, [&](int life) {
    End peer;
    end.connect(peer);
    peer.connect(end);
    ASSERT_EQ(peer.postReceive(1, 0, 64), 0);
    ASSERT_EQ(end.send(static_cast<uint64_t>(life), 0, 64), 0);
    ASSERT_EQ(peer.waitOne().status, IBV_WC_SUCCESS);
    ASSERT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
    must(end.qp.toReset());
  });
}

TEST(SoftnicLinks, ToPeersThatAreKilledAreGivenBack) {
  Folders folders;
  std::vector<std::unique_ptr<Child>> children;
  for (int i = 0; i < kLives; i++) {
    children.push_back(std::make_unique<Child>([](const Line& line) {
      line.hear<char>();
      End end;
      line.tell(addressOf(end));
      connectTo(end, line.hear<Address>());
      line.tell('r');
      line.hear<char>();
    }));
  }
  End end;
  expectNoMoreWithEachLife(end, folders, [&](int life) {
    Child& child = *children[static_cast<size_t>(life)];
    child.line().tell('b');
    Address peer = child.line().hear<Address>();
    connectTo(end, peer, {.timeout = 10, .retryCount = 1});
    child.line().tell(addressOf(end));
    child.line().hear<char>();
    child.kill();
    ASSERT_EQ(end.send(1, 0, 64), 0);
    ASSERT_EQ(end.waitOne().status, IBV_WC_RETRY_EXC_ERR);
    must(end.qp.toReset());
  });
}

/// More than are taken from a link in one turn, by a peer that is gone before the first is read.
void expectAllThatWasSentByTheKilled(Address (*addressOf)(const End&)) {
  constexpr uint64_t kMessages = 300;
  EndOptions options;
  options.qp.sendWorkRequests = kMessages;
  options.qp.receiveWorkRequests = kMessages;
  Folders theirs;  // the child's, if they meet over TCP; it may not live to remove it
  Child child([&](const Line& line) {
    End end(options);
    line.tell(addressOf(end));
    connectTo(end, line.hear<Address>());
    EXPECT_TRUE(hasOpenLink(end));
    line.tell('c');
    line.hear<char>();
    for (uint64_t i = 0; i < kMessages; i++) ASSERT_EQ(end.send(i, 0, 8), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the wire takes them
    line.tell('s');
    line.hear<char>();
  });
  std::optional<Folders> own;
  if (std::getenv("VERBENA_SOFTNIC_TCP") != nullptr) own.emplace();
  End end(options);
  connectTo(end, child.line().hear<Address>());
  for (uint64_t i = 0; i < kMessages; i++) ASSERT_EQ(end.postReceive(i, 0, 8), 0);
  child.line().tell(addressOf(end));
  child.line().hear<char>();
  ASSERT_TRUE(hasOpenLink(end));
  Context& context = contextOf(end.context.get());
  {
    std::lock_guard guard(context.lock);  // nothing is read meanwhile
    child.line().tell('s');
    child.line().hear<char>();
    child.kill();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  for (const ibv_wc& got : end.wait(kMessages)) EXPECT_EQ(got.status, IBV_WC_SUCCESS);
}

TEST(SoftnicLinks, CarryWhatWasSentBeforeTheEnd) {
  expectAllThatWasSentByTheKilled(addressOf);
}

TEST(SoftnicLinks, OverTcpCarryWhatWasSentBeforeTheEnd) {
  OverTcp tcp;
  expectAllThatWasSentByTheKilled(tcpAddressOf);
}

TEST(SoftnicLinks, ToPeersOverTcpAreGivenBack) {
  OverTcp tcp;
  Folders folders;
  End end;
  expectNoMoreWithEachLife(end, folders, [&](int) {
    End peer;
    connectTo(end, tcpAddressOf(peer));
    connectTo(peer, tcpAddressOf(end));
    ASSERT_EQ(peer.postReceive(1, 0, 64), 0);
    ASSERT_EQ(end.send(1, 0, 64), 0);
    ASSERT_EQ(peer.waitOne().status, IBV_WC_SUCCESS);
    ASSERT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
    must(end.qp.toReset());
  });
}

/// An address handle outlives those it names.
TEST(SoftnicLinks, OfDatagramsAreGivenBack) {
  Folders folders;
  constexpr uint32_t kKey = 7;
  EndOptions options{.qp = {.type = IBV_QPT_UD}};
  auto open = [](const End& end) {
    must(end.qp.toInit({.qkey = kKey}));
    must(end.qp.toRtr());
    must(end.qp.toRts());
  };
  End end(options);
  open(end);
  verbs::Path path{.remoteGid = end.gid()};
  auto address = must(verbs::AddressHandle::create(end.pd, path));
  expectNoMoreWithEachLife(end, folders, [&](int life) {
    End peer(options);
    open(peer);
    ASSERT_EQ(peer.postReceive(1, 0, 256), 0);
    ibv_sge list = end.sge(0, 64);
    ibv_send_wr request = end.request(IBV_WR_SEND, 1, &list);
    request.wr.ud = {address.get(), peer.qp.qpNum(), kKey};
    // Datagrams to the life before are lost until its end is noticed.
    bool arrived = false;
    for (auto last = Clock::now() + kPatience; !arrived && Clock::now() < last;) {
      ASSERT_EQ(end.post(request), 0);
      ASSERT_EQ(end.waitOne().status, IBV_WC_SUCCESS);
      arrived = !peer.pollFor(std::chrono::milliseconds(5)).empty();
    }
    ASSERT_TRUE(arrived) << life;
  });
}

}  // namespace
}  // namespace verbena::softnic::testing
