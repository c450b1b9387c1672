// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations between two nodes of one process, on the device under test.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <thread>

#include "memories.h"
#include "softnic/objects/faults.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::fill;
using softnic::testing::holds;
using Outcome = Done::Outcome;

/// Each test goes every way.
class OneSidedTest : public Memories, public ::testing::WithParamInterface<Wire> {
 protected:
  OneSidedTest() : Memories(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Wires, OneSidedTest, ::testing::ValuesIn(wires()), nameOfWire);

class DeviceTest : public Memories {
 protected:
  DeviceTest() : Memories(Wire::Device) {}
};

TEST_P(OneSidedTest, PutsBytesWhereTheKeySays) {
  for (size_t bytes : {1U, 8U, 64U, 220U, 221U, 4096U, 65536U, 500'000U}) {
    fill(here_->bytes().data() + 100, bytes, static_cast<unsigned>(bytes));
    ASSERT_EQ(left_.run(kLink, put(100, 300, bytes)), Outcome::done) << bytes;
    EXPECT_TRUE(holds(there_->bytes().data() + 300, bytes, static_cast<unsigned>(bytes)));
    EXPECT_EQ(there_->bytes()[299], std::byte{0});
    EXPECT_EQ(there_->bytes()[300 + bytes], std::byte{0});
    std::memset(there_->bytes().data(), 0, kBytes);
  }
}

TEST_P(OneSidedTest, GetsBytesFromWhereTheKeySays) {
  for (size_t bytes : {1U, 8U, 64U, 4096U, 500'000U}) {
    fill(there_->bytes().data() + 300, bytes, static_cast<unsigned>(bytes));
    ASSERT_EQ(left_.run(kLink, get(100, 300, bytes)), Outcome::done) << bytes;
    EXPECT_TRUE(holds(here_->bytes().data() + 100, bytes, static_cast<unsigned>(bytes)));
  }
}

TEST_P(OneSidedTest, AtomicsGiveBackWhatWasThere) {
  wordAt(*there_, 64) = 40;
  ASSERT_EQ(left_.run(kLink, add(64, 2)), Outcome::done);
  EXPECT_EQ(wordAt(*here_, 0), 40U);
  EXPECT_EQ(wordAt(*there_, 64), 42U);
  ASSERT_EQ(left_.run(kLink, swap(64, 42, 7)), Outcome::done);
  EXPECT_EQ(wordAt(*here_, 0), 42U);
  EXPECT_EQ(wordAt(*there_, 64), 7U);
  ASSERT_EQ(left_.run(kLink, swap(64, 42, 8)), Outcome::done);
  EXPECT_EQ(wordAt(*there_, 64), 7U) << "the comparison does not hold";
}

TEST_P(OneSidedTest, TellsOfEachOperationOnceAndInOrder) {
  constexpr uint64_t kCount = 5'000;
  std::vector<Request> all;
  for (uint64_t i = 0; i < kCount; i++) all.push_back(put(8 * (i % 64), 8 * (i % 64), 8, i));
  std::vector<Done> done;
  std::array<Done, 32> batch;
  auto end = std::chrono::steady_clock::now() + kPatience;
  for (size_t posted = 0; done.size() < kCount && std::chrono::steady_clock::now() < end;) {
    size_t most = std::min<size_t>(40, kCount - posted);
    posted += must(left_.memory().post(kLink, std::span(all).subspan(posted, most)));
    left_.worker().progress();
    size_t count = left_.memory().poll(batch);
    done.insert(done.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(count));
  }
  ASSERT_EQ(done.size(), kCount);
  EXPECT_EQ(left_.memory().poll(batch), 0U);
  for (uint64_t i = 0; i < kCount; i++) {
    ASSERT_EQ(done[i].cookie, i);
    ASSERT_EQ(done[i].outcome, Outcome::done);
  }
}

TEST_P(OneSidedTest, SaysThatThereIsNoRoomAndLosesNothing) {
  std::vector<Request> all(10'000, put(0, 0, 8));
  uint32_t posted = must(left_.memory().post(kLink, all));
  bool isMapped = GetParam() == Wire::Mapped;
  EXPECT_EQ(posted, isMapped ? all.size() : left_.worker().options().sendWorkRequests);
  for (const Done& each : left_.await(posted)) EXPECT_EQ(each.outcome, Outcome::done);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done);
}

TEST_P(OneSidedTest, WhoDoesNotPollHasNoRoomAfterAWhile) {
  std::vector<Request> all(64, put(0, 0, 8));
  const uint64_t places = std::bit_ceil(left_.worker().options().completions());
  uint64_t posted = 0;
  for (auto end = std::chrono::steady_clock::now() + kPatience;
       posted < places && std::chrono::steady_clock::now() < end;) {
    posted += must(left_.memory().post(kLink, all));
    left_.worker().progress();
  }
  EXPECT_EQ(posted, places);
  EXPECT_EQ(must(left_.memory().post(kLink, all)), 0U);
  EXPECT_EQ(left_.await(posted).size(), posted);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done);
}

TEST_P(OneSidedTest, RefusesAtOnceWhatCannotBeAndThatCostsNothing) {
  auto refuses = [&](const Request& request, int code) {
    auto result = left_.memory().post(kLink, std::span(&request, 1));
    return !result && result.error().code == code;
  };
  EXPECT_TRUE(refuses(put(0, kBytes - 7, 8), ERANGE));
  EXPECT_TRUE(refuses(put(0, UINT64_MAX, 8), ERANGE));
  EXPECT_TRUE(refuses(put(kBytes - 7, 0, 8), ERANGE));
  EXPECT_TRUE(refuses(put(0, 0, 0), EINVAL));
  EXPECT_TRUE(refuses(add(4, 1), EINVAL)) << "a word across a multiple of 8";
  Request request = put(0, 0, 8);
  request.key.access = kRemoteGet;
  EXPECT_TRUE(refuses(request, EACCES));
  request = put(0, 0, 8);
  request.key.owner = 3;
  EXPECT_TRUE(refuses(request, ESTALE));
  request = put(0, 0, 8);
  request.key.incarnation++;
  EXPECT_TRUE(refuses(request, ESTALE)) << "a key of another life";
  request = put(0, 0, 8);
  EXPECT_EQ(left_.memory().post(99, std::span(&request, 1)).error().code, ENOTCONN);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done);
}

TEST_P(OneSidedTest, RefusesWhatTheDeviceDoesNotMoveAtOnce) {
  Request request = put(0, 0, 8);
  request.length = request.key.length = uint64_t{1} << 31;
  auto refused = left_.memory().post(kLink, std::span(&request, 1));
  EXPECT_EQ(refused.error().code, EMSGSIZE);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done);
}

