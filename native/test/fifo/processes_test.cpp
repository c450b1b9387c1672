// SPDX-License-Identifier: Apache-2.0
//
// Channels between two processes, one of which is killed.
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "../softnic/processes.h"
#include "channels.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Child;
using softnic::testing::Line;

constexpr uint16_t kNumber = 5;
constexpr uint64_t kCapacity = 1 << 14;

/// Where the reader's node listens.
using Listens = std::array<char, 64>;

Place place(bool share, const std::string& folder) {
  return {.share = share, .folder = folder + "/rings", .deadAfter = 3'000ms};
}

Listens listens(const ChannelNode& node) {
  Listens text{};
  node.address().copy(text.data(), text.size() - 1);
  return text;
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

}  // namespace
}  // namespace verbena::fifo::testing
