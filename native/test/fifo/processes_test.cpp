// SPDX-License-Identifier: Apache-2.0
//
// Channels between processes: two, one of which is killed, and many.
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "../softnic/processes.h"
#include "channels.h"
#include "fifo/patterns/from_any.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Child;
using softnic::testing::Line;

Place place(bool share, const std::string& folder) {
  return {.share = share, .folder = folder + "/rings", .deadAfter = 3'000ms};
}

/// The length of a message of this number: some lie in the ring as a whole, some do not.
uint64_t lengthOf(uint64_t number) {
  return number % 20 == 19 ? kCapacity + number % 1'000 : 8 + number % 500;
}

/// Writes until nobody reads any more.
void writeOn(const Line& line, const Place& place) {
  ChannelNode node(1, place);
  node.knows(2, line.hear<Listens>().data());
  auto writer = must(node.channels().openWriter(2, kNumber, kPatience));
  line.tell(writer->isShared());
  std::vector<std::byte> message(2 * kCapacity);
  for (uint64_t number = 0;; number++) {
    std::fill_n(message.begin(), lengthOf(number), static_cast<std::byte>(number));
    std::memcpy(message.data(), &number, 8);
    std::span<const std::byte> whole(message.data(), lengthOf(number));
    if (writer->push(whole, kPatience) != Outcome::done) break;
  }
}

/// Reads, and tells how far that has come, until it is killed.
void readOn(const Line& line, const Place& place) {
  ChannelNode node(2, place);
  auto reader = must(node.channels().openReader(kNumber, kCapacity));
  line.tell(listens(node));
  std::span<const std::byte> message;
  while (reader->peek(message, kPatience) == Outcome::done) {
    reader->release();
    line.tell(reader->released());
  }
}

class ChannelProcesses : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Ways, ChannelProcesses, ::testing::Values(true, false),
                         [](const auto& shares) { return shares.param ? "shared" : "device"; });

/// Whatever it was at: the reader gets whole messages in order, and then hears that it is gone.
TEST_P(ChannelProcesses, WriterKilledAtAnyMoment) {
  for (unsigned round = 0; round < 4; round++) {
    Folders folders;
    Place where = place(GetParam(), folders.path());
    Child child([&](const Line& line) { writeOn(line, where); });
    ChannelNode node(2, where);
    auto reader = must(node.channels().openReader(kNumber, kCapacity));
    child.line().tell(listens(node));
    std::vector<std::byte> into(2 * kCapacity);
    uint64_t next = 0;
    bool killed = false;
    uint64_t until = std::mt19937(round)() % 3'000;
    for (;;) {
      if (!killed && next == until) {
        ASSERT_EQ(child.line().hear<bool>(), GetParam());
        child.kill();
        killed = true;
      }
      Popping message{into};
      Outcome got = reader->pop(message, kPatience);
      if (got == Outcome::lost) break;
      ASSERT_EQ(got, Outcome::done) << next;
      uint64_t number = UINT64_MAX;
      std::memcpy(&number, into.data(), 8);
      ASSERT_EQ(number, next++);
      ASSERT_EQ(message.bytes, lengthOf(number));
      ASSERT_TRUE(
          std::ranges::all_of(std::span(into).first(lengthOf(number)).subspan(8),
                              [&](std::byte b) { return b == static_cast<std::byte>(number); }));
    }
    EXPECT_TRUE(killed) << reader->lostBecause();
    EXPECT_FALSE(reader->lostBecause().empty());
  }
}

TEST_P(ChannelProcesses, ReaderKilledUnderLoad) {
  Folders folders;
  Place where = place(GetParam(), folders.path());
  Child child([&](const Line& line) { readOn(line, where); });
  ChannelNode node(1, where);
  node.knows(2, child.line().hear<Listens>().data());
  auto writer = must(node.channels().openWriter(2, kNumber, kPatience));
  uint64_t released = 0;
  for (uint64_t number = 0;; number++) {
    std::byte* at = nullptr;
    Outcome got = writer->claim(8 + number % 500, at, kPatience);
    if (got == Outcome::lost) break;
    ASSERT_EQ(got, Outcome::done) << number;
    std::memcpy(at, &number, 8);
    writer->publish(8 + number % 500);
    while (number < 3'000 && child.line().heard()) released = child.line().hear<uint64_t>();
    if (number == 3'000) child.kill();
  }
  EXPECT_FALSE(writer->lostBecause().empty());
  EXPECT_LE(writer->released(), writer->published());
  EXPECT_GT(writer->released() + kCapacity / 8, released) << "what it had told of";
  // What it has left goes when the next node opens.
  ChannelNode next(3, where);
  EXPECT_EQ(filesIn(where.folder, "ring-"), 0U);
  EXPECT_EQ(filesIn(where.folder, "bell-"), 2U) << "those of this process";
}

// ------------------------------------------------------------------ many

#if defined(__SANITIZE_THREAD__)
constexpr int kWriters = 31;  // each is many times as busy with it
#else
constexpr int kWriters = 127;
#endif
constexpr uint64_t kEach = 200;  // messages

struct Said {
  int writer;
  uint64_t number;
};

/// Numbers, one after the other, and the end.
void writeNumbers(const Line& line, const Place& place, int writer) {
  ChannelNode node(static_cast<connect::NodeId>(100 + writer), place);
  node.knows(2, line.hear<Listens>().data());
  auto out = must(node.channels().openWriter(2, static_cast<uint16_t>(writer), kPatience));
  EXPECT_EQ(out->isShared(), place.share);
  for (uint64_t number = 0; number < kEach; number++) {
    Said said{writer, number};
    EXPECT_EQ(out->push(std::as_bytes(std::span(&said, 1)), kPatience), Outcome::done);
  }
  EXPECT_EQ(out->close(kPatience), Outcome::done);
}

TEST_P(ChannelProcesses, ManyWriters) {
  Folders folders;
  // On a busy machine that many processes keep each other waiting.
  Place where{.share = GetParam(), .folder = folders.path() + "/rings", .deadAfter = 60'000ms};
  std::vector<std::unique_ptr<Child>> writers;
  for (int i = 0; i < kWriters; i++) {
    writers.push_back(
        std::make_unique<Child>([&, i](const Line& line) { writeNumbers(line, where, i); }));
  }
  ChannelNode node(2, where);
  std::vector<std::unique_ptr<Reader>> readers;
  for (uint16_t i = 0; i < kWriters; i++) {
    readers.push_back(must(node.channels().openReader(i, 4096)));
  }
  for (const auto& each : writers) each->line().tell(listens(node));
  FromAny in(std::move(readers));
  std::array<uint64_t, kWriters> next{};
  std::span<const std::byte> message;
  Outcome got = Outcome::done;
  while ((got = in.peek(message, kPatience)) == Outcome::done) {
    Said said{};
    ASSERT_EQ(message.size(), sizeof said);
    std::memcpy(&said, message.data(), sizeof said);
    ASSERT_EQ(said.number, next.at(static_cast<size_t>(said.writer))++) << said.writer;
    in.release();
  }
  EXPECT_EQ(got, Outcome::ended);
  for (uint64_t each : next) EXPECT_EQ(each, kEach);
  for (const auto& each : writers) EXPECT_EQ(each->wait(), 0);
}

}  // namespace
}  // namespace verbena::fifo::testing
