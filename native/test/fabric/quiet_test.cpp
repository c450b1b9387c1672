// SPDX-License-Identifier: Apache-2.0
//
// Quiet of all links: what was posted before it has ended, and nothing is waited for besides.
#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <vector>

#include "memories.h"

namespace verbena::fabric::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::fill;
using softnic::testing::holds;
using Outcome = Done::Outcome;

/// Beside the two nodes a third, with which the first has a link as well.
class QuietTest : public Memories, public ::testing::WithParamInterface<Wire> {
 protected:
  static constexpr connect::LinkId kOther = 8;

  QuietTest()
      : Memories(GetParam()),
        third_(3, 303, {}, GetParam() == Wire::Mapped, wiringOf(GetParam())),
        far_(third_.region(kBytes)),
        farKey_(must(far_->share(0, kBytes, kAllAccess))) {
    connect(left_, third_, kOther);
  }
  ~QuietTest() override {
    for (Node* node : {&left_, &third_}) {
      if (node->closedTimes(kOther) == 0) node->close(kOther);
    }
  }

  Request farPut(uint64_t bytes, uint64_t cookie) const {
    Request request = put(0, 0, bytes, cookie);
    request.key = farKey_;
    return request;
  }
  size_t post(connect::LinkId link, const Request& request) {
    return must(left_.memory().post(link, std::span(&request, 1)));
  }
  size_t pollAll() {
    std::array<Done, 64> done;
    size_t all = 0;
    while (size_t count = left_.memory().poll(done)) all += count;
    return all;
  }

  Node third_;
  std::shared_ptr<Region> far_;
  RegionKey farKey_;
};
INSTANTIATE_TEST_SUITE_P(Wires, QuietTest, ::testing::ValuesIn(wires()), nameOfWire);

TEST_P(QuietTest, WhereNothingIsOpenItIsQuietAtOnce) {
  EXPECT_TRUE(left_.memory().quiet(0ns));
  EXPECT_EQ(left_.memory().failed(), 0U);
}

TEST_P(QuietTest, WhatWasPostedOnAllLinksIsInItsPlaceAndPollHasIt) {
  fill(here_->bytes().data(), kBytes, 17);
  for (int round = 0; round < 20; round++) {
    std::memset(there_->bytes().data(), 0, kBytes);
    std::memset(far_->bytes().data(), 0, kBytes);
    ASSERT_EQ(post(kLink, put(0, 0, kBytes)) + post(kLink, put(0, 0, 8)), 2U);
    ASSERT_EQ(post(kOther, farPut(kBytes, 1)), 1U);
    ASSERT_TRUE(left_.memory().quiet(kPatience));
    EXPECT_TRUE(holds(there_->bytes().data(), kBytes, 17));
    EXPECT_TRUE(holds(far_->bytes().data(), kBytes, 17));
    EXPECT_EQ(pollAll(), 3U) << "quiet takes nothing, and comes behind what poll() has";
  }
}

TEST_P(QuietTest, WhatGetsBringIsThere) {
  fill(there_->bytes().data(), kBytes, 23);
  ASSERT_EQ(post(kLink, get(0, 0, kBytes)), 1U);
  ASSERT_TRUE(left_.memory().quiet(kPatience));
  EXPECT_TRUE(holds(here_->bytes().data(), kBytes, 23));
}

/// Whoever rings completions up is another thread: this one only waits, and sleeps.
TEST_P(QuietTest, BesidesAThreadThatPolls) {
  std::atomic<bool> isOver{false};
  std::atomic<size_t> polled{0};
  std::thread polling([&] {
    std::array<Done, 8> done;
    while (!isOver) {
      left_.worker().progress();
      polled += left_.memory().poll(done);
    }
  });
  constexpr size_t kRounds = 300;
  size_t posted = 0;
  for (size_t i = 0; i < kRounds; i++) {
    uint64_t word = i + 1;
    std::memcpy(here_->bytes().data(), &word, sizeof word);
    while (post(kLink, put(0, 0, 8)) == 0) std::this_thread::yield();
    while (post(kOther, farPut(8, 0)) == 0) std::this_thread::yield();
    posted += 2;
    ASSERT_TRUE(left_.memory().quiet(kPatience));
    ASSERT_EQ(wordAt(*there_, 0), word);
    ASSERT_EQ(wordAt(*far_, 0), word);
  }
  for (auto end = std::chrono::steady_clock::now() + kPatience;
       polled < posted && std::chrono::steady_clock::now() < end;) {
    std::this_thread::yield();
  }
  isOver = true;
  polling.join();
  EXPECT_EQ(polled, posted);
}

/// The target's device finds that the key was revoked: quiet all the same, and counted.
TEST_P(QuietTest, WhatFailsHasEndedAndIsCounted) {
  must(there_->revoke(key_));
  key_ = unseen(key_);
  ASSERT_EQ(post(kLink, put(0, 0, 64, 5)), 1U);
  ASSERT_EQ(post(kOther, farPut(64, 6)), 1U);
  ASSERT_TRUE(left_.memory().quiet(kPatience));
  EXPECT_EQ(left_.memory().failed(), 1U);
  std::array<Done, 8> done;
  size_t count = left_.memory().poll(done);
  ASSERT_EQ(count, 2U);
  for (const Done& each : std::span(done).first(count)) {
    EXPECT_EQ(each.outcome, each.cookie == 5 ? Outcome::refused : Outcome::done);
  }
  EXPECT_TRUE(left_.memory().quiet(0ns)) << "the link that has failed is over";
  EXPECT_EQ(left_.memory().failed(), 1U);
}

TEST_P(QuietTest, ALinkThatIsClosedMeanwhileIsQuiet) {
  std::vector<Request> all(100, put(0, 0, 4096));
  uint32_t posted = must(left_.memory().post(kLink, all));
  left_.worker().close(kLink);
  ASSERT_TRUE(left_.memory().quiet(kPatience));
  EXPECT_EQ(pollAll(), posted);
  left_.close(kLink);
}

/// The device tells of nothing as long as nobody asks it.
TEST_P(QuietTest, ATimeThatIsOverIsToldAndTheRestIsWaitedForByTheNextOne) {
  ASSERT_EQ(post(kLink, put(0, 0, 8)), 1U);
  auto nobodyDoesRounds = [] {};
  bool isMapped = GetParam() == Wire::Mapped;  // then everything has ended when it is posted
  EXPECT_EQ(left_.memory().quiet(0ns, nobodyDoesRounds), isMapped);
  EXPECT_EQ(left_.memory().quiet(3ms, nobodyDoesRounds), isMapped) << "asleep";
  EXPECT_TRUE(left_.memory().quiet(kPatience));
}

}  // namespace
}  // namespace verbena::fabric::testing
