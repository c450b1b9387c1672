// SPDX-License-Identifier: Apache-2.0
//
// Channels between nodes of one process, with memory that both ends share and by the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "channels.h"
#include "fifo/ring.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;

class Channel : public ::testing::TestWithParam<Way> {
 protected:
  Channel() { one_.knows(two_); }

  Place place() const {
    // Whoever waits sleeps at once.
    return {.share = GetParam() == Way::shared, .folder = folders_.path() + "/rings", .spin = 0ns};
  }
  /// A writer of node 1 and a reader of node 2.
  void open(uint64_t capacity = kCapacity) {
    reader_ = must(two_.channels().openReader(kNumber, capacity));
    link();
  }
  void link() {
    // The reader's node has to do rounds only when the channel goes by its links.
    writer_ = must(one_.channels().openWriter(2, kNumber, kPatience));
    EXPECT_EQ(writer_->isShared(), GetParam() == Way::shared);
  }
  void send(const std::string& text) {
    std::byte* at = nullptr;
    ASSERT_EQ(writer_->claim(text.size(), at, kPatience), Outcome::done);
    std::memcpy(at, text.data(), text.size());
    writer_->publish(text.size());
  }
  std::string receive() {
    std::span<const std::byte> message;
    Outcome got = reader_->peek(message, kPatience);
    if (got != Outcome::done) return "outcome " + std::to_string(static_cast<int>(got));
    std::string text(reinterpret_cast<const char*>(message.data()), message.size());
    reader_->release();
    return text;
  }
  template <typename Holds>
  static bool eventually(Holds holds) {
    for (auto end = Channels::Clock::now() + kPatience; Channels::Clock::now() < end;) {
      if (holds()) return true;
      std::this_thread::yield();
    }
    return false;
  }

  Folders folders_;
  ChannelNode one_{1, place()};
  ChannelNode two_{2, place()};
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;
};

INSTANTIATE_TEST_SUITE_P(Ways, Channel, ::testing::Values(Way::shared, Way::device),
                         [](const auto& way) {
                           return way.param == Way::shared ? "shared" : "device";
                         });

/// Opening the book waits for other processes that open theirs.
TEST_P(Channel, OpensNoBookOfLentMemory) {
  open();
  EXPECT_TRUE(std::filesystem::is_empty(std::getenv("VERBENA_MEMORY_DIR")));
}

TEST_P(Channel, CarriesMessagesInOrder) {
  constexpr int kMessages = 5'000;
  open();
  EXPECT_EQ(reader_->peer(), 1);
  std::thread writing([&] {
    for (int i = 0; i < kMessages; i++) send("message " + std::to_string(i));
  });
  for (int i = 0; i < kMessages; i++) ASSERT_EQ(receive(), "message " + std::to_string(i));
  writing.join();
}

TEST_P(Channel, EndsWithItsStream) {
  open();
  send("the last one");
  std::thread closing([&] { EXPECT_EQ(writer_->close(kPatience), Outcome::done); });
  EXPECT_EQ(receive(), "the last one");
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message, kPatience), Outcome::ended);
  closing.join();
  std::byte* at = nullptr;
  EXPECT_EQ(writer_->claim(1, at), Outcome::ended);
  writer_.reset();
  EXPECT_EQ(reader_->peek(message), Outcome::ended) << "also when the link has gone";
}

TEST_P(Channel, WhatWasPublishedIsReadBeforeTheEndIsTold) {
  open();
  for (int i = 0; i < 20; i++) send(std::to_string(i));
  std::thread closing([&] {
    EXPECT_EQ(writer_->close(kPatience), Outcome::done);
    writer_.reset();
  });
  if (GetParam() == Way::shared) closing.join();
  for (int i = 0; i < 20; i++) EXPECT_EQ(receive(), std::to_string(i));
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message, kPatience), Outcome::ended);
  if (closing.joinable()) closing.join();
}

TEST_P(Channel, AWriterThatGoesWithoutClosingIsLost) {
  open();
  send("before");
  ASSERT_EQ(receive(), "before");
  writer_.reset();
  std::thread rounds([&] {
    for (int i = 0; i < 2'000 && reader_->lostBecause().empty(); i++) {
      one_.channels().drive();
      std::this_thread::sleep_for(1ms);
    }
  });
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message, kPatience), Outcome::lost);
  EXPECT_NE(reader_->lostBecause().find("channel 5 was given up by its writer"), std::string::npos)
      << reader_->lostBecause();
  rounds.join();
}