TEST_P(OneSidedTest, RefusesMemoryOfAnotherDomain) {
  Request request = put(0, 0, 8);
  request.local = there_.get();
  EXPECT_EQ(left_.memory().post(kLink, std::span(&request, 1)).error().code, EINVAL);
}

TEST_P(OneSidedTest, AnEndThatServesNoReadsOrSpeaksAnotherVersionIsRefused) {
  connect::NewLink link{9, 2, kOneSided, nullptr, 202};
  connect::LinkEnd near = must(left_.worker().create(left_.memory(), link));
  QueuePairEnd end = must(QueuePairEnd::of(2, near));
  std::vector<std::byte> terms(QueuePairEnd::termsOf(near).begin(),
                               QueuePairEnd::termsOf(near).end());
  end.maxReadsServed = 0;
  EXPECT_EQ(left_.worker().connect(9, end.with(terms)).error().code, EPROTO);
  end.maxReadsServed = 1;
  EXPECT_EQ(left_.worker().connect(9, end.with({})).error().code, EPROTO);
  terms[0] = std::byte{3};
  EXPECT_EQ(left_.worker().connect(9, end.with(terms)).error().code, EPROTO);
  left_.close(9);
}

/// Memory that cannot be mapped, so that the get's answer takes its time.
TEST_P(OneSidedTest, AFencedPutSendsWhatTheGetBeforeItHasBrought) {
  std::vector<std::byte> theirs(4096);
  auto to = right_.foreign(theirs);
  key_ = must(to->share(0, 4096, kAllAccess));
  for (uint64_t i = 1; i <= 100; i++) {
    wordAt(*to, 0) = i;
    std::vector<Request> both{get(0, 0, 8), put(0, 64, 8)};
    both[1].fence = true;
    ASSERT_EQ(must(left_.memory().post(kLink, both)), 2U);
    for (size_t done = 0; done < 2; done += left_.await(1).size()) right_.worker().progress();
    ASSERT_EQ(wordAt(*to, 64), i);
  }
}

