// SPDX-License-Identifier: Apache-2.0
//
// One-sided memory as a program in C has it, between two nodes of this process.
#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "verbena/fabric.h"

namespace {

constexpr uint64_t kPatienceNs = 120'000'000'000;
constexpr uint64_t kBytes = 65536;

constexpr size_t kLentAt = 2;  // in a key: whether its owner lends the memory

class FabricAbi : public ::testing::Test {
 protected:
  FabricAbi() : one(open(1)), two(open(2)) {
    EXPECT_EQ(vbn_fabric_add_peer(one, 2, vbn_fabric_address(two)), VBN_OK);
    EXPECT_EQ(vbn_region_allocate(one, kBytes, &here), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_region_allocate(two, kBytes, &there), VBN_OK) << vbn_error();
    EXPECT_EQ(share(VBN_REMOTE_GET | VBN_REMOTE_PUT | VBN_REMOTE_ATOMIC), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_fabric_link(one, 2, kPatienceNs, &link), VBN_OK) << vbn_error();
  }
  ~FabricAbi() override {
    vbn_remote_free(remote);
    vbn_region_free(here);
    vbn_fabric_close(one);
    vbn_fabric_close(two);
    vbn_region_free(there);  // later than its node
  }

  vbn_fabric* open(uint32_t node, const std::function<void(vbn_fabric_options&)>& change = {}) {
    vbn_fabric_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = node;
    options.cluster = "abi";
    options.listen = "127.0.0.1:0";
    options.device = &softnic;
    if (change) change(options);
    vbn_fabric* opened = nullptr;
    status = vbn_fabric_open(&options, &opened);
    return opened;
  }
  vbn_status share(uint32_t access) {
    vbn_status shared = vbn_region_share(there, 0, kBytes, access, key);
    if (shared != VBN_OK) return shared;
    vbn_remote_free(remote);
    return vbn_remote_open(key, sizeof key, &remote);
  }
  /// As a peer revokes it who lends nothing: only its device finds that out, and the link fails.
  void revokeUnseen() {
    ASSERT_EQ(vbn_region_revoke(there, key), VBN_OK);
    key[kLentAt] = 0;
    vbn_remote_free(remote);
    ASSERT_EQ(vbn_remote_open(key, sizeof key, &remote), VBN_OK);
  }
  uint64_t& wordAt(vbn_region* region, uint64_t offset) {
    return *reinterpret_cast<uint64_t*>(static_cast<char*>(vbn_region_memory(region)) + offset);
  }
  vbn_operation operation(uint32_t kind, uint64_t length) const {
    vbn_operation made{};
    made.kind = kind;
    made.local = here;
    made.remote = remote;
    made.length = length;
    made.cookie = 99;
    return made;
  }
  /// Posts it and waits for its end.
  vbn_done run(const vbn_operation& given) {
    uint32_t posted = 0;
    EXPECT_EQ(vbn_fabric_post(one, link, &given, 1, &posted), VBN_OK) << vbn_error();
    EXPECT_EQ(posted, 1U);
    vbn_done done{};
    EXPECT_TRUE(eventually([&] { return vbn_fabric_poll(one, &done, 1) == 1; }));
    EXPECT_EQ(done.cookie, 99U);
    return done;
  }
  std::string refusalOf(const vbn_operation& given) {
    uint32_t posted = 7;
    EXPECT_NE(vbn_fabric_post(one, link, &given, 1, &posted), VBN_OK);
    EXPECT_EQ(posted, 0U);
    return vbn_error();
  }
  static bool eventually(const std::function<bool()>& holds) {
    auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(kPatienceNs);
    while (std::chrono::steady_clock::now() < end) {
      if (holds()) return true;
      std::this_thread::yield();
    }
    return false;
  }

  vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
  vbn_status status = VBN_OK;
  vbn_fabric* one = nullptr;
  vbn_fabric* two = nullptr;
  vbn_region* here = nullptr;
  vbn_region* there = nullptr;
  vbn_remote* remote = nullptr;
  uint8_t key[VBN_KEY_BYTES] = {};
  uint64_t link = 0;
};

TEST_F(FabricAbi, SaysWhichWayOperationsGo) {
  char text[256];
  run(operation(VBN_PUT, 8));
  EXPECT_EQ(vbn_fabric_way(one, link, text, sizeof text), 1);
  EXPECT_STREQ(text, "1 operations by mapped memory, 0 by the device");
  EXPECT_EQ(vbn_fabric_way(one, link + 99, text, sizeof text), -1);
  EXPECT_EQ(vbn_fabric_way(one, link, nullptr, 0), 1);
  vbn_operation add = operation(VBN_FETCH_ADD, 4);
  add.operand = 3;
  EXPECT_EQ(run(add).outcome, VBN_OUTCOME_DONE);
  EXPECT_EQ(wordAt(there, 0), wordAt(here, 0) + 3);
}

TEST_F(FabricAbi, SaysWhatAtomicsAreAtomicWith) {
  EXPECT_EQ(vbn_fabric_atomics(one), VBN_ATOMICS_OF_PROCESSORS);
  EXPECT_EQ(vbn_fabric_atomics(nullptr), VBN_ATOMICS_NONE);
  setenv("VERBENA_SOFTNIC_ATOMICS", "device", 1);
  vbn_fabric* other = open(3);
  unsetenv("VERBENA_SOFTNIC_ATOMICS");
  ASSERT_EQ(status, VBN_OK) << vbn_error();
  EXPECT_EQ(vbn_fabric_atomics(other), VBN_ATOMICS_OF_DEVICE);
  vbn_fabric_close(other);
}

TEST_F(FabricAbi, CountsWhatALinkDoes) {
  vbn_link_counters counters{};
  counters.struct_bytes = sizeof counters;
  run(operation(VBN_PUT, 64));
  run(operation(VBN_PUT, 8));
  run(operation(VBN_GET, 100));
  run(operation(VBN_FETCH_ADD, 8));
  vbn_operation flush{};
  flush.kind = VBN_FLUSH;
  flush.cookie = 99;
  run(flush);
  ASSERT_EQ(vbn_fabric_link_counters(one, link, &counters), VBN_OK) << vbn_error();
  EXPECT_EQ(counters.peer, 2U);
  EXPECT_EQ(counters.puts, 2U);
  EXPECT_EQ(counters.gets, 1U);
  EXPECT_EQ(counters.atomics, 1U);
  EXPECT_EQ(counters.flushes, 1U);
  EXPECT_EQ(counters.put_bytes, 72U);
  EXPECT_EQ(counters.got_bytes, 100U);
  EXPECT_EQ(counters.by_mapping, 5U);
  EXPECT_EQ(counters.by_device, 0U);
  vbn_operation signalling = operation(VBN_PUT, 8);
  signalling.flags = VBN_SIGNAL;
  run(signalling);
  vbn_operation beyond = operation(VBN_PUT, 8);
  beyond.offset = kBytes;
  refusalOf(beyond);
  ASSERT_EQ(vbn_fabric_link_counters(one, link, &counters), VBN_OK);
  EXPECT_EQ(counters.puts, 3U);
  EXPECT_EQ(counters.signals, 1U);
  EXPECT_EQ(counters.by_device, 1U);
  EXPECT_EQ(counters.refused, 1U);
  EXPECT_EQ(counters.failed, 0U);
  EXPECT_EQ(counters.relinks, 0U);
  uint64_t links[2];
  EXPECT_EQ(vbn_fabric_links(one, links, 2), 1U);
  EXPECT_EQ(links[0], link);
  EXPECT_EQ(vbn_fabric_link_counters(one, link + 99, &counters), VBN_FAILED);
}

TEST_F(FabricAbi, CountsPostsThatFindNoRoomAndLinksThatAreMadeAnew) {
  vbn_operation signalling = operation(VBN_PUT, 8);
  signalling.flags = VBN_SIGNAL;
  uint32_t posted = 1;
  uint32_t room = 0;
  for (; posted == 1; room++) {  // which nobody takes there
    ASSERT_EQ(vbn_fabric_post(one, link, &signalling, 1, &posted), VBN_OK) << vbn_error();
    vbn_done done{};
    bool isDone = eventually([&] { return posted == 0 || vbn_fabric_poll(one, &done, 1) == 1; });
    ASSERT_TRUE(isDone);
  }
  vbn_link_counters counters{};
  counters.struct_bytes = sizeof counters;
  ASSERT_EQ(vbn_fabric_link_counters(one, link, &counters), VBN_OK);
  EXPECT_EQ(counters.no_room, 1U);
  EXPECT_EQ(counters.signals, room - 1);
  revokeUnseen();
  EXPECT_EQ(run(operation(VBN_PUT, 8)).outcome, VBN_OUTCOME_REFUSED);
  ASSERT_TRUE(eventually([&] { return vbn_fabric_find(one, 2) == 0; }));
  std::jthread driver([&](const std::stop_token& stop) {
    vbn_done none{};
    while (!stop.stop_requested()) vbn_fabric_poll(two, &none, 1);
  });
  ASSERT_EQ(vbn_fabric_link(one, 2, kPatienceNs, &link), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_fabric_link_counters(one, link, &counters), VBN_OK);
  EXPECT_EQ(counters.relinks, 1U);
  EXPECT_EQ(counters.no_room, 0U);
}

/// Of the link with a node that nobody has numbered; -1 as long as there is none.
int64_t relinksWithAny(vbn_fabric* fabric) {
  uint64_t links[4];
  uint32_t count = vbn_fabric_links(fabric, links, 4);
  for (uint32_t i = 0; i < count; i++) {
    vbn_link_counters counters{};
    counters.struct_bytes = sizeof counters;
    bool isThere = vbn_fabric_link_counters(fabric, links[i], &counters) == VBN_OK;
    if (isThere && counters.peer > 0xFFFF) return counters.relinks;
  }
  return -1;
}

TEST_F(FabricAbi, CountsLinksThatAreMadeAnewWithNodesThatNobodyNumbers) {
  vbn_fabric* any = open(VBN_ANY_NODE);
  ASSERT_EQ(status, VBN_OK) << vbn_error();
  EXPECT_EQ(vbn_fabric_add_peer(any, 2, vbn_fabric_address(two)), VBN_OK);
  {
    std::jthread driver([&](const std::stop_token& stop) {
      vbn_done none{};
      while (!stop.stop_requested()) {  // one that is taken down ends by rounds of its node
        vbn_fabric_poll(two, &none, 1);
        vbn_fabric_poll(any, &none, 1);
      }
    });
    uint64_t dialled = 0;
    ASSERT_EQ(vbn_fabric_link(any, 2, kPatienceNs, &dialled), VBN_OK) << vbn_error();
    EXPECT_TRUE(eventually([&] { return relinksWithAny(two) == 0; }));
    vbn_fabric_unlink(any, dialled, "for the sake of the test");
    EXPECT_TRUE(eventually([&] { return relinksWithAny(two) == -1; }));
    EXPECT_TRUE(eventually([&] { return vbn_fabric_find(any, 2) == 0; }));
    ASSERT_EQ(vbn_fabric_link(any, 2, kPatienceNs, &dialled), VBN_OK) << vbn_error();
    EXPECT_TRUE(eventually([&] { return relinksWithAny(two) != -1; }));
    EXPECT_EQ(relinksWithAny(two), 1);
  }
  vbn_fabric_close(any);
}

TEST_F(FabricAbi, TheDeviceAloneIsUsedWhereThatIsWished) {
  vbn_fabric* three = open(3, [](vbn_fabric_options& options) { options.device_only = 1; });
  ASSERT_EQ(status, VBN_OK) << vbn_error();
  EXPECT_EQ(vbn_fabric_add_peer(three, 2, vbn_fabric_address(two)), VBN_OK);
  uint64_t other = 0;
  EXPECT_EQ(vbn_fabric_link(three, 2, kPatienceNs, &other), VBN_OK) << vbn_error();
  char text[256];
  EXPECT_EQ(vbn_fabric_way(three, other, text, sizeof text), 0);
  EXPECT_NE(std::string(text).find("switched off here"), std::string::npos) << text;
  vbn_fabric_close(three);
}

TEST_F(FabricAbi, OperatesOnMemoryOfAPeer) {
  EXPECT_EQ(vbn_remote_owner(remote), 2U);
  EXPECT_EQ(vbn_remote_bytes(remote), kBytes);
  EXPECT_EQ(vbn_region_bytes(there), kBytes);
  wordAt(here, 0) = 5;
  EXPECT_EQ(run(operation(VBN_PUT, 8)).outcome, VBN_OUTCOME_DONE);
  EXPECT_EQ(wordAt(there, 0), 5U);
  vbn_operation add = operation(VBN_FETCH_ADD, 8);
  add.operand = 10;
  run(add);
  EXPECT_EQ(wordAt(there, 0), 15U);
  vbn_operation swap = operation(VBN_COMPARE_SWAP, 8);
  swap.operand = 15;
  swap.swap = 1;
  run(swap);
  EXPECT_EQ(wordAt(here, 0), 15U);
  EXPECT_EQ(wordAt(there, 0), 1U);
  run(operation(VBN_GET, 8));
  EXPECT_EQ(wordAt(here, 0), 1U);
  vbn_operation flush{};
  flush.kind = VBN_FLUSH;
  flush.cookie = 99;
  EXPECT_EQ(run(flush).kind, VBN_FLUSH);
}

TEST_F(FabricAbi, SignalsWakeWhoWaitsOnTheDescriptor) {
  vbn_signal came[4];
  vbn_fabric_arm(two);
  ASSERT_EQ(vbn_fabric_signals(two, came, 4), 0U);
  wordAt(here, 0) = 5;
  vbn_operation put = operation(VBN_PUT, 8);
  put.flags = VBN_SIGNAL;
  put.signal = 4711;
  run(put);
  pollfd loop{vbn_fabric_descriptor(two), POLLIN, 0};
  ASSERT_EQ(poll(&loop, 1, 120'000), 1);
  vbn_fabric_wait(two, 0);
  ASSERT_TRUE(eventually([&] { return vbn_fabric_signals(two, came, 4) == 1; }));
  EXPECT_EQ(came[0].value, 4711U);
  EXPECT_EQ(came[0].peer, 1U);
  EXPECT_EQ(wordAt(there, 0), 5U);
}

/// There is news of a link, and a program in C may never ask for it. A wait ends early once for
/// each thing that happens while the link comes up; after those, waits last their whole time.
TEST_F(FabricAbi, NewsThatNobodyTakesEndNoFurtherWait) {
  constexpr std::chrono::nanoseconds kLong{20'000'000};
  int inARow = 0;
  EXPECT_TRUE(eventually([&] {
    auto begin = std::chrono::steady_clock::now();
    vbn_done none{};
    vbn_fabric_arm(two);
    vbn_fabric_poll(two, &none, 1);
    vbn_fabric_wait(two, kLong.count());
    inARow = std::chrono::steady_clock::now() - begin >= kLong ? inARow + 1 : 0;
    return inARow == 3;
  }));
}

TEST_F(FabricAbi, RefusesWithASentence) {
  vbn_operation beyond = operation(VBN_PUT, 8);
  beyond.offset = kBytes - 7;
  EXPECT_NE(refusalOf(beyond).find("the key names 65536 bytes"), std::string::npos);
  EXPECT_NE(refusalOf(operation(5, 8)).find("no operation of kind 5"), std::string::npos);
  vbn_operation nothing = operation(VBN_PUT, 8);
  nothing.local = nullptr;
  EXPECT_NE(refusalOf(nothing).find("the region is null"), std::string::npos);
  nothing = operation(VBN_PUT, 8);
  nothing.remote = nullptr;
  EXPECT_NE(refusalOf(nothing).find("the remote is null"), std::string::npos);
  uint32_t posted = 0;
  vbn_operation all[] = {operation(VBN_PUT, 8), operation(5, 8)};
  EXPECT_EQ(vbn_fabric_post(one, link, all, 2, &posted), VBN_OK);
  EXPECT_EQ(posted, 1U) << "what stands before one that is refused is begun";
  EXPECT_EQ(vbn_fabric_post(one, link + 1, all, 1, &posted), VBN_FAILED);
  EXPECT_EQ(vbn_fabric_post(nullptr, link, all, 1, &posted), VBN_INVALID);
  vbn_remote* none = nullptr;
  EXPECT_EQ(vbn_remote_open(key, sizeof key - 1, &none), VBN_FAILED);
  EXPECT_EQ(vbn_region_share(there, 0, kBytes, 8 + 256, key), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("access 264 is none of 1 to 7"), std::string::npos)
      << vbn_error();
  EXPECT_EQ(open(3, [](auto& options) { options.signals = 40'000; }), nullptr);
  EXPECT_NE(std::string(vbn_error()).find("1 to 32767"), std::string::npos);
}

TEST_F(FabricAbi, IdsOutOfRangeAreRefusedWithTheirLimit) {
  const std::string ofNodes = "the id of the node is 2147483648 (or -2147483648); it may be 0 to ";
  for (uint32_t id : {0x8000'0000U, 65'536U}) {
    EXPECT_EQ(open(id), nullptr) << id;
    EXPECT_EQ(status, VBN_INVALID);
  }
  EXPECT_STREQ(vbn_error(), "the id of the node is 65536; it may be 0 to 65535");
  const uint32_t beyond = 0x8000'0000;
  uint64_t none = 0;
  const std::function<vbn_status()> calls[] = {
      [&] { return vbn_fabric_add_peer(one, beyond, "127.0.0.1:1"); },
      [&] { return vbn_fabric_remove_peer(one, beyond); },
      [&] { return vbn_fabric_give_up(one, beyond, "no reason"); },
      [&] { return vbn_fabric_link(one, beyond, 0, &none); },
      [&] { return vbn_worker_link(one, 0, beyond, 0, &none); },
      [&] { return vbn_fabric_dial(one, beyond, 0); },
      [&] { return vbn_fabric_find(one, beyond) == 0 ? VBN_INVALID : VBN_OK; },
      [&] { return vbn_worker_find(one, 0, beyond) == 0 ? VBN_INVALID : VBN_OK; },
  };
  for (size_t i = 0; i < std::size(calls); i++) {
    vbn_fabric_link(one, 2, 0, nullptr);  // says something else
    EXPECT_EQ(calls[i](), VBN_INVALID) << i;
    EXPECT_EQ(vbn_error(), ofNodes + "2147483647") << i;
  }
  EXPECT_EQ(vbn_fabric_dial(one, static_cast<uint32_t>(-5), 0), VBN_INVALID);
  EXPECT_NE(std::string(vbn_error()).find("4294967291 (or -5)"), std::string::npos);
  EXPECT_EQ(vbn_worker_link(one, 65'536, 2, 0, &none), VBN_INVALID);
  EXPECT_STREQ(vbn_error(), "the rail is 65536; it may be 0 to 65535");
  vbn_done odd{};
  odd.peer = UINT32_MAX;
  char text[256] = "";
  vbn_done_sentence(&odd, text, sizeof text);
  EXPECT_NE(std::string(text).find("of node 4294967295"), std::string::npos) << text;
}

TEST_F(FabricAbi, MemoryThatCannotBeIsRefusedWithItsLimit) {
  vbn_region* none = nullptr;
  for (uint64_t bytes : {uint64_t{0}, UINT64_MAX}) {
    EXPECT_EQ(vbn_region_allocate(one, bytes, &none), VBN_FAILED);
    EXPECT_EQ(vbn_error(), "cannot allocate a region of " + std::to_string(bytes) +
                               " bytes: EINVAL; it has at least 1 byte and at most "
                               "9223372036854775807");
  }
  EXPECT_EQ(vbn_region_allocate(one, uint64_t{1} << 46, &none), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find(" bytes left; ask for less"), std::string::npos)
      << vbn_error();
  char some[1];
  EXPECT_EQ(vbn_region_register(one, some, 0, &none), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("register a region of 0 bytes"), std::string::npos);
  auto* page = reinterpret_cast<void*>(4096);
  EXPECT_EQ(vbn_region_register(one, page, 4096, &none), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error())
                .find("EFAULT; not all of it, from 0x1000 on, can be read and written"),
            std::string::npos)
      << vbn_error();
  EXPECT_EQ(none, nullptr);
}

TEST_F(FabricAbi, WhatAKeyOrARegionLacksIsSaid) {
  vbn_operation far = operation(VBN_GET, 8);
  far.local_offset = kBytes - 7;
  EXPECT_NE(refusalOf(far).find("the local region has 65536 bytes, and this takes 8 from 65529 on"),
            std::string::npos)
      << vbn_error();
  ASSERT_EQ(share(VBN_REMOTE_GET), VBN_OK) << vbn_error();
  EXPECT_NE(refusalOf(operation(VBN_PUT, 8))
                .find("the key was shared with access 1, this takes 2 (get 1, put 2, atomics 4)"),
            std::string::npos)
      << vbn_error();
  alignas(8) char own[64] = {};
  vbn_region* registered = nullptr;
  ASSERT_EQ(vbn_region_register(two, own, sizeof own, &registered), VBN_OK) << vbn_error();
  std::swap(registered, there);
  ASSERT_EQ(vbn_region_share(there, 0, sizeof own, VBN_REMOTE_ATOMIC, key), VBN_OK);
  vbn_remote_free(remote);
  ASSERT_EQ(vbn_remote_open(key, sizeof key, &remote), VBN_OK);
  EXPECT_NE(refusalOf(operation(VBN_FETCH_ADD, 4))
                .find("this is not lent: it was registered and not allocated"),
            std::string::npos)
      << vbn_error();
  std::swap(registered, there);
  vbn_region_free(registered);
}

TEST_F(FabricAbi, APortThatIsNoneIsNamed) {
  EXPECT_EQ(vbn_fabric_add_peer(one, 9, "127.0.0.1:70000"), VBN_OK);
  uint64_t none = 0;
  EXPECT_EQ(vbn_fabric_link(one, 9, kPatienceNs, &none), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "cannot connect to node 9: '127.0.0.1:70000' has the port 70000; a "
               "port is 0 to 65535");
  EXPECT_EQ(open(3, [](auto& options) { options.listen = "127.0.0.1:65536"; }), nullptr);
  EXPECT_NE(std::string(vbn_error()).find("it has the port 65536; a port is 0 to 65535"),
            std::string::npos)
      << vbn_error();
}

TEST_F(FabricAbi, ARegionOutlivesItsNodeAndIsNotSharedAnyMore) {
  vbn_fabric_close(std::exchange(two, nullptr));
  uint8_t other[VBN_KEY_BYTES] = {};
  EXPECT_EQ(vbn_region_share(there, 0, 8, VBN_REMOTE_PUT, other), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "the fabric of the region was closed: nobody reaches its memory any more; free it");
  EXPECT_EQ(vbn_region_revoke(there, key), VBN_OK) << vbn_error();
  wordAt(there, 0) = 5;
  EXPECT_EQ(vbn_region_bytes(there), kBytes);
}

TEST_F(FabricAbi, ARevokedKeyIsToldOfInWords) {
  ASSERT_EQ(vbn_region_revoke(there, key), VBN_OK);
  EXPECT_EQ(vbn_region_revoke(there, key), VBN_FAILED);
  EXPECT_NE(refusalOf(operation(VBN_PUT, 8)).find("ESTALE; the key was revoked; get a new one"),
            std::string::npos)
      << vbn_error();
  EXPECT_EQ(vbn_fabric_find(one, 2), link) << "that costs nothing";
}

TEST_F(FabricAbi, WhatADeviceRefusesIsToldOfInWords) {
  revokeUnseen();
  vbn_done done = run(operation(VBN_PUT, 8));
  EXPECT_EQ(done.outcome, VBN_OUTCOME_REFUSED);
  char text[256];
  vbn_done_sentence(&done, text, sizeof text);
  EXPECT_NE(std::string(text).find("put of 8 bytes at 0 of key"), std::string::npos) << text;
  vbn_done_sentence(&done, text, 4);
  EXPECT_STREQ(text, "put");
}

TEST_F(FabricAbi, ALinkThatHasFailedIsReplaced) {
  revokeUnseen();
  run(operation(VBN_PUT, 8));
  ASSERT_TRUE(eventually([&] { return vbn_fabric_find(one, 2) == 0; }));
  std::jthread driver([&](const std::stop_token& stop) {
    vbn_done none{};
    while (!stop.stop_requested()) vbn_fabric_poll(two, &none, 1);
  });
  uint64_t next = 0;  // this thread drives node 1 alone, and only by asking for the link
  ASSERT_EQ(vbn_fabric_link(one, 2, kPatienceNs, &next), VBN_OK) << vbn_error();
  EXPECT_NE(next, link);
  link = next;
  ASSERT_EQ(share(VBN_REMOTE_PUT), VBN_OK);
  EXPECT_EQ(run(operation(VBN_PUT, 8)).outcome, VBN_OUTCOME_DONE);
  vbn_news news{};
  news.struct_bytes = sizeof news;
  ASSERT_EQ(vbn_fabric_news(one, &news), 1);
  EXPECT_EQ(news.kind, VBN_NEWS_UP);
  EXPECT_EQ(news.peer, 2U);
}

}  // namespace