TEST_P(Channel, AWriterHearsThatNobodyReads) {
  open();
  send("before");
  ASSERT_EQ(receive(), "before");
  std::jthread rounds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) two_.channels().drive();
  });
  reader_.reset();
  EXPECT_TRUE(eventually([&] {
    one_.channels().drive();
    std::byte* at = nullptr;
    return writer_->claim(8, at) == Outcome::lost;
  }));
  EXPECT_NE(writer_->lostBecause().find("channel 5 is read no more"), std::string::npos)
      << writer_->lostBecause();
}

TEST_P(Channel, UnreadMessagesAreNotWrittenOver) {
  open(kLeastCapacity);
  int sent = 0;
  // What the device has under way may be done a little later.
  for (int tries = 0; tries < 1'000; tries++) {
    std::byte* at = nullptr;
    if (writer_->claim(60, at) != Outcome::done) {
      two_.channels().drive();
      continue;
    }
    std::memset(at, ++sent, 60);
    writer_->publish(60);
  }
  EXPECT_GT(sent, 40);
  EXPECT_LT(sent, 64);
  for (int i = 1; i <= sent; i++) {
    std::span<const std::byte> message;
    ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done);
    ASSERT_TRUE(std::ranges::all_of(message, [&](std::byte b) { return b == std::byte(i); })) << i;
    reader_->release();
  }
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message), Outcome::wouldBlock);
}

/// A reader that releases now and then, beside a writer that never waits for it.
TEST_P(Channel, SmallestRingUnderLoad) {
  constexpr uint32_t kMessages = 30'000;
  open(kLeastCapacity);
  std::thread writing([&] {
    for (uint32_t i = 0; i < kMessages; i++) {
      std::byte* at = nullptr;
      ASSERT_EQ(writer_->claim(4 + i % 700, at, kPatience), Outcome::done);
      std::memset(at, static_cast<uint8_t>(i), 4 + i % 700);
      std::memcpy(at, &i, 4);
      writer_->publish(4 + i % 700);
    }
    ASSERT_EQ(writer_->close(kPatience), Outcome::done);
  });
  for (uint32_t i = 0; i < kMessages; i++) {
    std::span<const std::byte> message;
    ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done) << i << reader_->lostBecause();
    ASSERT_EQ(message.size(), 4 + i % 700);
    uint32_t number = UINT32_MAX;
    std::memcpy(&number, message.data(), 4);
    ASSERT_EQ(number, i);
    ASSERT_TRUE(std::ranges::all_of(message.subspan(4),
                                    [&](std::byte b) { return b == static_cast<std::byte>(i); }));
    if (i % 1'000 == 0) std::this_thread::sleep_for(1ms);
    reader_->release();
  }
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message, kPatience), Outcome::ended);
  writing.join();
}

TEST_P(Channel, PushesAndPopsMessagesOfAnySize) {
  open(kLeastCapacity);
  std::vector<uint64_t> sizes{0, 1, 8, 2031, 2032, 2033, 4096, 100'000, 3, 1'000'000};
  std::thread writing([&] {
    for (uint64_t size : sizes) {
      std::vector<std::byte> message(size);
      for (uint64_t i = 0; i < size; i++) message[i] = static_cast<std::byte>(i * 31 + size);
      ASSERT_EQ(writer_->push(message, kPatience), Outcome::done);
    }
  });
  std::vector<std::byte> into(1'000'000);
  for (uint64_t size : sizes) {
    uint64_t length = 77;
    ASSERT_TRUE(eventually([&] { return reader_->probe(length) == Outcome::done; }));
    ASSERT_EQ(length, size);
    if (size > 0) {
      Popping small{std::span(into).first(size - 1)};
      ASSERT_EQ(reader_->pop(small), Outcome::tooLarge) << "and nothing is lost of it";
    }
    std::span<const std::byte> whole;
    ASSERT_EQ(reader_->peek(whole), size <= 2032 ? Outcome::done : Outcome::tooLarge);
    Popping message{into};
    ASSERT_EQ(reader_->pop(message, kPatience), Outcome::done);
    ASSERT_EQ(message.bytes, size);
    for (uint64_t i = 0; i < size; i++) {
      ASSERT_EQ(into[i], static_cast<std::byte>(i * 31 + size)) << i << " of " << size;
    }
  }
  writing.join();
}

TEST_P(Channel, AMessageThatWasPoppedIsNotReleasedOnceMore) {
  open();
  send("peeked at and popped");
  send("the next one");
  std::span<const std::byte> message;
  ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done);
  std::vector<std::byte> into(100);
  Popping popping{into};
  ASSERT_EQ(reader_->pop(popping, kPatience), Outcome::done);
  reader_->release();
  EXPECT_EQ(receive(), "the next one");
}