TEST_P(OneSidedTest, PlacesForLinksAreCounted) {
  auto more = left_.worker().add(left_.memory(), 1);
  EXPECT_NE(more.error().sentence().find("maxLinks is 256"), std::string::npos);
}

TEST_P(OneSidedTest, PostsWhatStandsBeforeARefusedOne) {
  std::vector<Request> all{put(0, 0, 8, 1), put(0, 8, 8, 2), put(0, kBytes, 8, 3), put(0, 0, 8, 4)};
  EXPECT_EQ(must(left_.memory().post(kLink, all)), 2U);
  EXPECT_EQ(left_.await(2).back().cookie, 2U);
  EXPECT_FALSE(left_.memory().post(kLink, std::span(all).subspan(2)).ok());
}

TEST_P(OneSidedTest, AKeyReachesWhatWasSharedAndNothingElse) {
  key_ = must(there_->share(4096, 4096, kAllAccess));
  fill(here_->bytes().data(), 4096, 1);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 4096)), Outcome::done);
  EXPECT_TRUE(holds(there_->bytes().data() + 4096, 4096, 1));
  key_.length++;  // a liar
  EXPECT_EQ(left_.run(kLink, put(0, 4096, 1)), Outcome::refused);
  EXPECT_EQ(there_->bytes()[8192], std::byte{0});
  expectFailure();
}

TEST_P(OneSidedTest, AKeyAllowsWhatWasSharedAndNothingElse) {
  key_ = must(there_->share(0, kBytes, kRemoteGet));
  EXPECT_EQ(left_.run(kLink, get(0, 0, 8)), Outcome::done);
  key_.access = kAllAccess;  // a liar
  std::memset(here_->bytes().data(), 1, 8);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::refused);
  EXPECT_EQ(wordAt(*there_, 0), 0U);
  expectFailure();
}

TEST_P(OneSidedTest, NothingGoesThroughARevokedKey) {
  RegionKey other = must(there_->share(0, kBytes, kAllAccess));
  must(there_->revoke(key_));
  EXPECT_EQ(there_->revoke(key_).error().code, ENOENT);
  std::memset(here_->bytes().data(), 1, 8);
  RegionKey revoked = std::exchange(key_, other);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done) << "the other share stays";
  key_ = unseen(revoked);
  EXPECT_EQ(left_.run(kLink, put(0, 64, 8)), Outcome::refused);
  EXPECT_EQ(wordAt(*there_, 64), 0U);
  expectFailure();
}

/// What a peer of the host can see it is told of before it costs anything.
TEST_P(OneSidedTest, ARevokedKeyOfThisHostIsRefusedAndCostsNothing) {
  if (GetParam() != Wire::Mapped) GTEST_SKIP() << "the revoking is not to be seen from here";
  RegionKey revoked = must(there_->share(0, kBytes, kAllAccess));
  must(there_->revoke(revoked));
  std::vector<Request> all{put(0, 0, 8, 1), put(0, 0, 8, 2), put(0, 0, 8, 3)};
  all[1].key = revoked;
  EXPECT_EQ(must(left_.memory().post(kLink, all)), 1U) << "what stands before it is begun";
  auto refusal = left_.memory().post(kLink, std::span(all).subspan(1));
  ASSERT_FALSE(refusal.ok());
  EXPECT_EQ(refusal.error().code, ESTALE);
  EXPECT_NE(refusal.error().sentence().find("the key was revoked; get a new one"),
            std::string::npos)
      << refusal.error().sentence();
  EXPECT_EQ(left_.await(1)[0].outcome, Outcome::done);
  EXPECT_EQ(left_.run(kLink, put(0, 0, 8)), Outcome::done) << "the link lives";
  EXPECT_EQ(left_.failureOf(kLink), "");
}

