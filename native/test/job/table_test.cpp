// SPDX-License-Identifier: Apache-2.0
#include "job/table.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <cstring>
#include <string>
#include <thread>

#include "deadlines.h"

namespace verbena::job {
namespace {

constexpr uint32_t kSize = 3;

class Tables : public ::testing::Test {
 protected:
  std::span<const std::byte> bytes(const char* text) {
    return std::as_bytes(std::span(text, std::strlen(text)));
  }
  std::string address(uint32_t rank, uint64_t deadlineNs) {
    auto found = table_.address(rank, deadlineNs);
    if (!found) return found.error().sentence();
    return {reinterpret_cast<const char*>(found->data()), found->size()};
  }

  alignas(64) std::array<std::byte, 64 + 64 + kSize * 512> memory_{};
  Table table_ = Table::begin(memory_.data(), kSize);
};

TEST_F(Tables, HaveTheLengthThatIsTold) {
  EXPECT_EQ(Table::bytesFor(kSize), memory_.size());
  EXPECT_EQ(Table::bytesFor(17), 64U + 128 + 17 * 512);
}

TEST_F(Tables, HandOutWhatWasPublished) {
  table_.publish(1, bytes("here"));
  EXPECT_EQ(address(1, kNow), "here");
  table_.publish(2, {});
  EXPECT_EQ(address(2, kNow), "");
}

TEST_F(Tables, TakeTheFirstOfTwoAddresses) {
  table_.publish(1, bytes("first"));
  table_.publish(1, bytes("second"));
  EXPECT_EQ(address(1, kNow), "first");
}

TEST_F(Tables, WakeWhoWaitsForAnAddress) {
  std::string learnt;
  std::thread waiting([&] { learnt = address(0, kForever); });
  table_.publish(1, bytes("other"));
  table_.publish(0, bytes("here"));
  waiting.join();
  EXPECT_EQ(learnt, "here");
}

TEST_F(Tables, WakeWhoWaitsForAll) {
  bool all = false;
  std::thread waiting([&] { all = table_.awaitAll(kForever).ok(); });
  for (uint32_t rank : {2U, 0U, 1U}) table_.publish(rank, bytes("a"));
  waiting.join();
  EXPECT_TRUE(all);
}

TEST_F(Tables, NameWhoIsMissing) {
  EXPECT_EQ(address(1, kNow),
            "cannot learn the address on rank 1: ETIMEDOUT; it has not published one");
  EXPECT_EQ(table_.awaitAll(kNow).error().sentence(),
            "cannot learn all addresses: ETIMEDOUT; ranks 0, 1, 2 of 3 have not published one");
  table_.publish(0, {});
  table_.publish(2, {});
  EXPECT_EQ(table_.awaitAll(kNow).error().sentence(),
            "cannot learn all addresses: ETIMEDOUT; rank 1 of 3 has not published one");
}

TEST_F(Tables, TellOfEndsInTheirOrderAndOnce) {
  table_.end({2, 3 << 8});
  table_.end({0, SIGKILL});
  table_.end({2, 0});
  auto first = table_.end(0, kNow);
  auto second = table_.end(1, kNow);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->rank, 2U);
  EXPECT_EQ(first->exitStatus(), 3);
  EXPECT_EQ(second->rank, 0U);
  EXPECT_EQ(second->exitStatus(), 137);
  EXPECT_FALSE(table_.end(2, kNow));
  EXPECT_FALSE(table_.end(kSize, kForever));  // there are no more that could end
}

TEST_F(Tables, CountAnEndOnceWhateverItsStatus) {
  for (int times = 0; times < 3; times++) table_.end({0, -1});
  table_.end({1, 0});
  EXPECT_TRUE(table_.hasEnded(0));
  EXPECT_EQ(table_.end(0, kNow)->status, -1);
  ASSERT_TRUE(table_.end(1, kNow));
  EXPECT_EQ(table_.end(1, kNow)->rank, 1U);
  EXPECT_FALSE(table_.end(2, kNow));
}

TEST(Ends, HaveStatusesThatWaitpidGives) {
  EXPECT_EQ(End::of(3, 9)->text(), "was ended by signal 9 (SIGKILL)");
  EXPECT_EQ(End::of(3, 0xFF00)->exitStatus(), 255);
  EXPECT_EQ(End::of(3, 0x8B)->exitStatus(), 139);  // with a core
  for (uint32_t noEnd : {0x7FU, 0x137FU, 0xFFU, 0xFFFFU, 0x10000U}) {
    EXPECT_FALSE(End::of(3, noEnd)) << noEnd;  // stopped, continued, or none at all
  }
  EXPECT_FALSE(End::of(3, UINT32_MAX));
}

TEST_F(Tables, WakeWhoWaitsForAnEnd) {
  std::optional<End> end;
  std::thread waiting([&] { end = table_.end(0, kForever); });
  table_.end({1, 0});
  waiting.join();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->rank, 1U);
  EXPECT_FALSE(end->failed());
}

TEST_F(Tables, TellThatNoAddressWillCome) {
  std::string one;
  std::string all;
  std::thread waitsForOne([&] { one = address(1, kForever); });
  std::thread waitsForAll([&] { all = table_.awaitAll(kForever).error().sentence(); });
  table_.publish(0, {});
  table_.end({0, 0});  // it has published
  table_.end({1, SIGSEGV});
  waitsForOne.join();
  waitsForAll.join();
  const char* sentence =
      "cannot learn the address on rank 1: it was ended by signal 11 (SIGSEGV) before it "
      "published one";
  EXPECT_EQ(one, sentence);
  EXPECT_EQ(all, sentence);
}

TEST_F(Tables, AreKnownByTheirBeginningAndLength) {
  ASSERT_TRUE(Table::of(memory_.data(), memory_.size()));
  EXPECT_EQ(Table::of(memory_.data(), memory_.size())->size(), kSize);
  EXPECT_FALSE(Table::of(memory_.data(), memory_.size() - 1));
  EXPECT_FALSE(Table::of(memory_.data(), 10));
  memory_[0] ^= std::byte{1};
  EXPECT_FALSE(Table::of(memory_.data(), memory_.size()));
}

}  // namespace
}  // namespace verbena::job