TEST_P(Channel, AMessageInPiecesGoesOnWhereItStopped) {
  open(kLeastCapacity);
  std::vector<std::byte> message(20'000);
  for (size_t i = 0; i < message.size(); i++) message[i] = static_cast<std::byte>(i % 251);
  std::vector<std::byte> into(message.size());
  Pushing pushing{message};
  Popping popping{into};
  Outcome pushed = Outcome::wouldBlock;
  Outcome popped = Outcome::wouldBlock;
  int calls = 0;
  ASSERT_TRUE(eventually([&] {
    calls++;
    if (pushed == Outcome::wouldBlock) pushed = writer_->push(pushing);
    if (popped == Outcome::wouldBlock) popped = reader_->pop(popping);
    return pushed == Outcome::done && popped == Outcome::done;
  }));
  EXPECT_GT(calls, 3);
  EXPECT_EQ(into, message);
}

/// What is left of a message has its place behind what was popped, and room is asked for all of it.
TEST_P(Channel, WhatIsDroppedNeedsNoPlace) {
  open(kLeastCapacity);
  std::vector<std::byte> large(5 * kLeastCapacity, std::byte{7});
  std::thread writes([&] {
    EXPECT_EQ(writer_->push(large, kPatience), Outcome::done);
    EXPECT_EQ(writer_->push(std::span(large).first(1), kPatience), Outcome::done);
  });
  uint64_t bytes = 0;
  while (reader_->drop(bytes) == Outcome::wouldBlock) one_.channels().drive();
  EXPECT_EQ(bytes, large.size());
  std::span<const std::byte> next;
  ASSERT_EQ(reader_->peek(next, kPatience), Outcome::done);
  EXPECT_EQ(next.size(), 1U);
  writes.join();
}

TEST_P(Channel, AMessageInPiecesIsPoppedByNoSmallerBuffer) {
  open(kLeastCapacity);
  std::vector<std::byte> message(20'000, std::byte{7});
  std::vector<std::byte> into(message.size());
  Pushing pushing{message};
  Popping popping{into};
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(writer_->push(pushing), Outcome::wouldBlock);
    EXPECT_EQ(reader_->pop(popping), Outcome::wouldBlock);
    return popping.bytes > 0;
  }));
  Popping smaller{std::span(into).first(message.size() - 1)};
  EXPECT_EQ(reader_->pop(smaller), Outcome::tooLarge);
  std::thread writing([&] {
    while (writer_->push(pushing) == Outcome::wouldBlock) continue;
  });
  Popping again{into};
  EXPECT_EQ(reader_->pop(again, kPatience), Outcome::done);
  EXPECT_EQ(again.bytes, message.size());
  EXPECT_EQ(into, message);
  writing.join();
}

TEST_P(Channel, FlushingToAReaderThatHasGoneEnds) {
  open();
  send("before");
  ASSERT_EQ(receive(), "before");
  std::jthread rounds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) two_.channels().drive();
  });
  reader_.reset();
  // Its memory stays until the link has ended on both sides: what is published meanwhile may come.
  ASSERT_TRUE(eventually([&] {
    std::byte* at = nullptr;
    if (writer_->claim(8, at) == Outcome::lost) return true;
    if (at != nullptr) writer_->publish(8);
    return false;
  }));
  EXPECT_NE(writer_->flush(kPatience), Outcome::wouldBlock);
  EXPECT_EQ(writer_->close(kPatience), Outcome::lost);
}

TEST_P(Channel, ANumberIsFreeAgainWhenItsEndsHaveGone) {
  std::jthread rounds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) two_.channels().drive();
  });
  for (int i = 0; i < 5; i++) {
    open();
    send("again");
    EXPECT_EQ(receive(), "again");
    writer_.reset();
    reader_.reset();
  }
}

