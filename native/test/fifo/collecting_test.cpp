// SPDX-License-Identifier: Apache-2.0
//
// Patterns with several writers and one reader, FromAny and Gather; and AllGather.
#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "fifo/patterns/all_gather.h"
#include "fifo/patterns/from_any.h"
#include "fifo/patterns/gather.h"
#include "patterns.h"

namespace verbena::fifo::testing {
namespace {

/// A place for a message of each writer.
std::vector<Popping> placesIn(std::vector<std::vector<std::byte>>& into) {
  std::vector<Popping> places;
  for (std::vector<std::byte>& each : into) places.push_back({each});
  return places;
}

class Collecting : public Patterns {
 protected:
  /// All that has been written is at the other side.
  void arrive() {
    for (auto& each : farWriters_) {
      if (!each) continue;
      ASSERT_EQ(finally([&] { return each->flush(0ns); }), Outcome::done);
    }
    ASSERT_TRUE(eventually([&] { return one_.channels().drive() == 0; }));
  }
  void close(size_t writer) {
    ASSERT_EQ(finally([&] { return farWriters_[writer]->close(0ns); }), Outcome::done);
  }
  std::string nextOf(FromAny& any) {
    std::span<const std::byte> message;
    Outcome got = finally([&] { return any.peek(message); });
    if (got != Outcome::done) return "outcome " + std::to_string(static_cast<int>(got));
    std::string text = textOf(message) + " from " + std::to_string(any.from());
    any.release();
    return text;
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, Collecting, ::testing::Values(Way::shared, Way::device), nameOf);

// ------------------------------------------------------------------ FromAny

/// Who has much to say is not heard before the others.
TEST_P(Collecting, WritersAreHeardInTurn) {
  FromAny any(readers(3));
  for (int i = 0; i < 6; i++) send(*farWriters_[0], "a" + std::to_string(i));
  for (int i = 0; i < 2; i++) send(*farWriters_[1], "b" + std::to_string(i));
  for (int i = 0; i < 3; i++) send(*farWriters_[2], "c" + std::to_string(i));
  arrive();
  for (const char* text : {"a0 from 0", "b0 from 1", "c0 from 2", "a1 from 0", "b1 from 1",
                           "c1 from 2", "a2 from 0", "c2 from 2", "a3 from 0"}) {
    EXPECT_EQ(nextOf(any), text);
  }
  send(*farWriters_[1], "b2");
  arrive();
  EXPECT_EQ(nextOf(any), "b2 from 1") << "behind the one that was served last";
}

TEST_P(Collecting, AMessageIsShownUntilItIsReleased) {
  FromAny any(readers(2));
  send(*farWriters_[1], "first");
  arrive();
  std::span<const std::byte> message;
  ASSERT_EQ(finally([&] { return any.peek(message); }), Outcome::done);
  send(*farWriters_[0], "second");
  arrive();
  ASSERT_EQ(any.peek(message), Outcome::done);
  EXPECT_EQ(textOf(message), "first");
  EXPECT_EQ(any.from(), 1U);
  any.release();
  EXPECT_EQ(nextOf(any), "second from 0");
  EXPECT_EQ(any.peek(message, 2ms), Outcome::wouldBlock);
}

TEST_P(Collecting, EndsWhenAllHaveEnded) {
  FromAny any(readers(3));
  send(*farWriters_[2], "last");
  close(0);
  close(2);
  EXPECT_EQ(nextOf(any), "last from 2");
  std::span<const std::byte> message;
  EXPECT_EQ(any.peek(message, 2ms), Outcome::wouldBlock) << "one may still write";
  close(1);
  EXPECT_EQ(any.peek(message, kPatience), Outcome::ended);
  Popping none{};
  EXPECT_EQ(any.pop(none), Outcome::ended);
}

TEST_P(Collecting, ALostWriterIsToldOnceAndTheOthersGoOn) {
  FromAny any(readers(3));
  send(*farWriters_[1], "its last one");
  arrive();
  farWriters_[1].reset();
  EXPECT_EQ(nextOf(any), "its last one from 1") << "what has come is read before";
  std::span<const std::byte> message;
  ASSERT_EQ(finally([&] { return any.peek(message); }), Outcome::lost);
  EXPECT_EQ(any.from(), 1U);
  EXPECT_NE(any.reader(1).lostBecause(), "");
  for (int i = 0; i < 100; i++) EXPECT_EQ(any.peek(message), Outcome::wouldBlock);
  send(*farWriters_[2], "later");
  EXPECT_EQ(nextOf(any), "later from 2");
  close(0);
  close(2);
  EXPECT_EQ(any.peek(message, kPatience), Outcome::ended);
}

TEST_P(Collecting, PopsMessagesOfAnySizeOfManyWriters) {
  constexpr int kMessages = 100;
  FromAny any(readers(3));
  std::vector<std::thread> writing;
  for (size_t i = 0; i < 3; i++) {
    writing.emplace_back([&, i] {
      for (int number = 0; number < kMessages; number++) {
        std::string text(number % 3 == 0 ? 20'000 : 100, static_cast<char>('a' + i));
        std::memcpy(text.data(), &number, 4);
        ASSERT_EQ(farWriters_[i]->push(bytesOf(text), kPatience), Outcome::done);
      }
      ASSERT_EQ(farWriters_[i]->close(kPatience), Outcome::done);
    });
  }
  std::array<int, 3> next{};
  std::vector<std::byte> into(20'000);
  Popping message{into};
  while (any.pop(message, kPatience) == Outcome::done) {
    int number = -1;
    std::memcpy(&number, into.data(), 4);
    ASSERT_EQ(number, next[any.from()]++);
    ASSERT_EQ(message.bytes, number % 3 == 0 ? 20'000U : 100U);
    ASSERT_TRUE(std::ranges::all_of(std::span(into).first(message.bytes).subspan(4), [&](auto b) {
      return b == static_cast<std::byte>('a' + any.from());
    }));
  }
  EXPECT_EQ(next, (std::array<int, 3>{kMessages, kMessages, kMessages}));
  for (auto& each : writing) each.join();
}

/// Whose message was popped in part is asked for the rest, though others have something.
TEST_P(Collecting, AMessageInPiecesIsPoppedToItsEnd) {
  FromAny any(readers(2));
  std::string large(30'000, 'x');
  Pushing pushing{bytesOf(large)};
  std::vector<std::byte> into(30'000);
  Popping popping{std::span(into).first(29'999)};
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(farWriters_[0]->push(pushing), Outcome::wouldBlock);
    return any.pop(popping) == Outcome::tooLarge;
  }));
  uint64_t bytes = 0;
  ASSERT_EQ(any.probe(bytes), Outcome::done);
  EXPECT_EQ(bytes, 30'000U);
  EXPECT_EQ(any.from(), 0U);
  std::span<const std::byte> whole;
  EXPECT_EQ(any.peek(whole), Outcome::tooLarge);
  popping.into = into;
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(any.pop(popping), Outcome::wouldBlock);
    return popping.bytes > 0;
  }));
  send(*farWriters_[1], "short");
  arrive();
  EXPECT_EQ(any.pop(popping), Outcome::wouldBlock);
  std::thread writing([&] {
    while (farWriters_[0]->push(pushing) == Outcome::wouldBlock) continue;
  });
  EXPECT_EQ(any.pop(popping, kPatience), Outcome::done);
  writing.join();
  EXPECT_EQ(textOf(into), large);
  EXPECT_EQ(nextOf(any), "short from 1");
}

TEST_P(Collecting, AHundredAndTwentySevenWriters) {
  constexpr uint16_t kMany = 127;
  constexpr uint64_t kRounds = 40;
  FromAny any(readers(kMany));
  std::thread writing([&] {
    for (uint64_t round = 0; round < kRounds; round++) {
      for (auto& each : farWriters_) {
        ASSERT_EQ(each->push(std::as_bytes(std::span(&round, 1)), kPatience), Outcome::done);
      }
    }
    for (auto& each : farWriters_) ASSERT_EQ(each->close(kPatience), Outcome::done);
  });
  std::vector<uint64_t> next(kMany);
  std::span<const std::byte> message;
  while (any.peek(message, kPatience) == Outcome::done) {
    uint64_t round = UINT64_MAX;
    std::memcpy(&round, message.data(), 8);
    ASSERT_EQ(round, next[any.from()]++);
    any.release();
  }
  EXPECT_TRUE(std::ranges::all_of(next, [](uint64_t each) { return each == kRounds; }));
  writing.join();
}

/// One writes as fast as it can: the other's message is the next or the one behind it.
TEST_P(Collecting, NobodyStarves) {
  FromAny any(readers(2));
  std::atomic<uint64_t> flooded{0};
  uint64_t read = 0;
  std::jthread flooding([&](const std::stop_token& stop) {
    std::byte* at = nullptr;
    while (!stop.stop_requested()) {
      if (farWriters_[0]->claim(16, at, 1ms) != Outcome::done) continue;
      farWriters_[0]->publish(16);
      flooded++;
    }
  });
  for (int i = 0; i < 100; i++) {
    ASSERT_EQ(farWriters_[1]->push(bytesOf("other"), kPatience), Outcome::done);
    uint64_t bytes = 0;
    ASSERT_EQ(finally([&] { return any.reader(1).probe(bytes); }), Outcome::done);
    ASSERT_TRUE(eventually([&] { return flooded > read + 5; }));
    size_t before = 0;
    std::span<const std::byte> message;
    while (any.peek(message, kPatience) == Outcome::done && any.from() == 0) {
      any.release();
      before++;
    }
    read += before;
    ASSERT_EQ(any.from(), 1U);
    any.release();
    ASSERT_LE(before, 1U);
  }
}

// ------------------------------------------------------------------ Gather

TEST_P(Collecting, ARoundHasAMessageOfEachInOrder) {
  Gather round(readers(3));
  std::span<const std::span<const std::byte>> messages;
  send(*farWriters_[2], "c0");
  send(*farWriters_[2], "c1");
  send(*farWriters_[0], "a0");
  arrive();
  EXPECT_EQ(round.peek(messages), Outcome::wouldBlock);
  EXPECT_EQ(round.peek(messages, 2ms), Outcome::wouldBlock);
  send(*farWriters_[1], "");
  ASSERT_EQ(finally([&] { return round.peek(messages); }), Outcome::done);
  EXPECT_EQ(textOf(messages[0]), "a0");
  EXPECT_EQ(textOf(messages[1]), "");
  EXPECT_NE(messages[1].data(), nullptr) << "an empty message is one";
  EXPECT_EQ(textOf(messages[2]), "c0");
  round.release();
  send(*farWriters_[1], "b1");
  send(*farWriters_[0], "a1");
  ASSERT_EQ(finally([&] { return round.peek(messages); }), Outcome::done);
  EXPECT_EQ(textOf(messages[0]), "a1");
  EXPECT_EQ(textOf(messages[2]), "c1");
  round.release();
}

TEST_P(Collecting, WhoHasEndedOrIsLostGivesNothingToARound) {
  Gather round(readers(3));
  std::span<const std::span<const std::byte>> messages;
  send(*farWriters_[0], "a");
  send(*farWriters_[2], "c");
  close(1);
  ASSERT_EQ(finally([&] { return round.peek(messages); }), Outcome::done);
  EXPECT_EQ(textOf(messages[0]), "a");
  EXPECT_EQ(messages[1].data(), nullptr);
  EXPECT_FALSE(round.isOpen(1));
  round.release();
  farWriters_[0].reset();
  ASSERT_EQ(finally([&] { return round.peek(messages); }), Outcome::lost);
  EXPECT_EQ(round.from(), 0U);
  EXPECT_NE(round.reader(0).lostBecause(), "");
  send(*farWriters_[2], "c alone");
  ASSERT_EQ(finally([&] { return round.peek(messages); }), Outcome::done);
  EXPECT_EQ(messages[0].data(), nullptr);
  EXPECT_EQ(textOf(messages[2]), "c alone");
  round.release();
  close(2);
  EXPECT_EQ(round.peek(messages, kPatience), Outcome::ended);
}

TEST_P(Collecting, PopsRoundsOfAnySize) {
  constexpr int kRounds = 50;
  Gather round(readers(3));
  auto sizeOf = [](size_t writer, int number) {
    return 1 + (writer * 7'000 + size_t(number)) % 15'000;
  };
  std::vector<std::thread> writing;
  for (size_t i = 0; i < 3; i++) {
    writing.emplace_back([&, i] {
      for (int number = 0; number < kRounds; number++) {
        std::string text(sizeOf(i, number), static_cast<char>(number));
        ASSERT_EQ(farWriters_[i]->push(bytesOf(text), kPatience), Outcome::done);
      }
      ASSERT_EQ(farWriters_[i]->close(kPatience), Outcome::done);
    });
  }
  std::vector<std::vector<std::byte>> into(3, std::vector<std::byte>(15'000));
  std::vector<Popping> places = placesIn(into);
  places[2].into = std::span(into[2]).first(1);
  ASSERT_EQ(round.pop(places, kPatience), Outcome::tooLarge);
  EXPECT_EQ(round.from(), 2U);
  places[2].into = into[2];
  std::span<const std::span<const std::byte>> shown;
  for (int number = 0; number < kRounds; number++) {
    ASSERT_EQ(round.pop(places, kPatience), Outcome::done);
    for (size_t i = 0; i < 3; i++) {
      ASSERT_EQ(places[i].bytes, sizeOf(i, number));
      ASSERT_EQ(into[i].front(), static_cast<std::byte>(number));
      ASSERT_EQ(into[i][places[i].bytes - 1], static_cast<std::byte>(number));
    }
  }
  EXPECT_EQ(round.pop(places, kPatience), Outcome::ended);
  EXPECT_EQ(places[0].bytes, 0U);
  for (auto& each : writing) each.join();
  EXPECT_THROW(round.pop(std::span(places).first(2)), std::invalid_argument);
}

// ------------------------------------------------------------------ AllGather

/// A node for each participant, and channels between all of them under the numbers of who writes.
class Circle : public ::testing::TestWithParam<Way> {
 protected:
  static constexpr size_t kSize = 3;

  Circle() {
    for (size_t i = 0; i < kSize; i++) {
      nodes_.push_back(std::make_unique<ChannelNode>(static_cast<connect::NodeId>(i + 1),
                                                     Place{.share = GetParam() == Way::shared,
                                                           .folder = folders_.path() + "/rings",
                                                           .spin = 0ns}));
    }
    for (auto& each : nodes_) {
      for (auto& other : nodes_) {
        if (each != other) each->knows(*other);
      }
    }
    std::array<std::vector<std::unique_ptr<Reader>>, kSize> readers;
    for (size_t i = 0; i < kSize; i++) {
      for (uint16_t from = 0; from < kSize; from++) {
        if (from == i) continue;
        readers[i].push_back(must(nodes_[i]->channels().openReader(from, kLeastCapacity)));
      }
    }
    for (size_t i = 0; i < kSize; i++) {
      std::vector<std::unique_ptr<Writer>> writers;
      for (size_t to = 0; to < kSize; to++) {
        if (to == i) continue;
        writers.push_back(must(nodes_[i]->channels().openWriter(
            nodes_[to]->id(), static_cast<uint16_t>(i), kPatience)));
      }
      all_.push_back(std::make_unique<AllGather>(i, std::move(writers), std::move(readers[i])));
    }
  }

  static std::string textOfRound(size_t participant, int round, size_t bytes) {
    std::string text = std::to_string(participant) + " in " + std::to_string(round);
    text.resize(bytes, '.');
    return text;
  }
  /// Everybody's message of a round, one after the other.
  static std::string exchange(AllGather& all, const std::string& own, Outcome expected) {
    std::vector<std::vector<std::byte>> into(kSize, std::vector<std::byte>(50'000));
    std::vector<Popping> places = placesIn(into);
    Pushing message{bytesOf(own)};
    EXPECT_EQ(all.exchange(message, places, kPatience), expected);
    std::string text;
    for (Popping& each : places) text += textOf(each.into.first(each.bytes)) + "|";
    return text;
  }

  Folders folders_;
  std::vector<std::unique_ptr<ChannelNode>> nodes_;
  std::vector<std::unique_ptr<AllGather>> all_;
};
INSTANTIATE_TEST_SUITE_P(Ways, Circle, ::testing::Values(Way::shared, Way::device), nameOf);

/// Messages are ten times as large as the rings: each has to read while it writes.
TEST_P(Circle, EverybodyGetsWhatEverybodyGives) {
  constexpr int kRounds = 20;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kSize; i++) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; round++) {
        size_t bytes = round % 2 == 0 ? 40'000 : 20;
        std::string expected;
        for (size_t each = 0; each < kSize; each++) {
          expected += textOfRound(each, round, bytes) + "|";
        }
        ASSERT_EQ(exchange(*all_[i], textOfRound(i, round, bytes), Outcome::done), expected);
      }
      EXPECT_EQ(all_[i]->close(kPatience), Outcome::done);
      all_[i].reset();
    });
  }
  for (auto& each : threads) each.join();
}

/// Others are late: the round goes on with the same message, and with no other one.
TEST_P(Circle, ARoundGoesOnBehindATimeOut) {
  std::vector<std::vector<std::byte>> into(kSize, std::vector<std::byte>(100));
  std::vector<Popping> places = placesIn(into);
  Pushing first{bytesOf("first")};
  EXPECT_EQ(all_[0]->exchange(first, places, 1ms), Outcome::wouldBlock);
  Pushing second{bytesOf("second")};
  EXPECT_THROW(all_[0]->exchange(second, places, 1ms), std::invalid_argument);
  std::vector<std::thread> threads;
  for (size_t i = 1; i < kSize; i++) {
    threads.emplace_back([&, i] {
      EXPECT_EQ(exchange(*all_[i], std::to_string(i), Outcome::done), "first|1|2|");
      EXPECT_EQ(exchange(*all_[i], std::to_string(i), Outcome::done), "second|1|2|");
      EXPECT_EQ(all_[i]->close(kPatience), Outcome::done);
    });
  }
  EXPECT_EQ(all_[0]->exchange(first, places, kPatience), Outcome::done);
  EXPECT_EQ(textOf(places[0].into.first(places[0].bytes)), "first");
  places = placesIn(into);
  EXPECT_EQ(all_[0]->exchange(second, places, kPatience), Outcome::done);
  EXPECT_EQ(textOf(places[0].into.first(places[0].bytes)), "second");
  EXPECT_EQ(all_[0]->close(kPatience), Outcome::done);
  for (auto& each : threads) each.join();
}

/// What it has given is in the round of the others; it has no use for theirs.
TEST_P(Circle, WhoClosesBehindATimeOutHasGivenItsMessage) {
  std::vector<std::vector<std::byte>> into(kSize, std::vector<std::byte>(100));
  std::vector<Popping> places = placesIn(into);
  Pushing own{bytesOf("given")};
  EXPECT_EQ(all_[0]->exchange(own, places, 1ms), Outcome::wouldBlock);
  std::vector<std::thread> threads;
  for (size_t i = 1; i < kSize; i++) {
    threads.emplace_back([&, i] {
      EXPECT_EQ(exchange(*all_[i], std::to_string(i), Outcome::done), "given|1|2|");
      EXPECT_EQ(exchange(*all_[i], std::to_string(i), Outcome::done), "|1|2|");
      EXPECT_EQ(all_[i]->close(kPatience), Outcome::done);
    });
  }
  EXPECT_EQ(all_[0]->close(kPatience), Outcome::done);
  for (auto& each : threads) each.join();
}

/// Its end would be in the middle of the message.
TEST_P(Circle, WhoHasWrittenAPartDoesNotClose) {
  std::vector<std::vector<std::byte>> into(kSize, std::vector<std::byte>(50'000));
  std::vector<Popping> places = placesIn(into);
  std::string large(40'000, 'x');
  Pushing own{bytesOf(large)};
  EXPECT_EQ(all_[0]->exchange(own, places, 1ms), Outcome::wouldBlock);
  EXPECT_THROW(all_[0]->close(1ms), std::invalid_argument);
  all_[0].reset();
  exchange(*all_[2], "2", Outcome::lost);
  EXPECT_EQ(all_[2]->from(), 0U);
}

/// One leaves earlier: it gives nothing any more, and holds nobody up.
TEST_P(Circle, WhoHasEndedGivesNothing) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kSize; i++) {
    threads.emplace_back([&, i] {
      EXPECT_EQ(exchange(*all_[i], std::to_string(i), Outcome::done), "0|1|2|");
      if (i != 1) {
        std::string large(30'000, static_cast<char>('a' + i));
        EXPECT_EQ(exchange(*all_[i], large, Outcome::done),
                  std::string(30'000, 'a') + "||" + std::string(30'000, 'c') + "|");
        EXPECT_FALSE(all_[i]->isOpen(1));
      }
      EXPECT_EQ(all_[i]->close(kPatience), Outcome::done);
    });
  }
  for (auto& each : threads) each.join();
}

/// One goes without a word while the others give: they hear of it once, and go on without it.
TEST_P(Circle, WhoIsLostIsToldOnce) {
  std::vector<std::thread> threads;
  for (size_t i : {0U, 2U}) {
    threads.emplace_back([&, i] {
      std::vector<std::vector<std::byte>> into(kSize, std::vector<std::byte>(50'000));
      std::vector<Popping> places = placesIn(into);
      std::string large(30'000, static_cast<char>('a' + i));
      Pushing message{bytesOf(large)};
      EXPECT_EQ(all_[i]->exchange(message, places, kPatience), Outcome::lost);
      EXPECT_EQ(all_[i]->from(), 1U);
      EXPECT_NE(all_[i]->lostBecause(1), "");
      EXPECT_EQ(all_[i]->exchange(message, places, kPatience), Outcome::done);
      EXPECT_EQ(textOf(places[2 - i].into.first(places[2 - i].bytes)),
                std::string(30'000, static_cast<char>('a' + (2 - i))));
      EXPECT_EQ(places[1].bytes, 0U);
      EXPECT_EQ(exchange(*all_[i], "on", Outcome::done), "on||on|");
      EXPECT_EQ(all_[i]->close(kPatience), Outcome::done);
    });
  }
  all_[1].reset();
  std::jthread rounds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) nodes_[1]->channels().drive();
  });
  for (auto& each : threads) each.join();
}

TEST_P(Circle, AMessageThatDoesNotFitIsToldOfAndNotLost) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kSize; i++) {
    threads.emplace_back([&, i] {
      std::vector<std::vector<std::byte>> into(kSize, std::vector<std::byte>(50'000));
      std::vector<Popping> places = placesIn(into);
      std::string own(i == 1 ? 10'000 : 10, 'x');
      places[1].into = places[1].into.first(9'999);
      Pushing message{bytesOf(own)};
      EXPECT_EQ(all_[i]->exchange(message, places, kPatience), Outcome::tooLarge);
      EXPECT_EQ(all_[i]->from(), 1U);
      places[1].into = into[1];
      EXPECT_EQ(all_[i]->exchange(message, places, kPatience), Outcome::done);
      EXPECT_EQ(places[1].bytes, 10'000U);
      EXPECT_EQ(places[2].bytes, 10U);
    });
  }
  for (auto& each : threads) each.join();
}

}  // namespace
}  // namespace verbena::fifo::testing
