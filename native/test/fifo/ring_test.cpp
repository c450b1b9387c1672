// SPDX-License-Identifier: Apache-2.0
//
// The ring alone: memory that one thread writes and another reads.
#include "fifo/ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "fifo/signal.h"

namespace verbena::fifo::testing {
namespace {

class Memory {
 public:
  explicit Memory(uint64_t capacity = kLeastCapacity) : words_(capacity / 8) {}
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(words_)); }

 private:
  std::vector<uint64_t> words_;
};

void write(RingWriter& writer, std::byte* at, uint64_t bytes, uint8_t value) {
  std::memset(at, value, bytes);
  writer.publish(Kind::whole, static_cast<uint32_t>(bytes));
}

/// Who was linked once and comes late must not write beside the one that came in its place.
TEST(Ring, IsTakenByTheWriterWhoseTurnItIs) {
  RingHead head{};
  ASSERT_TRUE(head.endTurn(0));
  EXPECT_FALSE(head.take(0)) << "it comes late";
  ASSERT_TRUE(head.take(1));
  EXPECT_FALSE(head.isShared()) << "its bell's name is not there yet";
  EXPECT_FALSE(head.endTurn(1)) << "it has begun";
  EXPECT_FALSE(head.take(1)) << "once";
  head.share(1);
  EXPECT_TRUE(head.isShared());
  EXPECT_FALSE(head.endTurn(1));
}

/// A model beside it: every message comes out whole, in order, and none before it is published.
TEST(Ring, CarriesMessagesOfEverySizeAroundItsEnd) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    std::mt19937_64 random(seed);
    Memory memory;
    RingWriter writer(memory.bytes());
    RingReader reader(memory.bytes());
    std::vector<std::pair<uint64_t, uint8_t>> under;  // way
    uint64_t most = random() % 4 == 0 ? mostInPlace(kLeastCapacity) : 200;
    for (int step = 0; step < 2'000; step++) {
      if (random() % 2 == 0) {
        uint64_t bytes = random() % (most + 1);
        std::byte* at = writer.claim(bytes);
        if (at == nullptr) {
          ASSERT_FALSE(under.empty()) << "an empty ring has room for the largest";
        } else if (random() % 8 != 0) {  // else the claim is left
          uint64_t used = bytes == 0 ? 0 : random() % (bytes + 1);
          auto value = static_cast<uint8_t>(random());
          write(writer, at, used, value);
          under.emplace_back(used, value);
        }
      } else {
        Frame frame = reader.next(RingReader::kNoLimit);
        ASSERT_FALSE(reader.broken()) << "seed " << seed;
        ASSERT_EQ(frame.kind == Kind::none, under.empty()) << "seed " << seed;
        if (under.empty()) continue;
        uint64_t bytes = under.front().first;
        std::byte value{under.front().second};
        ASSERT_EQ(frame.bytes.size(), bytes);
        ASSERT_TRUE(
            std::ranges::all_of(frame.bytes, [&](std::byte each) { return each == value; }));
        reader.release(frame);
        if (random() % 2 == 0) writer.reuse(reader.released());
        under.erase(under.begin());
        if (under.empty()) writer.reuse(reader.released());
      }
    }
  }
}

TEST(Ring, WritesOverNothingThatWasNotReleased) {
  Memory memory;
  RingWriter writer(memory.bytes());
  RingReader reader(memory.bytes());
  std::byte* at = nullptr;
  int messages = 0;
  while ((at = writer.claim(100)) != nullptr)
    write(writer, at, 100, static_cast<uint8_t>(++messages));
  EXPECT_GT(messages, 30);
  for (int i = 1; i <= messages; i++) {
    Frame frame = reader.next(RingReader::kNoLimit);
    ASSERT_EQ(frame.bytes.size(), 100U);
    EXPECT_EQ(frame.bytes[99], std::byte{static_cast<uint8_t>(i)});
    reader.release(frame);
  }
  EXPECT_EQ(writer.claim(100), nullptr) << "nobody has said that it was released";
  writer.reuse(reader.released());
  EXPECT_NE(writer.claim(100), nullptr);
}

