// SPDX-License-Identifier: Apache-2.0
//
// Several workers of a node, as a program in C has them.
#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "verbena/fabric.h"

namespace {

constexpr uint64_t kPatienceNs = 120'000'000'000;
constexpr uint64_t kBytes = 65536;

class WorkersAbi : public ::testing::TestWithParam<uint32_t> {
 protected:
  static constexpr uint32_t kWorkers = 3;

  WorkersAbi() : one(open(1, kWorkers)), two(open(2, 2)) {
    EXPECT_EQ(vbn_fabric_add_peer(one, 2, vbn_fabric_address(two)), VBN_OK);
    EXPECT_EQ(vbn_region_allocate(one, kBytes, &here), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_region_allocate(two, kBytes, &there), VBN_OK) << vbn_error();
    uint8_t key[VBN_KEY_BYTES];
    EXPECT_EQ(vbn_region_share(there, 0, kBytes,
                               VBN_REMOTE_GET | VBN_REMOTE_PUT | VBN_REMOTE_ATOMIC, key),
              VBN_OK);
    key[2] = 0;  // as of memory that is not lent: that it is gone finds the device
    EXPECT_EQ(vbn_remote_open(key, sizeof key, &remote), VBN_OK);
  }
  ~WorkersAbi() override {
    vbn_remote_free(remote);
    vbn_region_free(here);
    vbn_region_free(there);
    vbn_fabric_close(one);
    vbn_fabric_close(two);
  }

