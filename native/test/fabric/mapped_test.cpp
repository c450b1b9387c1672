// SPDX-License-Identifier: Apache-2.0
//
// Which way operations go, what the two ways have to do with each other, and memory that is taken
// back while peers work on what they have mapped.
#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "memories.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::fill;
using softnic::testing::holds;
using Outcome = Done::Outcome;
using Clock = std::chrono::steady_clock;

class MappedTest : public Memories {
 protected:
  uint32_t& shortWordAt(const Region& region, uint64_t offset) const {
    return *reinterpret_cast<uint32_t*>(region.bytes().data() + offset);
  }
  Request shortOf(Request request) const {
    request.length = 4;
    return request;
  }
  int codeOf(const Request& request) {
    auto posted = left_.memory().post(kLink, std::span(&request, 1));
    return posted ? 0 : posted.error().code;
  }
  bool coherent() { return left_.worker().domain().hasCoherentAtomics(); }
  /// A key of memory that nobody can map.
  RegionKey keyOfForeign() {
    foreign_ = right_.foreign(own_);
    return must(foreign_->share(0, own_.size(), kAllAccess));
  }
  uint64_t byDevice() { return left_.way(kLink).byDevice; }
  uint64_t byMapping() { return left_.way(kLink).byMapping; }

  std::vector<std::byte> own_ = std::vector<std::byte>(8192);
  std::shared_ptr<Region> foreign_;
};

TEST_F(MappedTest, WhatCanGoesByMappingAndIsDoneWhenPosted) {
  EXPECT_TRUE(left_.way(kLink).mapped);
  EXPECT_EQ(left_.way(kLink).why, "");
  fill(here_->bytes().data(), kBytes, 4);
  std::vector<Request> all{put(0, 0, kBytes, 1), get(0, 8, 8, 2)};
  if (coherent()) all.push_back(add(8, 1));
  all.push_back({.operation = Operation::flush});
  ASSERT_EQ(must(left_.memory().post(kLink, all)), all.size());
  EXPECT_TRUE(holds(there_->bytes().data(), 8, 4));
  std::array<Done, 8> done;
  EXPECT_EQ(left_.memory().poll(done), all.size()) << "without a round";
  EXPECT_EQ(byMapping(), all.size());
  EXPECT_EQ(byDevice(), 0U);
}

TEST_F(MappedTest, MemoryThatNobodyCanMapGoesByTheDevice) {
  key_ = keyOfForeign();
  std::memset(here_->bytes().data(), 5, 64);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 64)), Outcome::done);
  EXPECT_EQ(own_[63], std::byte{5});
  EXPECT_EQ(byDevice(), 1U);
  EXPECT_TRUE(left_.way(kLink).mapped) << "other memory can be";
}

/// The order of a link holds: nothing overtakes what is open at the device.
TEST_F(MappedTest, WhileAnythingOfTheLinkIsOpenAtTheDeviceAllGoesThere) {
  Request slow = put(0, 0, 8, 1);
  slow.key = keyOfForeign();
  std::vector<Request> all{put(0, 0, 8, 0), slow, put(0, 0, 8, 2), get(0, 0, 8, 3)};
  for (const Request& each : all) {
    ASSERT_EQ(must(left_.memory().post(kLink, std::span(&each, 1))), 1U);
  }
  EXPECT_EQ(byMapping(), 1U);
  EXPECT_EQ(byDevice(), 3U);
  std::vector<Done> done = left_.await(4);
  for (uint64_t i = 0; i < done.size(); i++) EXPECT_EQ(done[i].cookie, i);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done);
  EXPECT_EQ(byMapping(), 2U) << "nothing is open any more";
}

TEST_F(MappedTest, OperationsOfBothWaysAreToldOfInTheirOrder) {
  constexpr uint64_t kCount = 20'000;
  RegionKey foreign = keyOfForeign();
  std::atomic<bool> over{false};
  std::jthread rounds([&] {
    while (!over) left_.worker().progress();
  });
  std::jthread far([&] {
    std::array<Signal, 16> signals;
    while (!over) {
      right_.worker().progress();
      right_.memory().takeSignals(signals);
    }
  });
  std::minstd_rand random(1);
  std::array<Done, 64> done;
  uint64_t posted = 0, told = 0;
  auto poll = [&] {
    size_t count = left_.memory().poll(done);
    for (size_t i = 0; i < count; i++) {
      ASSERT_EQ(done[i].cookie, told++);
      ASSERT_EQ(done[i].outcome, Outcome::done);
    }
  };
  for (auto end = Clock::now() + kPatience; told < kCount && Clock::now() < end;) {
    Request next = put(0, 0, 8, posted);
    auto kind = random() % 16;
    if (kind == 0) next.key = foreign;
    if (kind == 1) next.signals = true;
    if (kind == 2) next = get(64, 0, 8, posted);  // not to where puts come from
    if (posted < kCount) posted += must(left_.memory().post(kLink, std::span(&next, 1)));
    if (random() % 4 == 0) poll();
  }
  over = true;
  EXPECT_EQ(told, kCount);
  EXPECT_GT(byMapping(), 0U);
  EXPECT_GT(byDevice(), 0U);
}