TEST(Ring, LooksNoFurtherThanItsLimit) {
  Memory memory;
  RingWriter writer(memory.bytes());
  RingReader reader(memory.bytes());
  write(writer, writer.claim(8), 8, 1);
  uint64_t limit = writer.published();
  write(writer, writer.claim(8), 8, 2);
  Frame frame = reader.next(limit);
  ASSERT_EQ(frame.kind, Kind::whole);
  reader.release(frame);
  EXPECT_EQ(reader.next(limit).kind, Kind::none);
  EXPECT_EQ(reader.next(limit + 8).kind, Kind::none) << "a frame that is not whole";
  EXPECT_TRUE(reader.broken());
}

TEST(Ring, BelievesNoFrameThatMakesNoSense) {
  for (uint64_t word :
       {FrameWord{Kind::whole, UINT32_MAX}.packed(),
        FrameWord{Kind::whole, kLeastCapacity / 2}.packed(), FrameWord{Kind::pad, 8}.packed(),
        FrameWord{Kind::pad, kLeastCapacity - 8}.packed(), FrameWord{Kind::first, 0}.packed(),
        FrameWord{Kind::first, 16}.packed(), FrameWord{Kind::end, 8}.packed(), uint64_t{99} << 32,
        FrameWord{Kind::none, 8}.packed()}) {
    Memory memory;
    std::memcpy(memory.bytes().data(), &word, sizeof word);
    RingReader reader(memory.bytes());
    EXPECT_EQ(reader.next(RingReader::kNoLimit).kind, Kind::none);
    EXPECT_TRUE(reader.broken()) << word;
  }
}

TEST(Ring, BelievesNoLimitFartherThanTheRing) {
  Memory memory;
  RingWriter writer(memory.bytes());
  RingReader reader(memory.bytes());
  write(writer, writer.claim(8), 8, 1);
  EXPECT_EQ(reader.next(kLeastCapacity).kind, Kind::whole);
  EXPECT_EQ(reader.next(kLeastCapacity + 8).kind, Kind::none);
  EXPECT_TRUE(reader.broken());
}

TEST(Ring, IsReadWhileItIsWritten) {
  constexpr uint64_t kMessages = 200'000;
  Memory memory;
  std::atomic<uint64_t> released{0};
  std::thread other([&] {
    RingReader reader(memory.bytes());
    for (uint64_t i = 0; i < kMessages;) {
      Frame frame = reader.next(RingReader::kNoLimit);
      if (frame.kind == Kind::none) {
        std::this_thread::yield();
        continue;
      }
      uint64_t value = 0;
      std::memcpy(&value, frame.bytes.data(), 8);
      ASSERT_EQ(value, i++);
      ASSERT_EQ(frame.bytes.size(), 8 + value % 400);
      reader.release(frame);
      released.store(reader.released(), std::memory_order_release);
    }
  });
  RingWriter writer(memory.bytes());
  for (uint64_t i = 0; i < kMessages;) {
    std::byte* at = writer.claim(8 + i % 400);
    if (at == nullptr) {
      writer.reuse(released.load(std::memory_order_acquire));
      std::this_thread::yield();
      continue;
    }
    std::memcpy(at, &i, 8);
    writer.publish(Kind::whole, static_cast<uint32_t>(8 + i % 400));
    i++;
  }
  other.join();
}

TEST(PositionSignal, GoesOnWhereTheOneBeforeWas) {
  uint64_t before = 0;
  for (uint64_t step : {uint64_t{8}, uint64_t{1} << 31, uint64_t{4096}, (uint64_t{1} << 31) - 8}) {
    for (int i = 0; i < 10; i++) {
      EXPECT_EQ(PositionSignal::extend(PositionSignal::of(before + step), before), before + step);
      before += step;
    }
  }
  EXPECT_NE(PositionSignal::of(UINT64_MAX - 7), PositionSignal::kWake);
}

}  // namespace
}  // namespace verbena::fifo::testing