  vbn_fabric* open(uint32_t node, uint32_t workers) {
    vbn_fabric_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = node;
    options.cluster = "abi";
    options.listen = "127.0.0.1:0";
    options.device = &softnic;
    options.device_only = GetParam();
    options.workers = workers;
    vbn_fabric* opened = nullptr;
    status = vbn_fabric_open(&options, &opened);
    return opened;
  }
  uint64_t linkOn(uint32_t rail) {
    uint64_t link = 0;
    EXPECT_EQ(vbn_worker_link(one, rail, 2, kPatienceNs, &link), VBN_OK) << vbn_error();
    return link;
  }
  vbn_operation add(uint64_t cookie) const {
    vbn_operation made{};
    made.kind = VBN_FETCH_ADD;
    made.local = here;
    made.local_offset = cookie * 8;
    made.remote = remote;
    made.length = 8;
    made.operand = 1;
    made.cookie = cookie;
    return made;
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
};

TEST_P(WorkersAbi, TellEachOfItsOwnLinksWhoeverPosts) {
  for (uint32_t rail = 0; rail < 2 * kWorkers; rail++) {
    uint64_t link = linkOn(rail);
    EXPECT_EQ(vbn_worker_find(one, rail, 2), link);
    vbn_operation operation = add(rail);
    uint32_t posted = 0;
    std::thread([&] {
      EXPECT_EQ(vbn_fabric_post(one, link, &operation, 1, &posted), VBN_OK) << vbn_error();
    }).join();
    vbn_done done{};
    uint32_t worker = rail % kWorkers;
    ASSERT_TRUE(eventually([&] {
      for (uint32_t other = 0; other < kWorkers; other++) {
        if (other == worker) continue;
        EXPECT_EQ(vbn_worker_poll(one, other, &done, 1), 0U);
      }
      return vbn_worker_poll(one, worker, &done, 1) == 1;
    }));
    EXPECT_EQ(done.cookie, rail);
    EXPECT_EQ(done.outcome, VBN_OUTCOME_DONE);
  }
  EXPECT_EQ(*static_cast<uint64_t*>(vbn_region_memory(there)), 2 * kWorkers);
}

/// All links of the worker, and no others'.
TEST_P(WorkersAbi, AreQuietWhenAllTheyHadToDoHasEnded) {
  uint32_t posted = 0;
  for (uint32_t rail : {0U, kWorkers, 1U}) {
    vbn_operation operation = add(rail);
    ASSERT_EQ(vbn_fabric_post(one, linkOn(rail), &operation, 1, &posted), VBN_OK) << vbn_error();
    ASSERT_EQ(posted, 1U);
  }
  uint64_t failed = 7;
  ASSERT_EQ(vbn_fabric_quiet(one, kPatienceNs, &failed), VBN_OK) << vbn_error();
  EXPECT_EQ(failed, 0U);
  std::vector<vbn_done> done(4);
  EXPECT_EQ(vbn_worker_poll(one, 0, done.data(), 4), 2U) << "quiet takes nothing";
  ASSERT_EQ(vbn_worker_quiet(one, 1, kPatienceNs, nullptr), VBN_OK) << vbn_error();
  EXPECT_EQ(vbn_worker_poll(one, 1, done.data(), 4), 1U);
  EXPECT_EQ(*static_cast<uint64_t*>(vbn_region_memory(there)), 3U);
  EXPECT_EQ(vbn_worker_quiet(one, 2, 0, &failed), VBN_OK) << "without any link";
  EXPECT_EQ(vbn_worker_quiet(one, kWorkers, 0, &failed), VBN_INVALID);
  EXPECT_EQ(vbn_fabric_quiet(nullptr, 0, &failed), VBN_INVALID);
}

TEST_P(WorkersAbi, CountWhatHasFailed) {
  uint64_t link = linkOn(1);
  vbn_region_free(std::exchange(there, nullptr));  // its keys are dead
  vbn_operation operation = add(1);
  uint32_t posted = 0;
  ASSERT_EQ(vbn_fabric_post(one, link, &operation, 1, &posted), VBN_OK) << vbn_error();
  uint64_t failed = 7;
  ASSERT_EQ(vbn_worker_quiet(one, 1, kPatienceNs, &failed), VBN_OK) << vbn_error();
  EXPECT_EQ(failed, 1U);
  vbn_done done{};
  ASSERT_EQ(vbn_worker_poll(one, 1, &done, 1), 1U);
  EXPECT_NE(done.outcome, VBN_OUTCOME_DONE);
  EXPECT_EQ(vbn_fabric_quiet(one, 0, &failed), VBN_OK);
  EXPECT_EQ(failed, 0U) << "of worker 0";
}

TEST_P(WorkersAbi, AreDrivenByAThreadEach) {
  constexpr uint64_t kAdds = 500;
  std::vector<uint64_t> links;
  for (uint32_t rail = 0; rail < kWorkers; rail++) links.push_back(linkOn(rail));
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> threads;
  for (uint32_t worker = 0; worker < kWorkers; worker++) {
    threads.emplace_back([&, worker] {
      vbn_operation operation = add(worker);
      vbn_done done{};
      for (uint64_t i = 0; i < kAdds; i++) {
        uint32_t posted = 0;
        vbn_fabric_post(one, links[worker], &operation, 1, &posted);
        if (posted != 1) wrong++;
        if (posted == 1 &&
            !eventually([&] { return vbn_worker_poll(one, worker, &done, 1) == 1; })) {
          wrong++;
        }
        if (done.cookie != worker || done.outcome != VBN_OUTCOME_DONE) wrong++;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(*static_cast<uint64_t*>(vbn_region_memory(there)), kWorkers * kAdds);
}

TEST_P(WorkersAbi, HearSignalsOfTheRailsThatTheyDrive) {
  for (uint32_t rail = 0; rail < 4; rail++) {
    uint64_t link = linkOn(rail);
    vbn_operation put = add(rail);
    put.kind = VBN_PUT;
    put.flags = VBN_SIGNAL;
    put.signal = 70 + rail;
    uint32_t posted = 0;
    EXPECT_EQ(vbn_fabric_post(one, link, &put, 1, &posted), VBN_OK) << vbn_error();
    vbn_signal signal{};
    EXPECT_TRUE(eventually([&] { return vbn_worker_signals(two, rail % 2, &signal, 1) == 1; }));
    EXPECT_EQ(signal.value, 70 + rail);
    vbn_done done{};
    EXPECT_TRUE(eventually([&] { return vbn_worker_poll(one, rail % kWorkers, &done, 1) == 1; }));
  }
}

/// Each sleeps on its own descriptor, and what is for another worker does not wake it for good.
TEST_P(WorkersAbi, SleepOnTheirOwn) {
  uint64_t link = linkOn(1);
  vbn_signal signal{};
  std::thread sleeper([&] {
    while (vbn_worker_signals(two, 1, &signal, 1) == 0) {
      vbn_worker_arm(two, 1);
      if (vbn_worker_signals(two, 1, &signal, 1) == 1) return;
      pollfd readable{vbn_worker_descriptor(two, 1), POLLIN, 0};
      poll(&readable, 1, -1);
      vbn_worker_wait(two, 1, 0);
    }
  });
  vbn_operation put = add(0);
  put.kind = VBN_PUT;
  put.flags = VBN_SIGNAL;
  put.signal = 5;
  uint32_t posted = 0;
  EXPECT_EQ(vbn_fabric_post(one, link, &put, 1, &posted), VBN_OK) << vbn_error();
  sleeper.join();
  EXPECT_EQ(signal.value, 5U);
  EXPECT_NE(vbn_worker_descriptor(two, 0), vbn_worker_descriptor(two, 1));
}

/// A link that is down is news, and its rail can be linked again.
TEST_P(WorkersAbi, LinkAgain) {
  uint64_t first = linkOn(2);
  vbn_fabric_unlink(one, first, "enough");
  vbn_done done{};
  EXPECT_TRUE(eventually([&] {
    for (uint32_t worker = 0; worker < kWorkers; worker++) vbn_worker_poll(one, worker, &done, 1);
    for (uint32_t worker = 0; worker < 2; worker++) vbn_worker_poll(two, worker, &done, 1);
    return vbn_worker_find(one, 2, 2) == 0 && vbn_worker_find(two, 2, 1) == 0;
  }));
  std::atomic<bool> over{false};
  std::thread far([&] {
    vbn_done none{};
    while (!over) vbn_worker_poll(two, 0, &none, 1);
  });
  EXPECT_NE(linkOn(2), first);
  over = true;
  far.join();
}

TEST_P(WorkersAbi, ThatAreNotThereAreNone) {
  vbn_done done{};
  EXPECT_EQ(vbn_worker_poll(one, kWorkers, &done, 1), 0U);
  EXPECT_NE(std::string(vbn_error()).find("no worker 3 of 3"), std::string::npos) << vbn_error();
  EXPECT_EQ(vbn_worker_descriptor(one, kWorkers), -1);
  uint64_t link = 0;
  EXPECT_NE(vbn_worker_link(one, 65536, 2, 1, &link), VBN_OK);
  EXPECT_EQ(open(3, 17), nullptr);
  EXPECT_NE(std::string(vbn_error()).find("workers is 17"), std::string::npos) << vbn_error();
}

INSTANTIATE_TEST_SUITE_P(Ways, WorkersAbi, ::testing::Values(0U, 1U),
                         [](const auto& way) { return way.param == 0 ? "Mapped" : "ByDevice"; });

}  // namespace