TEST_F(MappedTest, ItIsSwitchedOffByEitherEnd) {
  Node off(3, 303, {}, false);
  connect(left_, off, 8);
  std::shared_ptr<Region> theirs = off.region(4096);
  Request request = put(0, 0, 64);
  request.key = must(theirs->share(0, 4096, kAllAccess));
  EXPECT_EQ(left_.run(8, request), Outcome::done);
  Way way = left_.way(8);
  EXPECT_FALSE(way.mapped);
  EXPECT_NE(way.why.find("switched off there"), std::string::npos) << way.why;
  EXPECT_EQ(way.byDevice, 1U);
  EXPECT_NE(off.way(8).why.find("switched off here"), std::string::npos) << off.way(8).why;
  EXPECT_FALSE(left_.memory().way(99));
  left_.close(8);
  off.close(8);
}

TEST_F(MappedTest, AFarSideWithoutABookHereIsOnAnotherHost) {
  connect::NewLink link{8, 2, kOneSided, nullptr, 202};
  must(left_.worker().create(left_.memory(), link));
  link.peer = 1;
  connect::LinkEnd far = must(right_.worker().create(right_.memory(), link));
  std::vector<std::byte> bytes(far.bytes().begin(), far.bytes().end());
  bytes[QueuePairEnd::kBytes + 16] ^= std::byte{1};  // of the book's name
  must(left_.worker().connect(8, connect::LinkEnd(bytes)));
  EXPECT_FALSE(left_.way(8).mapped);
  EXPECT_NE(left_.way(8).why.find("another host"), std::string::npos) << left_.way(8).why;
  left_.close(8);
  right_.close(8);
}

// ------------------------------------------------------------------ 4 bytes

TEST_F(MappedTest, AtomicsOfFourBytesChangeFourBytes) {
  if (!coherent()) GTEST_SKIP() << "atomics go by the device here, and it has none of them";
  wordAt(*there_, 64) = UINT64_MAX;
  wordAt(*here_, 0) = 0;
  EXPECT_EQ(left_.run(kLink, shortOf(add(68, 2))), Outcome::done);
  EXPECT_EQ(shortWordAt(*here_, 0), UINT32_MAX);
  EXPECT_EQ(shortWordAt(*here_, 4), 0U);
  EXPECT_EQ(wordAt(*there_, 64), 0x1'ffff'ffffU) << "around, and the neighbour stays";
  EXPECT_EQ(left_.run(kLink, shortOf(swap(68, 1, 7))), Outcome::done);
  EXPECT_EQ(shortWordAt(*there_, 68), 7U);
  EXPECT_EQ(left_.run(kLink, shortOf(swap(68, 1, 8))), Outcome::done);
  EXPECT_EQ(shortWordAt(*here_, 0), 7U);
  EXPECT_EQ(shortWordAt(*there_, 68), 7U) << "the comparison does not hold";
  EXPECT_EQ(codeOf(shortOf(add(66, 1))), EINVAL);
  Request odd = add(64, 1);
  odd.length = 2;
  EXPECT_EQ(codeOf(odd), EINVAL);
}

TEST_F(MappedTest, AtomicsOfFourBytesAreRefusedWhereNothingIsMapped) {
  Node off(3, 303, {}, false);
  connect(left_, off, 8);
  Request request = shortOf(add(0, 1));
  request.key.owner = 3;
  request.key.incarnation = 303;
  auto refused = left_.memory().post(8, std::span(&request, 1));
  EXPECT_EQ(refused.error().code, ENOTSUP);
  EXPECT_NE(refused.error().sentence().find("switched off there"), std::string::npos);
  left_.close(8);
  off.close(8);
  request = shortOf(add(0, 1));
  request.key = keyOfForeign();
  EXPECT_EQ(codeOf(request), ENOTSUP) << "this memory is not";
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done) << "that costs nothing";
}

TEST_F(MappedTest, AtomicsOfFourBytesWaitForWhatIsOpenAtTheDevice) {
  if (!coherent()) GTEST_SKIP() << "atomics go by the device here, and it has none of them";
  Request slow = put(0, 0, 8);
  slow.key = keyOfForeign();
  std::vector<Request> all{slow, put(0, 0, 8), shortOf(add(64, 1))};
  ASSERT_EQ(must(left_.memory().post(kLink, all)), 2U);
  EXPECT_EQ(codeOf(all[2]), 0) << "no room";
  EXPECT_EQ(shortWordAt(*there_, 64), 0U);
  EXPECT_EQ(left_.await(2).size(), 2U);
  EXPECT_EQ(left_.run(kLink, all[2]), Outcome::done);
  EXPECT_EQ(shortWordAt(*there_, 64), 1U);
}