TEST_P(Channel, TimedFormsEndInTime) {
  open(kLeastCapacity);
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message, 5ms), Outcome::wouldBlock);
  EXPECT_EQ(reader_->peek(message, 0ms), Outcome::wouldBlock);
  std::byte* at = nullptr;
  EXPECT_EQ(writer_->claim(writer_->mostInPlace() + 1, at, kPatience), Outcome::tooLarge);
  int sent = 0;
  while (writer_->claim(writer_->mostInPlace(), at, 5ms) == Outcome::done) {
    writer_->publish(writer_->mostInPlace());
    sent++;
  }
  EXPECT_EQ(sent, 2);
  EXPECT_EQ(writer_->claim(writer_->mostInPlace(), at, 5ms), Outcome::wouldBlock);
  EXPECT_THROW(writer_->publish(1), std::invalid_argument) << "nothing is claimed";
  for (; sent > 0; sent--) {
    ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done);
    reader_->release();
  }
  EXPECT_EQ(reader_->released(), writer_->published());
}

/// Both sleep for the other, again and again: no wake-up is lost for long.
TEST_P(Channel, SleepersAreWoken) {
  auto back = must(one_.channels().openReader(kNumber, kLeastCapacity));
  two_.knows(one_);
  open(kLeastCapacity);
  auto answers = must(two_.channels().openWriter(1, kNumber, kPatience));
  constexpr int kRounds = 2'000;
  std::thread other([&] {
    for (int i = 0; i < kRounds; i++) {
      std::span<const std::byte> message;
      ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done);
      std::byte* at = nullptr;
      ASSERT_EQ(answers->claim(message.size(), at, kPatience), Outcome::done);
      std::memcpy(at, message.data(), message.size());
      reader_->release();
      answers->publish(8);
    }
  });
  for (uint64_t i = 0; i < kRounds; i++) {
    std::byte* at = nullptr;
    ASSERT_EQ(writer_->claim(8, at, kPatience), Outcome::done);
    std::memcpy(at, &i, 8);
    if (i % 100 == 0) std::this_thread::sleep_for(1ms);
    writer_->publish(8);
    std::span<const std::byte> message;
    ASSERT_EQ(back->peek(message, kPatience), Outcome::done);
    ASSERT_EQ(std::memcmp(message.data(), &i, 8), 0);
    back->release();
  }
  other.join();
}

/// A message that is done with is done with once, however its thread has waited.
TEST_P(Channel, WaitingRepeatsNoMessage) {
  open(kLeastCapacity);
  constexpr uint64_t kMessages = 3'000;
  std::thread writing([&] {
    for (uint64_t i = 0; i < kMessages; i++) {
      std::vector<uint64_t> message(1 + i % 300, i);
      ASSERT_EQ(writer_->push(std::as_bytes(std::span(message)), kPatience), Outcome::done);
    }
  });
  for (uint64_t i = 0; i < kMessages; i++) {
    std::vector<uint64_t> into(300);
    Popping message{std::as_writable_bytes(std::span(into))};
    ASSERT_EQ(reader_->pop(message, kPatience), Outcome::done);
    ASSERT_EQ(message.bytes, 8 * (1 + i % 300));
    ASSERT_EQ(into.front(), i);
  }
  writing.join();
}

TEST_P(Channel, AWriterWaitsForItsReader) {
  std::unique_ptr<Writer> writer;
  std::thread opening([&] { link(); });
  std::this_thread::sleep_for(20ms);
  reader_ = must(two_.channels().openReader(kNumber, kCapacity));
  opening.join();
  send("there");
  EXPECT_EQ(receive(), "there");
}

TEST_P(Channel, RefusesWithASentence) {
  auto time = 10ms;
  EXPECT_TRUE(eventually([&] {
    auto none = one_.channels().openWriter(2, kNumber, time *= 2);
    return none.error().sentence().find("node 2 does not read it (yet)") != std::string::npos;
  }));
  open();
  auto second = two_.channels().openReader(kNumber, kCapacity);
  ASSERT_TRUE(second) << "the first one has its writer";
  auto third = two_.channels().openReader(kNumber, kCapacity);
  ASSERT_FALSE(third);
  EXPECT_NE(third.error().sentence().find("another reader of this node"), std::string::npos);
  auto again = one_.channels().openWriter(2, kNumber, kPatience);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().sentence().find("writes to it already"), std::string::npos)
      << again.error().sentence();
  EXPECT_NE(two_.channels().openReader(6, 5'000).error().sentence().find("a power of two"),
            std::string::npos);
  EXPECT_NE(two_.channels().openReader(40'000, kCapacity).error().sentence().find("0 to 16383"),
            std::string::npos);
}

/// Its link never came up for the reader, which then waits for the next one.
TEST_P(Channel, WhatAFormerWriterHasPutIsNoMessageOfTheNext) {
  reader_ = must(two_.channels().openReader(kNumber, kCapacity));
  auto* ring = const_cast<std::byte*>(reader_->ring().data());
  uint64_t word = FrameWord{Kind::whole, 8}.packed();
  std::memcpy(ring, &word, sizeof(word));
  std::memset(ring + FrameWord::kBytes, 0xee, 8);
  link();
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message), Outcome::wouldBlock);
  send("the first");
  EXPECT_EQ(receive(), "the first");
}

