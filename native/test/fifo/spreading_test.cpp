// SPDX-License-Identifier: Apache-2.0
//
// Patterns with one writer and several readers: Broadcast, Scatter, OnDemand.
#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "fifo/patterns/broadcast.h"
#include "fifo/patterns/on_demand.h"
#include "fifo/patterns/scatter.h"
#include "patterns.h"

namespace verbena::fifo::testing {
namespace {

class Spreading : public Patterns {
 protected:
  /// Pushes to a pattern until it is done or something else is the matter.
  template <typename Pattern>
  Outcome push(Pattern& pattern, const std::string& text) {
    Pushing message{bytesOf(text)};
    return finally([&] { return pattern.push(message); });
  }
  /// A worker is done with its next message, and the pattern has heard of it.
  void release(OnDemand& work, size_t worker) {
    uint64_t before = work.writer(worker).released();
    std::span<const std::byte> message;
    ASSERT_EQ(finally([&] { return far_[worker]->peek(message); }), Outcome::done);
    far_[worker]->release();
    far_[worker]->tell();
    ASSERT_TRUE(eventually([&] { return work.writer(worker).released() > before; }));
  }
  /// Who gets each of so many messages.
  std::vector<size_t> give(OnDemand& work, int count) {
    std::vector<size_t> to;
    for (int i = 0; i < count; i++) {
      EXPECT_EQ(push(work, "task " + std::to_string(work.given())), Outcome::done);
      to.push_back(work.to());
    }
    return to;
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, Spreading, ::testing::Values(Way::shared, Way::device), nameOf);

std::string numbered(int number, size_t bytes) {
  std::string text = std::to_string(number) + " ";
  text.resize(bytes, static_cast<char>('a' + number % 26));
  return text;
}

/// Some messages are larger than the rings.
size_t sizeOf(int number) {
  return number % 10 == 9 ? 10'000 : 10 + static_cast<size_t>(number) % 700;
}

// ------------------------------------------------------------------ Broadcast

TEST_P(Spreading, EveryReaderOfABroadcastGetsEachMessageOnce) {
  constexpr int kMessages = 300;
  Broadcast all(writers(3));
  std::vector<std::thread> reading;
  for (size_t i = 0; i < 3; i++) {
    reading.emplace_back([&, i] {
      std::vector<std::byte> into(10'000);
      for (int number = 0; number < kMessages; number++) {
        if (i == 1 && number % 50 == 0) std::this_thread::sleep_for(1ms);
        Popping message{into};
        ASSERT_EQ(far_[i]->pop(message, kPatience), Outcome::done);
        ASSERT_EQ(textOf(std::span(into).first(message.bytes)), numbered(number, sizeOf(number)));
      }
      Popping message{into};
      ASSERT_EQ(far_[i]->pop(message, kPatience), Outcome::ended);
    });
  }
  for (int number = 0; number < kMessages; number++) {
    std::string text = numbered(number, sizeOf(number));
    Pushing message{bytesOf(text)};
    ASSERT_EQ(all.push(message, kPatience), Outcome::done);
  }
  EXPECT_EQ(all.close(kPatience), Outcome::done);
  for (auto& each : reading) each.join();
  Pushing more{};
  EXPECT_EQ(all.push(more), Outcome::ended);
}

/// One reader has no room: the others have the message, and get it no second time.
TEST_P(Spreading, ABroadcastGoesOnWhereItStopped) {
  Broadcast all(writers(3));
  std::vector<std::string> sent;
  std::array<size_t, 3> read{};
  auto readOn = [&](size_t i) {
    std::span<const std::byte> message;
    while (far_[i]->peek(message) == Outcome::done) {
      ASSERT_LT(read[i], sent.size());
      EXPECT_EQ(textOf(message), sent[read[i]++]);
      far_[i]->release();
    }
  };
  Outcome got = Outcome::done;
  while (got == Outcome::done) {
    sent.push_back(numbered(static_cast<int>(sent.size()), 700));
    Pushing message{bytesOf(sent.back())};
    eventually([&] {
      got = all.push(message);
      readOn(0);
      readOn(2);
      return got == Outcome::done || (read[0] == sent.size() && read[2] == sent.size());
    });
    if (got == Outcome::done) continue;
    ASSERT_EQ(got, Outcome::wouldBlock);
    for (int i = 0; i < 10; i++) EXPECT_EQ(all.push(message), Outcome::wouldBlock);
    Pushing other{bytesOf("other")};
    EXPECT_THROW(all.push(other), std::invalid_argument);
    EXPECT_THROW(all.close(0ns), std::invalid_argument);
    EXPECT_EQ(all.push(message, 2ms), Outcome::wouldBlock);
    ASSERT_TRUE(eventually([&] {
      readOn(1);
      return all.push(message) == Outcome::done;
    }));
  }
  EXPECT_GE(sent.size(), 5U);
  sent.push_back("the last one");
  EXPECT_EQ(push(all, sent.back()), Outcome::done);
  ASSERT_TRUE(eventually([&] {
    for (size_t i = 0; i < 3; i++) readOn(i);
    return std::ranges::all_of(read, [&](size_t each) { return each == sent.size(); });
  }));
}

TEST_P(Spreading, ABroadcastToldOfALossGoesOnWithTheOthers) {
  Broadcast all(writers(3));
  far_[1].reset();
  int told = 0;
  ASSERT_TRUE(eventually([&] {
    std::string text = "before";
    Pushing message{bytesOf(text)};
    Outcome got = finally([&] { return all.push(message); });
    if (got == Outcome::lost) {
      told++;
      EXPECT_EQ(all.to(), 1U);
      EXPECT_NE(all.writer(1).lostBecause(), "");
      EXPECT_EQ(finally([&] { return all.push(message); }), Outcome::done);
    }
    EXPECT_EQ(next(*far_[0]), text);
    EXPECT_EQ(next(*far_[2]), text);
    return told > 0;
  }));
  EXPECT_EQ(push(all, "after"), Outcome::done) << "it is told once";
  EXPECT_EQ(next(*far_[0]), "after");
  EXPECT_EQ(next(*far_[2]), "after");
  far_.clear();
  ASSERT_TRUE(eventually([&] { return !all.writer(0).isLinked() && !all.writer(2).isLinked(); }));
  Pushing message{bytesOf("x")};
  for (size_t to : {0U, 2U, 3U}) {
    EXPECT_EQ(all.push(message), Outcome::lost);
    EXPECT_EQ(all.to(), to);
  }
  EXPECT_EQ(push(all, "x"), Outcome::lost) << "each time, once all have gone";
  EXPECT_EQ(all.close(kPatience), Outcome::done) << "nobody is left who lacks it";
}

// ------------------------------------------------------------------ Scatter

TEST_P(Spreading, APartGoesToEachReader) {
  Scatter parts(writers(3));
  std::array<std::string, 3> texts{"one", numbered(2, 9'000), ""};
  std::array<std::span<const std::byte>, 3> spans;
  std::ranges::transform(texts, spans.begin(), bytesOf);
  std::array<std::string, 3> got;
  std::vector<std::thread> reading;
  for (size_t i = 0; i < 3; i++) {
    reading.emplace_back([&, i] {
      std::vector<std::byte> into(10'000);
      Popping message{into};
      EXPECT_EQ(far_[i]->pop(message, kPatience), Outcome::done);
      got[i] = textOf(std::span(into).first(message.bytes));
    });
  }
  Scattering message{spans};
  EXPECT_EQ(parts.push(message, kPatience), Outcome::done);
  for (auto& each : reading) each.join();
  EXPECT_EQ(got, texts);
  Scattering tooFew{std::span(spans).first(2)};
  EXPECT_THROW(parts.push(tooFew), std::invalid_argument);
  EXPECT_EQ(finally([&] { return parts.close(0ns); }), Outcome::done);
  for (auto& each : far_) EXPECT_EQ(next(*each), "outcome 2") << "ended";
}

TEST_P(Spreading, ReadersAreServedInTurn) {
  Scatter turns(writers(3));
  for (int i = 0; i < 7; i++) {
    ASSERT_EQ(push(turns, std::to_string(i)), Outcome::done);
    EXPECT_EQ(turns.to(), static_cast<size_t>(i % 3));
  }
  for (int i = 0; i < 7; i++) EXPECT_EQ(next(*far_[static_cast<size_t>(i % 3)]), std::to_string(i));
}

TEST_P(Spreading, ATurnIsKeptForWhoHasNoRoom) {
  Scatter turns(writers(2));
  std::string large = numbered(1, 20'000);
  ASSERT_EQ(push(turns, "small"), Outcome::done);
  Pushing message{bytesOf(large)};
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(turns.push(message), Outcome::wouldBlock);
    return message.bytes > 2'000;
  }));
  Pushing other{bytesOf("other")};
  EXPECT_THROW(turns.push(other), std::invalid_argument);
  std::thread reading([&] { EXPECT_EQ(next(*far_[1]), large); });
  EXPECT_EQ(turns.push(message, kPatience), Outcome::done);
  reading.join();
  EXPECT_EQ(turns.to(), 1U);
  EXPECT_EQ(push(turns, "again the first"), Outcome::done);
  EXPECT_EQ(turns.to(), 0U);
}

TEST_P(Spreading, ATurnOfOneThatIsLostIsTheNextOnes) {
  Scatter turns(writers(3));
  far_[0].reset();
  ASSERT_TRUE(eventually([&] { return !turns.writer(0).isLinked(); }));
  Pushing message{bytesOf("text")};
  EXPECT_EQ(turns.push(message, kPatience), Outcome::lost);
  EXPECT_EQ(turns.to(), 0U);
  for (size_t to : {1U, 2U, 1U}) {
    EXPECT_EQ(push(turns, "text"), Outcome::done);
    EXPECT_EQ(turns.to(), to);
  }
}

// ------------------------------------------------------------------ OnDemand

TEST_P(Spreading, TheLeastBusyWorkerIsGivenTheNextMessage) {
  using To = std::vector<size_t>;
  OnDemand work(writers(3));
  EXPECT_EQ(give(work, 6), (To{0, 1, 2, 0, 1, 2}));
  Pushing message{bytesOf("one too many")};
  EXPECT_EQ(work.push(message), Outcome::wouldBlock) << "each has two";
  EXPECT_EQ(work.push(message, 2ms), Outcome::wouldBlock);
  release(work, 1);
  EXPECT_EQ(give(work, 1), To{1}) << "who is free first";
  release(work, 2);
  release(work, 2);
  release(work, 0);
  EXPECT_EQ(give(work, 3), (To{2, 0, 2})) << "then those with one, in turn";
  EXPECT_EQ(work.push(message), Outcome::wouldBlock);
  EXPECT_EQ(work.unreleased(0), (std::vector<uint64_t>{3, 8}));
  EXPECT_EQ(work.unreleased(1), (std::vector<uint64_t>{4, 6}));
  EXPECT_EQ(work.unreleased(2), (std::vector<uint64_t>{7, 9}));
}

TEST_P(Spreading, AMessageIsWrittenInPlaceForTheLeastBusyWorker) {
  OnDemand work(writers(2), 1);
  std::byte* at = nullptr;
  ASSERT_EQ(finally([&] { return work.claim(4, at); }), Outcome::done);
  std::memcpy(at, "zero", 4);
  work.publish(4);
  ASSERT_EQ(work.claim(4, at, kPatience), Outcome::done);
  std::memcpy(at, "one", 3);
  work.publish(3);
  EXPECT_THROW(work.publish(3), std::invalid_argument) << "nothing is claimed";
  EXPECT_EQ(work.claim(4, at), Outcome::wouldBlock);
  EXPECT_EQ(work.given(), 2U);
  EXPECT_EQ(next(*far_[0]), "zero");
  EXPECT_EQ(next(*far_[1]), "one");
  EXPECT_THROW(OnDemand(Writing{}), std::invalid_argument);
}

TEST_P(Spreading, WhatALostWorkerHasNotReleasedIsKnown) {
  OnDemand work(writers(3), 4);
  give(work, 12);
  release(work, 1);
  far_[1].reset();
  ASSERT_TRUE(eventually([&] { return !work.writer(1).isLinked(); }));
  Pushing message{bytesOf("next")};
  EXPECT_EQ(work.push(message), Outcome::lost) << "though all have enough";
  EXPECT_EQ(work.to(), 1U);
  EXPECT_EQ(work.unreleased(1), (std::vector<uint64_t>{4, 7, 10}));
  EXPECT_EQ(work.push(message), Outcome::wouldBlock) << "it is told once";
  release(work, 2);
  EXPECT_EQ(work.push(message, kPatience), Outcome::done);
  EXPECT_EQ(work.to(), 2U);
  far_.clear();
  ASSERT_TRUE(eventually([&] { return !work.writer(0).isLinked() && !work.writer(2).isLinked(); }));
  Pushing last{bytesOf("last")};
  EXPECT_EQ(work.push(last), Outcome::lost);
  EXPECT_EQ(work.push(last), Outcome::lost);
  EXPECT_EQ(work.push(last), Outcome::lost);
  EXPECT_EQ(work.to(), work.size()) << "nobody is left";
}

/// It is larger than a ring, and a part of it was written when its worker went.
TEST_P(Spreading, AMessageInPiecesGoesAsAWholeToAnotherWorker) {
  OnDemand work(writers(2));
  std::string large = numbered(3, 30'000);
  Pushing message{bytesOf(large)};
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(work.push(message), Outcome::wouldBlock);
    return message.bytes > 2'000;
  }));
  EXPECT_EQ(work.to(), 0U);
  std::byte* at = nullptr;
  EXPECT_THROW(work.claim(1, at), std::invalid_argument) << "between its pieces";
  far_[0].reset();
  EXPECT_EQ(finally([&] { return work.push(message); }), Outcome::lost);
  EXPECT_EQ(work.to(), 0U);
  EXPECT_TRUE(work.unreleased(0).empty()) << "it was not given";
  std::thread reading([&] { EXPECT_EQ(next(*far_[1]), large); });
  EXPECT_EQ(work.push(message, kPatience), Outcome::done);
  EXPECT_EQ(work.to(), 1U);
  reading.join();
}

TEST_P(Spreading, WorkersThatTellAreNotWaitedFor) {
  constexpr int kMessages = 2'000;
  OnDemand work(writers(3), 1);
  std::atomic<int> done{0};
  std::vector<std::thread> workers;
  for (size_t i = 0; i < 3; i++) {
    workers.emplace_back([&, i] {
      std::span<const std::byte> message;
      while (far_[i]->peek(message, kPatience) == Outcome::done) {
        done++;
        far_[i]->release();
        far_[i]->tell();
      }
    });
  }
  for (int i = 0; i < kMessages; i++) {
    Pushing message{bytesOf("task")};
    ASSERT_EQ(work.push(message, kPatience), Outcome::done);
  }
  EXPECT_EQ(work.close(kPatience), Outcome::done);
  for (auto& each : workers) each.join();
  EXPECT_EQ(done, kMessages);
}

}  // namespace
}  // namespace verbena::fifo::testing
