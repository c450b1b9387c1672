// SPDX-License-Identifier: Apache-2.0
//
// Many threads at one engine.
#include <thread>

#include "sides.h"

namespace verbena::streams::testing {
namespace {

class Threads : public Pair {};

/// Publishes a little more each time all it had is sent, and then pumps as another thread would
/// that comes just after the worker's look: it finds the worker at it, leaves its mark and goes.
class AfterEachLook : public Source {
 public:
  AfterEachLook(Engine& engine, LinkId connection, uint64_t total)
      : engine_(engine), connection_(connection), total_(total) {}

  uint64_t publishedEnd(uint64_t from, uint64_t) override {
    if (published_ > from || published_ == total_) return published_;
    published_ += kStep;
    EXPECT_FALSE(engine_.pump(connection_));
    return from;
  }

 private:
  static constexpr uint64_t kStep = 8;

  Engine& engine_;
  LinkId connection_;
  uint64_t total_;
  uint64_t published_ = 0;
};

TEST_F(Threads, PumpOneConnectionAtOnceAndLoseNothing) {
  open();
  constexpr uint64_t kTotal = 400'000;
  Writer writer(left().engine(), kId, 1, 1 << 14);
  std::atomic<bool> over{false};
  std::atomic<uint64_t> consumed{0};
  {
    std::vector<std::jthread> pumps;
    for (int i = 0; i < 3; i++) {
      pumps.emplace_back([&] {
        while (!over) left().engine().pump(kId);
      });
    }
    std::jthread publisher([&] {
      while (writer.written() < kTotal && !over) {
        writer.consumed(consumed.load(std::memory_order_acquire));
        writer.write(std::min<uint64_t>(333, kTotal - writer.written()));
        left().engine().pump(kId);
      }
    });
    EXPECT_TRUE(until([&] {
      consumed.store(right().arrived(kId, 1), std::memory_order_release);
      return right().arrived(kId, 1) == kTotal;
    }));
    over = true;
  }
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Threads, OnePublicationAndOnePumpAlwaysSuffice) {
  // Nothing but the one pump, and what it leaves to progress(), sends what was published before it:
  // two publishers with streams of their own turn each other away all the time.
  open();
  constexpr uint64_t kEach = 3'000;
  Writer one(left().engine(), kId, 1, 1 << 20), two(left().engine(), kId, 2, 1 << 20);
  auto publish = [&](Writer& writer) {
    for (uint64_t i = 0; i < kEach; i++) {
      writer.write(20);
      writer.pump();
    }
  };
  {
    std::jthread first(publish, std::ref(one)), second(publish, std::ref(two));
    EXPECT_TRUE(until([&] {
      return right().arrived(kId, 1) == 20 * kEach && right().arrived(kId, 2) == 20 * kEach;
    })) << right().arrived(kId, 1)
        << " and " << right().arrived(kId, 2);
  }
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Threads, APublicationAfterTheWorkersLastLookIsNotLost) {
  open();
  constexpr uint64_t kTotal = 4096;
  std::shared_ptr<Ring> ring = must(left().engine().allocateRing(kTotal));
  for (uint64_t at = 0; at < kTotal; at++) ring->start()[at] = patternAt(at, 1);
  AfterEachLook source(left().engine(), kId, kTotal);
  must(left().engine().openStream(kId, 1, ring, 0, kTotal, source, 0));
  left().engine().pump(kId);
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == kTotal; }))
      << right().arrived(kId, 1) << " bytes have arrived";
  left().engine().closeStream(kId, 1);
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Threads, ControlBytesAreWrittenWhileAnotherThreadSends) {
  open();
  std::string text;
  for (int i = 0; i < 6'000; i++) text += static_cast<char>('a' + i * i % 26);
  {
    std::jthread writer([&] {
      for (size_t done = 0; done < text.size();) {
        auto word = std::as_bytes(std::span(text)).subspan(done);
        done += left().engine().writeControl(kId, word.first(std::min<size_t>(word.size(), 3)));
        left().engine().pump(kId);
      }
    });
    EXPECT_TRUE(until([&] { return right().control(kId).size() >= text.size(); }));
  }
  EXPECT_EQ(right().control(kId), text);
}

/// One end of a ping-pong that sleeps whenever it has nothing to do.
void answer(Side& side, LinkId id, Writer& writer, uint64_t rounds, bool begins,
            std::atomic<bool>& stuck) {
  for (uint64_t round = 1; round <= rounds && !stuck; round++) {
    if (begins) {
      writer.write(8);
      writer.pump();
    }
    while (side.arrived(id, 1) < 8 * round && !stuck) {
      if (side.turn() != 0) continue;
      side.engine().arm();
      if (side.turn() != 0) continue;
      auto before = std::chrono::steady_clock::now();
      side.engine().wait(kPatience);
      if (std::chrono::steady_clock::now() - before > kPatience / 2) stuck = true;
    }
    writer.consumed(8 * round);
    if (!begins) {
      writer.write(8);
      writer.pump();
    }
  }
}

TEST_F(Threads, SleepersAreWokenByWhatArrives) {
  open();
  Writer there(left().engine(), kId, 1, 4096), back(right().engine(), kId, 1, 4096);
  std::atomic<bool> stuck{false};
  {
    std::jthread one([&] { answer(left(), kId, there, 3'000, true, stuck); });
    std::jthread two([&] { answer(right(), kId, back, 3'000, false, stuck); });
  }
  EXPECT_FALSE(stuck) << "a wake-up was lost";
}

TEST_F(Threads, ASleeperIsWokenByInterestAndByWake) {
  open();
  constexpr uint64_t kRounds = 3'000;
  std::atomic<uint64_t> asked{0}, answered{0};
  std::atomic<bool> stuck{false};
  Writer writer(left().engine(), kId, 1, 1 << 16);
  std::jthread sleeper([&] {
    while (answered < kRounds && !stuck) {
      left().engine().arm();
      size_t done = left().turn() + right().turn();
      if (asked.load() != answered.load()) {
        answered = asked.load();
      } else if (done == 0) {
        auto before = std::chrono::steady_clock::now();
        left().engine().wait(kPatience);
        if (std::chrono::steady_clock::now() - before > kPatience / 2) stuck = true;
      }
    }
  });
  for (uint64_t round = 1; round <= kRounds && !stuck; round++) {
    if (round % 2 == 0) {
      asked = round;
      left().engine().wake();
    } else {
      asked = round;
      left().engine().interest(kId);
    }
    while (answered < round && !stuck) std::this_thread::yield();
  }
  sleeper.join();
  EXPECT_FALSE(stuck) << "a wake-up was lost";
}

TEST_F(Threads, ASleeperIsWokenByWhatAnotherThreadsProgressFinds) {
  open();
  constexpr uint64_t kRounds = 1'000;
  Writer there(left().engine(), kId, 1, 1 << 14), back(right().engine(), kId, 1, 1 << 14);
  std::atomic<bool> stuck{false}, over{false};
  {
    // It takes the turn to poll away from the sleeper again and again, and takes nothing out.
    std::jthread meddler([&] {
      while (!over) {
        left().engine().progress();
        std::this_thread::yield();
      }
    });
    std::jthread one([&] { answer(left(), kId, there, kRounds, true, stuck); });
    answer(right(), kId, back, kRounds, false, stuck);
    one.join();
    over = true;
  }
  EXPECT_FALSE(stuck) << "a wake-up was lost";
}

TEST_F(Threads, ConnectionsComeAndGoWhileOthersArePumped) {
  open();
  std::atomic<bool> over{false};
  Writer writer(left().engine(), kId, 1, 1 << 14);
  std::atomic<LinkId> current{20};
  std::jthread pump([&] {
    while (!over) {
      for (LinkId id = current - 2; id <= current + 1; id++) {
        left().engine().pump(id);
        left().engine().interest(id);
        left().engine().writeControl(id, {});
      }
    }
  });
  for (LinkId id = 20; id < 80; id++) {
    current = id;
    connect(left(), right(), id);
    std::string text = "hello";
    left().engine().writeControl(id, std::as_bytes(std::span(text)));
    left().engine().interest(id);
    EXPECT_TRUE(until([&] { return right().control(id) == text; }));
    left().engine().close(id, "");
    right().engine().close(id, "");
    ASSERT_TRUE(until([&] { return left().closedTimes(id) + right().closedTimes(id) == 2; }));
  }
  over = true;
  EXPECT_EQ(left().failures() + right().failures(), 0);
}

}  // namespace
}  // namespace verbena::streams::testing