/// A writer knows that a link is up before its reader does.
TEST_P(Channel, WhatWasWrittenBeforeTheLinkWasUpIsReadBeforeTheLoss) {
  open();
  const fabric::Link& link = two_.node().worker().links().at(0);
  ASSERT_EQ(link.peer(), 1);
  const_cast<fabric::Service&>(link.service()).notUp(link.id(), "it was never up");
  send("flushed");
  ASSERT_EQ(writer_->flush(kPatience), Outcome::done);
  writer_.reset();
  std::jthread rounds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) one_.channels().drive();
  });
  // A thread that stands still between its round and giving out what that has brought, while others
  // do theirs.
  ASSERT_TRUE(eventually([&] {
    two_.node().worker().progress();
    return link.state() == fabric::Link::State::Free;
  }));
  ASSERT_EQ(receive(), "flushed");
  std::span<const std::byte> message;
  EXPECT_EQ(reader_->peek(message, kPatience), Outcome::lost);
  EXPECT_EQ(reader_->lostBecause(), "it was never up");
}

TEST_P(Channel, LeavesNoFiles) {
  open();
  send("there");
  EXPECT_EQ(receive(), "there");
  reader_.reset();
  writer_.reset();
  EXPECT_TRUE(eventually([&] {
    one_.channels().drive();
    two_.channels().drive();
    return filesIn(folders_.path() + "/rings", "ring-") == 0;
  }));
}

TEST_P(Channel, ManyAtATime) {
  constexpr uint16_t kMany = 40;
  std::vector<std::unique_ptr<Reader>> readers;
  std::vector<std::unique_ptr<Writer>> writers;
  for (uint16_t i = 0; i < kMany; i++) {
    readers.push_back(must(two_.channels().openReader(i, kLeastCapacity)));
    writers.push_back(must(one_.channels().openWriter(2, i, kPatience)));
  }
  std::thread writing([&] {
    for (uint64_t round = 0; round < 200; round++) {
      for (auto& writer : writers) {
        ASSERT_EQ(writer->push(std::as_bytes(std::span(&round, 1)), kPatience), Outcome::done);
      }
    }
    for (auto& writer : writers) ASSERT_EQ(writer->flush(kPatience), Outcome::done);
  });
  std::vector<uint64_t> next(kMany);
  ASSERT_TRUE(eventually([&] {
    for (uint16_t i = 0; i < kMany; i++) {
      uint64_t round = 0;
      Popping message{std::as_writable_bytes(std::span(&round, 1))};
      if (readers[i]->pop(message) != Outcome::done) continue;
      EXPECT_EQ(round, next[i]++);
    }
    return std::accumulate(next.begin(), next.end(), uint64_t{0}) == 200U * kMany;
  }));
  writing.join();
}

/// Of which something has come that nobody takes.
class Untaken final : public fabric::Service {
 public:
  std::unique_ptr<fabric::Link> newLink(fabric::Worker& /*worker*/, uint32_t /*place*/) override {
    return nullptr;  // it has no places for any
  }
  base::Result<void> judge(const connect::NewLink& /*link*/) const override { return {}; }
  base::Error noPlace(const connect::NewLink& /*link*/) const override { return {}; }
  size_t receive() override {
    rounds_++;
    return 0;
  }
  void drain() override {}
  bool armArrivals() override { return true; }
  bool hasArrivals() const override { return true; }

  size_t rounds() const { return rounds_; }

 private:
  size_t rounds_ = 0;
};

TEST(Waiting, IsAsleepWhateverOthersLeaveUntaken) {
  Untaken others;
  ChannelNode node(1, {.besides = &others});
  auto reader = must(node.channels().openReader(5, kLeastCapacity));
  size_t before = others.rounds();
  std::span<const std::byte> message;
  EXPECT_EQ(reader->peek(message, 300ms), Outcome::wouldBlock);
  // A dozen sleeps, and some looks before the first.
  EXPECT_LT(others.rounds() - before, 500U);
}

}  // namespace
}  // namespace verbena::fifo::testing
