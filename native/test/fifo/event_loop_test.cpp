// SPDX-License-Identifier: Apache-2.0
//
// A thread that waits for channels by a descriptor of its own loop: no wake-up is missed where the
// far end nudges, so it sleeps for ever.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "channels.h"

namespace verbena::fifo::testing {
namespace {

/// Signals that a link may bring and nobody has taken; a reader that is told of more looks itself.
constexpr int kMoreThanSignals = 80;

class EventLoop : public ::testing::TestWithParam<Way> {
 protected:
  EventLoop() { one_.knows(two_); }

  Place place() const {
    return {.share = GetParam() == Way::shared, .folder = folders_.path() + "/rings"};
  }
  void open(uint64_t capacity = kCapacity) {
    reader_ = must(two_.channels().openReader(kNumber, capacity));
    writer_ = must(one_.channels().openWriter(2, kNumber, kPatience));
  }
  /// What look() says, which is called until it does not say wouldBlock; asleep between the calls.
  template <typename Look>
  static Outcome loop(End& end, Look look) {
    End* self = &end;
    Ends ends(&self, 1);
    for (;;) {
      Outcome got = look();
      if (got != Outcome::wouldBlock) return got;
      end.channels().arm({ends});
      got = look();
      bool slept = got != Outcome::wouldBlock || isReadable(end.channels().descriptor(), kPatience);
      end.channels().disarm({ends});
      EXPECT_TRUE(slept) << "nothing has ended the sleep";
      if (got != Outcome::wouldBlock || !slept) return got;
    }
  }
  Outcome look() {
    std::span<const std::byte> message;
    Outcome got = reader_->peek(message);
    if (got == Outcome::done) {
      std::memcpy(&last_, message.data(), sizeof last_);
      reader_->release();
    }
    return got;
  }
  bool publish(uint64_t number) {
    std::byte* at = nullptr;
    if (writer_->claim(sizeof number, at) != Outcome::done) return false;
    std::memcpy(at, &number, sizeof number);
    Outcome got = writer_->tryPublish(sizeof number);
    EXPECT_TRUE(got == Outcome::done || got == Outcome::wouldBlock);
    return true;
  }

  Folders folders_;
  ChannelNode one_{1, place()};
  ChannelNode two_{2, place()};
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;
  uint64_t last_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Ways, EventLoop, ::testing::Values(Way::shared, Way::device),
                         [](const auto& way) {
                           return way.param == Way::shared ? "shared" : "device";
                         });

TEST_P(EventLoop, MissesNothingOfAWriterThatNudges) {
  constexpr uint64_t kMessages = 3'000;
  open();
  std::atomic<uint64_t> seen{0};
  std::thread writing([&] {
    for (uint64_t i = 1; i <= kMessages; i++) {
      ASSERT_TRUE(publish(i));
      while (writer_->nudge() == Outcome::wouldBlock) one_.channels().drive();
      while (seen.load() < i) std::this_thread::yield();
    }
  });
  for (uint64_t i = 1; i <= kMessages && !HasFailure(); i++) {
    ASSERT_EQ(loop(*reader_, [&] { return look(); }), Outcome::done);
    EXPECT_EQ(last_, i);
    seen.store(i);
  }
  seen.store(kMessages);
  writing.join();
}

TEST_P(EventLoop, IsWokenForRoomByAReaderThatNudges) {
  open(kLeastCapacity);
  uint64_t sent = 0;
  while (publish(sent + 1)) sent++;
  std::atomic<bool> isRead{false};
  std::thread reading([&] {
    for (uint64_t i = 1; i <= 2 * sent; i++) {
      std::span<const std::byte> message;
      ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done);
      reader_->release();
      while (!reader_->nudge()) two_.channels().drive();
    }
    isRead.store(true);
  });
  for (uint64_t i = sent + 1; i <= 2 * sent; i++) {
    ASSERT_EQ(loop(*writer_,
                   [&] {
                     static_cast<void>(writer_->nudge());
                     return publish(i) ? Outcome::done : Outcome::wouldBlock;
                   }),
              Outcome::done);
  }
  EXPECT_EQ(writer_->flush(kPatience), Outcome::done);
  while (!isRead.load()) one_.channels().drive();  // it takes what the reader tells
  reading.join();
}

/// It was told of the last ones in its memory alone, while it had no room for signals.
TEST_P(EventLoop, IsWokenForWhatItWasNotToldOf) {
  open();
  for (int i = 1; i <= kMoreThanSignals; i++) {
    while (!publish(i)) one_.channels().drive();  // the device has room for fewer at a time
  }
  ASSERT_EQ(writer_->nudge(), GetParam() == Way::shared ? Outcome::done : Outcome::wouldBlock);
  for (int i = 1; i <= kMoreThanSignals; i++) {
    ASSERT_EQ(loop(*reader_, [&] { return look(); }), Outcome::done);
  }
  End* self = reader_.get();
  Ends ends(&self, 1);
  two_.channels().arm({ends});
  ASSERT_EQ(look(), Outcome::wouldBlock);
  bool isLate = GetParam() == Way::device || publish(0);
  EXPECT_TRUE(isLate);
  Outcome nudged = loop(*writer_, [&] { return writer_->nudge(); });
  EXPECT_EQ(nudged, Outcome::done);
  EXPECT_TRUE(isReadable(two_.channels().descriptor(), kPatience));
  two_.channels().disarm({ends});
}

TEST_P(EventLoop, HearsThatTheFarEndIsLost) {
  open();
  ASSERT_TRUE(publish(1));
  ASSERT_EQ(loop(*reader_, [&] { return look(); }), Outcome::done);
  std::jthread rounds([&](const std::stop_token& stop) {
    writer_.reset();
    while (!stop.stop_requested()) {
      one_.channels().drive();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(loop(*reader_, [&] { return look(); }), Outcome::lost);
}

TEST_P(EventLoop, PublishesNothingToWhoIsLost) {
  open();
  reader_.reset();
  std::byte* at = nullptr;
  ASSERT_EQ(writer_->claim(8, at), Outcome::done);
  while (writer_->lostBecause().empty()) {
    one_.channels().drive();
    two_.channels().drive();
  }
  while (writer_->isLinked()) {
    one_.channels().drive();
    two_.channels().drive();
  }
  EXPECT_EQ(writer_->nudge(), Outcome::lost);
  EXPECT_EQ(writer_->claim(8, at), Outcome::lost);
}

}  // namespace
}  // namespace verbena::fifo::testing
