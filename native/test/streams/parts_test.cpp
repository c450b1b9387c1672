// SPDX-License-Identifier: Apache-2.0
//
// The small parts that everything rests on.
#include <atomic>
#include <set>
#include <thread>

#include "sides.h"
#include "streams/connection_table.h"
#include "streams/interests.h"
#include "streams/return_stack.h"
#include "streams/slice.h"
#include "streams/turn.h"
#include "streams/window.h"

namespace verbena::streams::testing {
namespace {

TEST(Slice, HasItsBytesInThisOrder) {
  SliceHeader header = toWire(0x04030201, 0x1817161514131211, 0x24232221);
  const uint8_t expected[16] = {1,    2,    3,    4,    0x21, 0x22, 0x23, 0x24,
                                0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18};
  EXPECT_EQ(std::memcmp(&header, expected, sizeof header), 0);
  SliceHeader back = fromWire(reinterpret_cast<const std::byte*>(&header));
  EXPECT_EQ(back.stream, 0x04030201U);
  EXPECT_EQ(back.placed, 0x24232221U);
  EXPECT_EQ(back.position, 0x1817161514131211U);
}

TEST(Slice, ImmediateDataIsNodeThenCount) {
  uint32_t wire = Immediate{0x0102, 0x0304}.toWire();
  const uint8_t expected[4] = {1, 2, 3, 4};
  EXPECT_EQ(std::memcmp(&wire, expected, 4), 0);
  EXPECT_EQ(Immediate::fromWire(wire).node, 0x0102);
  EXPECT_EQ(Immediate::fromWire(wire).givenBack, 0x0304);
}

TEST(SendWindow, IsShutWhenSoManyAreUnderWayAndOpensByReports) {
  SendWindow window;
  window.open(4);
  EXPECT_EQ(window.room(), 4U);
  window.reserve(4);
  EXPECT_EQ(window.room(), 0U);
  EXPECT_TRUE(window.report(3));
  EXPECT_EQ(window.room(), 3U);
  window.reserve(2);
  window.takeBack(1);
  EXPECT_EQ(window.room(), 2U);
}

TEST(SendWindow, AReportThatComesTwiceOrNeverDoesNoHarm) {
  SendWindow window;
  window.open(8);
  window.reserve(8);
  EXPECT_TRUE(window.report(2));
  EXPECT_TRUE(window.report(2));
  EXPECT_EQ(window.room(), 2U);
  EXPECT_TRUE(window.report(7)) << "those of 3 to 6 were lost";
  EXPECT_EQ(window.room(), 7U);
}

TEST(SendWindow, BelievesNoReportOfMoreThanWasSent) {
  SendWindow window;
  window.open(8);
  window.reserve(3);
  EXPECT_FALSE(window.report(4));
  EXPECT_TRUE(window.report(3));
  EXPECT_FALSE(window.report(2)) << "an older count is one of almost 2^16 more";
}

TEST(SendWindow, CountsOnWhenTheWireCountWraps) {
  SendWindow window;
  window.open(100);
  for (uint32_t sent = 0; sent < 200'000; sent += 50) {
    window.reserve(50);
    ASSERT_TRUE(window.report(static_cast<uint16_t>(sent + 50)));
    ASSERT_EQ(window.room(), 100U);
  }
}

TEST(ReceiveWindow, IsDueWhenMoreThanHalfOfItIsNotReported) {
  ReceiveWindow window;
  uint32_t generation = window.open(4);
  EXPECT_FALSE(window.giveBack(generation));
  EXPECT_FALSE(window.giveBack(generation));
  EXPECT_TRUE(window.giveBack(generation));
  window.reported(window.givenBack());
  EXPECT_FALSE(window.due());
  EXPECT_EQ(window.givenBack(), 3U);
}

TEST(ReceiveWindow, WhatComesBackLateCountsForNobody) {
  ReceiveWindow window;
  uint32_t before = window.open(1);
  window.shut();
  EXPECT_FALSE(window.giveBack(before));
  uint32_t now = window.open(1);
  EXPECT_FALSE(window.giveBack(before));
  EXPECT_EQ(window.givenBack(), 0U);
  EXPECT_TRUE(window.giveBack(now));
}

TEST(ReceiveWindow, NoticesWhoSendsMoreThanItsWindow) {
  ReceiveWindow window;
  uint32_t generation = window.open(2);
  EXPECT_TRUE(window.receive());
  EXPECT_TRUE(window.receive());
  window.giveBack(generation);
  EXPECT_TRUE(window.receive());
  EXPECT_FALSE(window.receive());
}

TEST(TurnHeld, IsLeftByWhoThrowsAsWell) {
  Turn turn;
  try {
    TurnHeld held(turn);
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
  }
  EXPECT_TRUE(turn.enter());
  EXPECT_FALSE(turn.leave());
}

TEST(ControlStream, WhatIsWrittenForAnEarlierConnectionIsNotTaken) {
  std::vector<std::byte> memory(64);
  ControlStream stream(memory.data(), 64);
  const std::byte bytes[8] = {};
  EXPECT_EQ(stream.write(7, bytes), 0U) << "it is nobody's yet";
  stream.restart(7);
  EXPECT_EQ(stream.write(7, bytes), 8U);
  stream.restart(8);  // while a writer of 7 was on its way here
  EXPECT_EQ(stream.write(7, bytes), 0U);
  EXPECT_EQ(stream.publishedEnd(0, 64), 0U);
  EXPECT_EQ(stream.write(8, bytes), 8U);
  EXPECT_EQ(stream.publishedEnd(0, 64), 8U);
}

TEST(Interests, TakeEachOnceAndInOrder) {
  Interests interests(5);
  EXPECT_TRUE(interests.show(3));
  EXPECT_TRUE(interests.show(1));
  EXPECT_FALSE(interests.show(3));
  EXPECT_EQ(interests.next(), 3U);
  EXPECT_TRUE(interests.show(3)) << "again, behind the others";
  EXPECT_EQ(interests.next(), 1U);
  EXPECT_EQ(interests.next(), 3U);
  EXPECT_EQ(interests.next(), std::nullopt);
}

TEST(Interests, LoseNothingThatWasPublishedBeforeTheyWereShown) {
  constexpr uint32_t kConnections = 3;
  constexpr uint64_t kEach = 100'000;
  Interests interests(kConnections);
  std::atomic<uint64_t> published[kConnections] = {};
  std::vector<std::jthread> threads;
  for (uint32_t thread = 0; thread < 3; thread++) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < kEach; i++) {
        for (uint32_t c = 0; c < kConnections; c++) {
          published[c].fetch_add(1, std::memory_order_relaxed);
          interests.show(c);
        }
      }
    });
  }
  uint64_t seen[kConnections] = {};
  auto all = [&] {
    return std::all_of(seen, seen + kConnections, [](uint64_t s) { return s == 3 * kEach; });
  };
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (!all() && std::chrono::steady_clock::now() < end) {
    if (auto next = interests.next())
      seen[*next] = published[*next].load(std::memory_order_relaxed);
  }
  EXPECT_TRUE(all()) << "a connection with news is not in the queue";
}