// ------------------------------------------------------------------ atomics of both ways

/// softnic's atomics are the processor's.
TEST_F(MappedTest, AtomicsOfBothWaysAndOfTheProcessorAreAtomicTogether) {
  if (!coherent()) GTEST_SKIP() << "the device's and the processor's do not fit together";
  constexpr uint64_t kEach = 20'000;
  Node off(3, 303, {}, false);
  connect(off, right_, 8);
  std::shared_ptr<Region> results = off.region(4096);
  std::jthread processor([&] {
    for (uint64_t i = 0; i < kEach; i++) std::atomic_ref(wordAt(*there_, 0)).fetch_add(1);
  });
  std::jthread device([&] {
    Request request = add(0, 1);
    request.local = results.get();
    for (uint64_t i = 0; i < kEach; i++) ASSERT_EQ(off.run(8, request), Outcome::done);
  });
  for (uint64_t i = 0; i < kEach; i++) ASSERT_EQ(left_.run(kLink, add(0, 1)), Outcome::done);
  processor.join();
  device.join();
  EXPECT_EQ(byMapping(), kEach);
  EXPECT_EQ(off.way(8).byDevice, kEach);
  EXPECT_EQ(wordAt(*there_, 0), 3 * kEach);
  off.close(8);
  right_.close(8);
}

/// Most adapters' are.
class DevicesAtomicsTest : softnic::testing::DevicesAtomics, public MappedTest {};

TEST_F(DevicesAtomicsTest, GoByTheDeviceWhereTheyAreNotAtomicWithTheProcessors) {
  ASSERT_FALSE(coherent());
  constexpr uint64_t kEach = 500;
  Node off(3, 303, {}, false);
  connect(off, right_, 8);
  std::shared_ptr<Region> results = off.region(4096);
  std::jthread device([&] {
    Request request = add(0, 1);
    request.local = results.get();
    for (uint64_t i = 0; i < kEach; i++) ASSERT_EQ(off.run(8, request), Outcome::done);
  });
  for (uint64_t i = 0; i < kEach; i++) ASSERT_EQ(left_.run(kLink, add(0, 1)), Outcome::done);
  device.join();
  EXPECT_EQ(byMapping(), 0U);
  EXPECT_EQ(wordAt(*there_, 0), 2 * kEach);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done);
  EXPECT_EQ(byMapping(), 1U) << "what is no atomic";
  EXPECT_EQ(codeOf(shortOf(add(64, 1))), ENOTSUP) << "the device has none of 4 bytes";
  off.close(8);
  right_.close(8);
}

// ------------------------------------------------------------------ taking back

/// One that puts 0xff through a key as long as that goes.
class Putter {
 public:
  Putter(Node& node, const Request& request)
      : thread_([&node, request, this] {
          std::array<Done, 64> done;
          for (bool ends = false; !ends; rounds_++) {
            auto posted = node.memory().post(7, std::span(&request, 1));
            node.worker().progress();
            size_t count = node.memory().poll(done);
            ends = !posted;
            for (const Done& each : std::span(done).first(count)) {
              ends = ends || each.outcome != Outcome::done;
            }
          }
        }) {}
  void awaitRounds() const {
    while (rounds_ < 1000) std::this_thread::yield();
  }

 private:
  std::atomic<uint64_t> rounds_{0};
  std::jthread thread_;
};

TEST_F(MappedTest, NothingIsPutThroughAKeyThatIsRevokedUnderLoad) {
  std::memset(here_->bytes().data(), 0xff, kBytes);
  Putter putter(left_, put(0, 4096, 300'000));
  putter.awaitRounds();
  must(there_->revoke(key_));
  std::memset(there_->bytes().data(), 0, kBytes);
  for (auto end = Clock::now() + std::chrono::milliseconds(20); Clock::now() < end;) {
    ASSERT_EQ(there_->bytes()[4096], std::byte{0});
    ASSERT_EQ(there_->bytes()[304'095], std::byte{0});
  }
}

TEST_F(MappedTest, ARegionIsFreedUnderLoad) {
  Putter putter(left_, put(0, 0, 300'000));
  putter.awaitRounds();
  there_.reset();
}

TEST_F(MappedTest, NothingIsPutOverALinkWhoseFarSideHasClosedIt) {
  std::memset(here_->bytes().data(), 0xff, kBytes);
  Putter putter(left_, put(0, 0, 300'000));
  putter.awaitRounds();
  right_.close(kLink);
  std::memset(there_->bytes().data(), 0, kBytes);
  for (auto end = Clock::now() + std::chrono::milliseconds(20); Clock::now() < end;) {
    ASSERT_EQ(there_->bytes()[0], std::byte{0});
    ASSERT_EQ(there_->bytes()[299'999], std::byte{0});
  }
}

}  // namespace
}  // namespace verbena::fabric::testing
