// SPDX-License-Identifier: Apache-2.0
//
// The small parts that everything rests on.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "../softnic/ends.h"
#include "fabric/interests.h"
#include "fabric/place_index.h"
#include "fabric/return_stack.h"
#include "fabric/turn.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::kPatience;

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

/// As Worker::showInterest() on one side, and arm() and the look behind it on the other: each side
/// writes, then reads what the other one writes. Each round has memory that no cache holds.
TEST(Interests, AreSeenByAWaiterOrSeeThatItSleeps) {
  constexpr size_t kRounds = 20'000;
  struct alignas(64) Round {
    Interests interests{1};
    alignas(64) std::atomic<bool> armed{false};
    bool sawArmed = false;
    bool sawNothing = false;
  };
  std::vector<Round> rounds(kRounds);
  std::atomic<size_t> shows{0};
  std::atomic<size_t> arms{0};
  auto together = [](std::atomic<size_t>& self, std::atomic<size_t>& other, size_t round) {
    self.store(round, std::memory_order_release);
    for (int looks = 0; other.load(std::memory_order_acquire) < round; looks++) {
      if (looks % 1024 == 1023) std::this_thread::yield();
    }
  };
  std::thread shower([&] {
    for (size_t i = 0; i < kRounds; i++) {
      together(shows, arms, i);
      rounds[i].interests.show(0);
      rounds[i].sawArmed = rounds[i].armed.load(std::memory_order_seq_cst);
    }
  });
  for (size_t i = 0; i < kRounds; i++) {
    together(arms, shows, i);
    rounds[i].armed.store(true, std::memory_order_seq_cst);
    rounds[i].sawNothing = rounds[i].interests.empty();
  }
  shower.join();
  EXPECT_EQ(std::ranges::count_if(
                rounds, [](const Round& each) { return each.sawNothing && !each.sawArmed; }),
            0);
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
}  // namespace verbena::fabric::testing