TEST(Turn, WhoIsTurnedAwayLeavesAMark) {
  Turn turn;
  EXPECT_TRUE(turn.enter());
  EXPECT_FALSE(turn.again());
  EXPECT_FALSE(turn.enter());
  EXPECT_TRUE(turn.again());
  EXPECT_FALSE(turn.enter());
  EXPECT_TRUE(turn.leave());
  EXPECT_TRUE(turn.enter());
  EXPECT_FALSE(turn.leave());
}

TEST(Turn, LosesNoPublication) {
  constexpr uint64_t kEach = 200'000;
  Turn turn;
  std::atomic<uint64_t> published{0};
  uint64_t seen = 0;  // under the turn
  auto work = [&] {
    for (uint64_t i = 0; i < kEach; i++) {
      published.fetch_add(1, std::memory_order_relaxed);
      while (turn.enter()) {
        do {
          seen = published.load(std::memory_order_relaxed);
        } while (turn.again());
        if (!turn.leave()) break;
      }
    }
  };
  { std::jthread one(work), two(work), three(work); }
  EXPECT_EQ(seen, 3 * kEach);
}

TEST(ReturnStack, GivesEachNumberOnce) {
  constexpr uint32_t kNumbers = 1000;
  constexpr int kRounds = 200;
  ReturnStack stack(kNumbers);
  std::vector<std::atomic<int>> out(kNumbers);
  std::atomic<bool> over{false};
  uint64_t taken = 0;
  std::jthread taker([&] {
    auto take = [&](uint32_t number) {
      taken++;
      out[number].store(0, std::memory_order_release);
    };
    while (!over) stack.takeAll(take);
    stack.takeAll(take);
  });
  {
    auto push = [&](uint32_t first) {
      for (int round = 0; round < kRounds; round++) {
        for (uint32_t number = first; number < kNumbers; number += 2) {
          while (out[number].load(std::memory_order_acquire) != 0) std::this_thread::yield();
          out[number].store(1, std::memory_order_relaxed);
          stack.push(number);
        }
      }
    };
    std::jthread even(push, 0U), odd(push, 1U);
  }
  over = true;
  taker.join();
  EXPECT_EQ(taken, uint64_t{kNumbers} * kRounds);
}

TEST(PlaceIndex, FindsWhatIsThereWhileOthersComeAndGo) {
  constexpr uint32_t kPlaces = 64;
  PlaceIndex index(kPlaces);
  std::vector<std::atomic<uint64_t>> keys(kPlaces);
  auto at = [&](uint64_t key) {
    return [&keys, key](uint32_t place) { return keys[place] == key; };
  };
  keys[0] = 1'000'000;
  index.add(keys[0], 0);
  std::atomic<bool> over{false};
  std::jthread changer([&] {
    for (uint64_t key = 1; !over; key++) {
      auto place = static_cast<uint32_t>(1 + key % (kPlaces - 1));
      if (keys[place] != 0) index.remove(keys[place], place);
      keys[place] = key;
      index.add(key, place);
    }
  });
  for (int i = 0; i < 300'000; i++) {
    ASSERT_EQ(index.find(1'000'000, at(1'000'000)), 0U);
    ASSERT_EQ(index.find(1ULL << 60, at(1ULL << 60)), std::nullopt);
  }
  over = true;
}

}  // namespace
}  // namespace verbena::streams::testing
