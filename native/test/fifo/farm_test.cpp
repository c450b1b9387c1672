// SPDX-License-Identifier: Apache-2.0
//
// Feedback: a master gives tasks to workers and takes their results, all in one thread.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>

#include "../softnic/processes.h"
#include "fifo/patterns/from_any.h"
#include "fifo/patterns/on_demand.h"
#include "fifo/patterns/scatter.h"
#include "patterns.h"

namespace verbena::fifo::testing {
namespace {

using softnic::testing::Child;
using softnic::testing::Line;

constexpr uint16_t kResults = 1'000;  // numbers of channels back begin there

/// With room for little: results of a task do not fit into a ring.
struct Result {
  uint64_t task;
  std::array<uint64_t, 100> squares;
};

class Farm : public Patterns {
 protected:
  Reading results(uint16_t count) {
    Reading all;
    for (uint16_t i = 0; i < count; i++) {
      all.push_back(must(one_.channels().openReader(kResults + i, kLeastCapacity)));
      farWriters_.push_back(must(two_.channels().openWriter(1, kResults + i, kPatience)));
    }
    return all;
  }
  /// For each task several results, and the end of its stream for the master's.
  void work(size_t worker, int copies) {
    std::span<const std::byte> message;
    while (far_[worker]->peek(message, kPatience) == Outcome::done) {
      Result result{};
      std::memcpy(&result.task, message.data(), 8);
      result.squares.fill(result.task * result.task);
      for (int i = 0; i < copies; i++) {
        ASSERT_EQ(farWriters_[worker]->push(std::as_bytes(std::span(&result, 1)), kPatience),
                  Outcome::done);
      }
      far_[worker]->release();
      far_[worker]->tell();
    }
    EXPECT_EQ(farWriters_[worker]->close(kPatience), Outcome::done);
  }
  /// Tasks out, results back, until the streams of all workers have ended.
  template <typename Out>
  void master(Out& out, FromAny& in, uint64_t tasks, uint64_t copies) {
    uint64_t next = 0;
    uint64_t came = 0;
    Pushing task{std::as_bytes(std::span(&next, 1))};
    bool isClosed = false;
    Outcome got = Outcome::wouldBlock;
    auto goesOn = [&] {
      std::span<const std::byte> message;
      got = in.peek(message);
      if (got == Outcome::done) {
        Result result;
        std::memcpy(&result, message.data(), sizeof result);
        EXPECT_EQ(result.squares.back(), result.task * result.task);
        came++;
        in.release();
      }
      bool gives = next < tasks && out.push(task) == Outcome::done;
      if (gives) {
        next++;
        task = {task.from};
      }
      if (next == tasks && !isClosed) isClosed = out.close(0ns) == Outcome::done;
      return gives || got != Outcome::wouldBlock;
    };
    while (got != Outcome::ended) {
      ASSERT_TRUE(one_.channels().await({out.ends(), in.ends()}, kPatience, goesOn));
    }
    EXPECT_EQ(came, tasks * copies);
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, Farm, ::testing::Values(Way::shared, Way::device), nameOf);

/// Workers have many tasks in their rings, and cannot go on before results are taken.
TEST_P(Farm, AMasterOnDemandDoesNotDeadlock) {
  OnDemand out(writers(3), 200);
  FromAny in(results(3));
  std::vector<std::thread> workers;
  for (size_t i = 0; i < 3; i++) workers.emplace_back([&, i] { work(i, 10); });
  master(out, in, 1'000, 10);
  for (auto& each : workers) each.join();
}

TEST_P(Farm, AMasterInTurnDoesNotDeadlock) {
  Scatter out(writers(3));
  FromAny in(results(3));
  std::vector<std::thread> workers;
  for (size_t i = 0; i < 3; i++) workers.emplace_back([&, i] { work(i, 3); });
  master(out, in, 1'500, 3);
  for (auto& each : workers) each.join();
}

TEST_P(Farm, WhatHappensAtNoEndIsAwaitedInVain) {
  OnDemand out(writers(2));
  FromAny in(results(2));
  int looks = 0;
  EXPECT_FALSE(one_.channels().await({out.ends(), in.ends()}, 5ms, [&] {
    looks++;
    return false;
  }));
  EXPECT_GE(looks, 2);
  EXPECT_TRUE(one_.channels().await({}, 0ns, [] { return true; }));
}

// ------------------------------------------------------------------ processes

/// Node 2 + i, until the master ends the stream, or it is killed in its second task: a reader that
/// nothing has come to may wait for another writer.
void workUntilKilled(const Line& line, const Place& place, uint16_t worker, bool hangs) {
  ChannelNode node(2 + worker, place);
  auto tasks = must(node.channels().openReader(worker, kLeastCapacity));
  line.tell(listens(node));
  node.knows(1, line.hear<Listens>().data());
  auto results = must(node.channels().openWriter(1, kResults + worker, kPatience));
  std::span<const std::byte> task;
  for (int i = 0; tasks->peek(task, kPatience) == Outcome::done; i++) {
    if (hangs && i == 1) {
      line.tell(true);
      std::this_thread::sleep_for(kPatience);
    }
    ASSERT_EQ(results->push(task, kPatience), Outcome::done);
    ASSERT_EQ(results->flush(kPatience), Outcome::done);
    tasks->release();
    tasks->tell();
  }
  ASSERT_EQ(results->close(kPatience), Outcome::done);
}

class FarmProcesses : public ::testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, FarmProcesses, ::testing::Values(Way::shared, Way::device), nameOf);

/// What the one that was killed had not done is done by the others: each task at least once.
TEST_P(FarmProcesses, TasksOfAKilledWorkerAreGivenToOthers) {
  constexpr uint16_t kWorkers = 3;
  constexpr uint64_t kTasks = 500;
  Folders folders;
  Place where{.share = GetParam() == Way::shared,
              .folder = folders.path() + "/rings",
              .deadAfter = 3'000ms};
  std::vector<std::unique_ptr<Child>> children;
  for (uint16_t i = 0; i < kWorkers; i++) {
    children.push_back(std::make_unique<Child>(
        [&, i](const Line& line) { workUntilKilled(line, where, i, i == 1); }));
  }
  ChannelNode node(1, where);
  std::vector<std::unique_ptr<Reader>> readers;
  std::vector<std::unique_ptr<Writer>> writers;
  for (uint16_t i = 0; i < kWorkers; i++) {
    node.knows(2 + i, children[i]->line().hear<Listens>().data());
    readers.push_back(must(node.channels().openReader(kResults + i, kLeastCapacity)));
    children[i]->line().tell(listens(node));
    writers.push_back(must(node.channels().openWriter(2 + i, i, kPatience)));
  }
  OnDemand out(std::move(writers));
  FromAny in(std::move(readers));

  std::vector<uint64_t> given;  // the task of each number
  std::vector<uint64_t> again;
  std::set<uint64_t> done;
  uint64_t fresh = 0;
  int lost = 0;
  bool isKilled = false;
  bool isClosed = false;
  auto next = [&]() -> std::optional<uint64_t> {
    if (!again.empty()) return again.back();
    if (fresh < kTasks) return fresh;
    return std::nullopt;
  };
  Outcome got = Outcome::wouldBlock;
  auto goesOn = [&] {
    if (!isKilled && children[1]->line().heard()) {
      children[1]->kill();
      isKilled = true;
    }
    std::span<const std::byte> message;
    got = in.peek(message);
    if (got == Outcome::done) {
      uint64_t task = UINT64_MAX;
      std::memcpy(&task, message.data(), 8);
      done.insert(task);
      in.release();
    }
    if (done.size() == kTasks && !isClosed) isClosed = out.close(0ns) == Outcome::done;
    if (isClosed) return got != Outcome::wouldBlock;
    std::byte* at = nullptr;
    Outcome claimed = out.claim(8, at);  // also if there is nothing to give: it tells of losses
    if (claimed == Outcome::lost) {
      lost++;
      EXPECT_EQ(out.to(), 1U);
      for (uint64_t number : out.unreleased(1)) again.push_back(given[number]);
      return true;
    }
    auto task = claimed == Outcome::done ? next() : std::nullopt;
    if (task) {
      std::memcpy(at, &*task, 8);
      out.publish(8);
      given.push_back(*task);
      again.empty() ? void(fresh++) : again.pop_back();
    }
    return task || got != Outcome::wouldBlock;
  };
  while (got != Outcome::ended) {
    ASSERT_TRUE(node.channels().await({out.ends(), in.ends()}, kPatience, goesOn))
        << done.size() << " done, closed: " << isClosed
        << ", of the one that was killed: " << in.reader(1).lostBecause();
  }
  EXPECT_TRUE(isKilled);
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(done.size(), kTasks);
  EXPECT_GE(given.size(), kTasks + 1) << "at least the one it hung in";
  EXPECT_LE(given.size(), kTasks + OnDemand::kAhead);
  EXPECT_FALSE(out.writer(1).lostBecause().empty());
  EXPECT_EQ(children[0]->wait(), 0);
  EXPECT_EQ(children[2]->wait(), 0);
}

}  // namespace
}  // namespace verbena::fifo::testing