TEST_P(OneSidedTest, WhatIsOpenWhenTheLinkEndsIsToldOfOnce) {
  RegionKey revoked = must(there_->share(0, kBytes, kAllAccess));
  must(there_->revoke(revoked));
  std::vector<Request> all{put(0, 0, 8, 1), put(0, 0, 8, 2), put(0, 0, 8, 3), get(0, 0, 8, 4)};
  all[1].key = unseen(revoked);
  ASSERT_EQ(must(left_.memory().post(kLink, all)), 4U);
  std::vector<Done> done = left_.await(2);
  EXPECT_EQ(done[0].outcome, Outcome::done);
  EXPECT_EQ(done[1].outcome, Outcome::refused);
  EXPECT_EQ(done[1].cookie, 2U);
  expectFailure();
  done = left_.await(2);
  EXPECT_EQ(done[0].cookie, 3U);
  EXPECT_EQ(done[0].outcome, Outcome::unknown);
  EXPECT_EQ(done[1].cookie, 4U);
  EXPECT_EQ(done[1].outcome, Outcome::unknown);
  Done more;
  EXPECT_EQ(left_.memory().poll(std::span(&more, 1)), 0U);
}

TEST_F(DeviceTest, OfADeviceThatFailsEachOperationIsToldOfOnce) {
  const Domain& domain = left_.worker().domain();
  std::string device = domain.selection.device.name();
  if (!device.starts_with("softnic")) GTEST_SKIP() << device << " has no faults on command";
  std::string error;
  ASSERT_TRUE(softnic::setFaults(domain.context.get(), "write:3=device-fatal", error)) << error;
  std::vector<Request> all;
  for (uint64_t i = 0; i < 6; i++) all.push_back(put(0, 0, 8, i));
  uint32_t posted = must(left_.memory().post(kLink, all));
  left_.close(kLink);
  std::vector<Done> done = left_.await(posted);
  ASSERT_EQ(done.size(), posted);
  for (uint32_t i = 0; i < posted; i++) EXPECT_EQ(done[i].cookie, i);
  EXPECT_EQ(done.back().outcome, Outcome::unknown);
}

TEST_P(OneSidedTest, ClosingIsNoFailureOfTheLink) {
  std::vector<Request> all(64, put(0, 0, 4096));
  must(left_.memory().post(kLink, all));
  left_.close(kLink);
  EXPECT_EQ(left_.failureOf(kLink), "");
}

TEST_P(OneSidedTest, ALinkComesAgain) {
  left_.close(kLink);
  right_.close(kLink);
  connect(left_, right_, kLink + 1);
  EXPECT_EQ(left_.run(kLink + 1, put(0, 0, 8)), Outcome::done);
  left_.close(kLink + 1);
  right_.close(kLink + 1);
}

TEST_P(OneSidedTest, MemoryOfTheCallersOwnMayBeUsedAtBothEnds) {
  std::vector<std::byte> mine(8192), yours(8192);
  auto from = left_.foreign(mine);
  auto to = right_.foreign(yours);
  key_ = must(to->share(0, 8192, kRemotePut));
  fill(mine.data(), mine.size(), 5);
  Request request = put(0, 0, 8192);
  request.local = from.get();
  EXPECT_EQ(left_.run(kLink, request), Outcome::done);
  EXPECT_TRUE(holds(yours.data(), yours.size(), 5));
}

TEST_P(OneSidedTest, ManyThreadsPostOnOneLink) {
  constexpr uint64_t kThreads = 3, kEach = 4'000;
  std::atomic<uint64_t> posted{0};
  {
    std::vector<std::jthread> threads;
    for (uint64_t i = 0; i < kThreads; i++) {
      threads.emplace_back([&] {
        Request one = add(0, 1);
        auto end = std::chrono::steady_clock::now() + kPatience;
        for (uint64_t left = kEach; left > 0 && std::chrono::steady_clock::now() < end;) {
          uint32_t count = must(left_.memory().post(kLink, std::span(&one, 1)));
          left -= count;
          posted += count;
          if (count == 0) std::this_thread::yield();
        }
      });
    }
    EXPECT_EQ(left_.await(kThreads * kEach).size(), kThreads * kEach);
  }
  EXPECT_EQ(posted, kThreads * kEach);
  EXPECT_EQ(wordAt(*there_, 0), kThreads * kEach);
}

TEST(RegionKeyTest, ComesBackFromItsBytes) {
  RegionKey key{.access = kRemotePut | kRemoteAtomic,
                .owner = 0x01020304,
                .incarnation = 0x1112131415161718,
                .address = 0x2122232425262728,
                .length = 0x3132333435363738,
                .rkey = 0x41424344,
                .lent = true};
  std::array<std::byte, RegionKey::kBytes> bytes = key.bytes();
  EXPECT_EQ(must(RegionKey::of(bytes)), key);
  const uint8_t expected[] = {1,    6,    1,    0,    4,    3,    2,    1,    0x18,
                              0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0x28, 0x27,
                              0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x38, 0x37, 0x36,
                              0x35, 0x34, 0x33, 0x32, 0x31, 0x44, 0x43, 0x42, 0x41};
  static_assert(sizeof expected == RegionKey::kBytes);
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof expected), 0);
}

TEST(RegionKeyTest, OfOtherBytesIsRefused) {
  RegionKey key{.access = kRemotePut, .owner = 1, .address = 4096, .length = 8};
  std::array<std::byte, RegionKey::kBytes> bytes = key.bytes();
  for (size_t count = 0; count < bytes.size(); count++) {
    EXPECT_EQ(RegionKey::of(std::span(bytes).first(count)).error().code, EPROTO);
  }
  bytes[0] = std::byte{2};
  EXPECT_NE(RegionKey::of(bytes).error().sentence().find("version 2"), std::string::npos);
  bytes[0] = std::byte{1};
  bytes[2] = std::byte{2};
  EXPECT_FALSE(RegionKey::of(bytes).ok());
  bytes[2] = std::byte{0};
  bytes[3] = std::byte{1};
  EXPECT_FALSE(RegionKey::of(bytes).ok());
  bytes[3] = std::byte{0};
  bytes[1] = std::byte{8};
  EXPECT_FALSE(RegionKey::of(bytes).ok());
}

TEST_P(OneSidedTest, KeysWithAnyBitFlippedReachNothing) {
  constexpr size_t kGuard = 65536;
  right_.worker().domain().wrongKeys->allowAtOnce(1'000);
  RegionKey good = must(there_->share(kGuard, 4096, kRemotePut));
  std::memset(here_->bytes().data(), 0xff, 4096);
  connect::LinkId link = kLink;
  for (size_t bit = 0; bit < 8 * RegionKey::kBytes; bit++) {
    std::array<std::byte, RegionKey::kBytes> bytes = good.bytes();
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
    base::Result<RegionKey> flipped = RegionKey::of(bytes);
    if (!flipped) continue;
    Request request = put(0, 0, std::min<uint64_t>(flipped->length, 4096));
    request.key = *flipped;
    auto posted = left_.memory().post(link, std::span(&request, 1));
    if (!posted) continue;
    std::vector<Done> done = left_.await(1);
    ASSERT_EQ(done.size(), 1U);
    if (done.front().outcome == Outcome::done) continue;  // within what was shared: looked at below
    left_.close(link);
    right_.close(link++);
    connect(left_, right_, link);
  }
  auto isZero = [](std::byte each) { return each == std::byte{0}; };
  auto all = there_->bytes();
  EXPECT_TRUE(std::all_of(all.begin(), all.begin() + kGuard, isZero));
  EXPECT_TRUE(std::all_of(all.begin() + kGuard + 4096, all.end(), isZero));
  left_.close(link);
  right_.close(link);
}

}  // namespace
}  // namespace verbena::fabric::testing
