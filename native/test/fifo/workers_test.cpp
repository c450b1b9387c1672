// SPDX-License-Identifier: Apache-2.0
//
// Channels of nodes with several workers: names are the node's, rounds the worker's.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "channels.h"
#include "fifo/connections.h"
#include "fifo/opening.h"

namespace verbena::fifo::testing {
namespace {

class Workers : public ::testing::TestWithParam<Way> {
 protected:
  Workers() { one_.knows(two_); }

  Place place(uint32_t workers) const {
    return {.share = GetParam() == Way::shared,
            .folder = folders_.path() + "/rings",
            .workers = workers};
  }
  /// How many links each worker of a node drives.
  static std::vector<int> linksOf(ChannelNode& node) {
    std::vector<int> found;
    for (uint32_t i = 0; i < node.node().workers(); i++) {
      int& count = found.emplace_back();
      node.node().worker(i).links().forEach([&](const fabric::Link& link) {
        if (link.id() != 0) count++;
      });
    }
    return found;
  }
  static void send(Writer& writer, uint64_t number) {
    std::byte* at = nullptr;
    ASSERT_EQ(writer.claim(sizeof number, at, kPatience), Outcome::done);
    std::memcpy(at, &number, sizeof number);
    writer.publish(sizeof number);
  }
  static void expect(Reader& reader, uint64_t number) {
    std::span<const std::byte> message;
    ASSERT_EQ(reader.peek(message, kPatience), Outcome::done) << reader.lostBecause();
    ASSERT_EQ(message.size(), sizeof number);
    uint64_t came = 0;
    std::memcpy(&came, message.data(), sizeof came);
    ASSERT_EQ(came, number);
    reader.release();
  }

  Folders folders_;
  ChannelNode one_{1, place(2)};
  ChannelNode two_{2, place(3)};
};
INSTANTIATE_TEST_SUITE_P(Ways, Workers, ::testing::Values(Way::shared, Way::device),
                         [](const auto& way) {
                           return way.param == Way::shared ? "shared" : "device";
                         });

/// Each side has chosen its own; nobody does a round of another one.
TEST_P(Workers, AnEndIsOfTheOneAtWhichItWasOpened) {
  constexpr uint64_t kMessages = 2'000;
  auto reader = must(two_.channels(2).openReader(kNumber, kLeastCapacity));
  auto writer = must(one_.channels(1).openWriter(2, kNumber, kPatience));
  EXPECT_EQ(writer->isShared(), GetParam() == Way::shared);
  EXPECT_EQ(linksOf(one_), (std::vector{0, 1}));
  EXPECT_EQ(linksOf(two_), (std::vector{0, 0, 1}));
  std::thread writing([&] {
    for (uint64_t i = 0; i < kMessages; i++) send(*writer, i);
    EXPECT_EQ(writer->close(kPatience), Outcome::done);
  });
  for (uint64_t i = 0; i < kMessages; i++) expect(*reader, i);
  std::span<const std::byte> message;
  EXPECT_EQ(reader->peek(message, kPatience), Outcome::ended);
  writing.join();
}

TEST_P(Workers, GoAtOnce) {
  constexpr uint64_t kMessages = 5'000;
  std::array<std::unique_ptr<Reader>, 2> readers;  // until all have closed: else they may be lost
  std::vector<std::thread> threads;
  for (uint16_t worker = 0; worker < 2; worker++) {
    threads.emplace_back([&, worker] {
      auto& reader = readers[worker];
      reader = must(two_.channels(worker).openReader(worker, kLeastCapacity));
      for (uint64_t i = 0; i < kMessages; i++) expect(*reader, i);
      std::span<const std::byte> message;
      EXPECT_EQ(reader->peek(message, kPatience), Outcome::ended);
    });
    threads.emplace_back([&, worker] {
      auto writer = must(one_.channels(1 - worker).openWriter(2, worker, kPatience));
      for (uint64_t i = 0; i < kMessages; i++) send(*writer, i);
      EXPECT_EQ(writer->close(kPatience), Outcome::done);
    });
  }
  for (std::thread& each : threads) each.join();
}

TEST_P(Workers, HaveTheirNumbersInCommon) {
  auto reader = must(two_.channels(2).openReader(kNumber, kLeastCapacity));
  auto second = two_.channels(0).openReader(kNumber, kLeastCapacity);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  auto writer = must(one_.channels(1).openWriter(2, kNumber, kPatience));
  auto another = one_.channels(0).openWriter(2, kNumber, std::chrono::milliseconds(50));
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().code, EADDRINUSE) << another.error().sentence();
}

/// The former link ends by rounds of the worker that it was of.
TEST_P(Workers, OneFollowsAnotherAtANumber) {
  auto reader = must(two_.channels(0).openReader(kNumber, kLeastCapacity));
  auto writer = must(one_.channels(0).openWriter(2, kNumber, kPatience));
  send(*writer, 1);
  expect(*reader, 1);
  writer.reset();
  std::span<const std::byte> message;
  ASSERT_EQ(reader->peek(message, kPatience), Outcome::lost);
  std::jthread rounds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) two_.channels(0).drive();
  });
  reader = must(two_.channels(1).openReader(kNumber, kLeastCapacity));
  writer = must(one_.channels(1).openWriter(2, kNumber, kPatience));
  send(*writer, 2);
  expect(*reader, 2);
  EXPECT_EQ(reader->lostBecause(), "");
}

TEST_P(Workers, OpenAWriterWithoutWaitingForIt) {
  auto opening = must(one_.channels(1).beginWriter(2, kNumber, kPatience));
  EXPECT_FALSE(opening->step({})) << "nobody reads yet";
  auto another = one_.channels(0).beginWriter(2, kNumber, kPatience);
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().code, EADDRINUSE);
  auto reader = must(two_.channels(0).openReader(kNumber, kLeastCapacity));
  std::optional<base::Result<std::unique_ptr<Writer>>> opened;
  auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!opened && std::chrono::steady_clock::now() < deadline) {
    opened = opening->step({});
    std::this_thread::yield();
  }
  ASSERT_TRUE(opened && *opened) << "it was not opened";
  opening.reset();
  send(***opened, 5);
  expect(*reader, 5);
  ChannelWay way = (**opened)->way();
  EXPECT_EQ(way.mapped, GetParam() == Way::shared) << way.sentence();
  EXPECT_EQ(way.puts > 0, GetParam() != Way::shared) << way.sentence();
}

TEST_P(Workers, OpenNoWriterToAReaderOfAnother) {
  auto others = must(two_.channels(0).openReader(kNumber, kLeastCapacity, connect::NodeId{7}));
  auto refused = one_.channels(0).openWriter(2, kNumber, std::chrono::milliseconds(20));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("does not read it"), std::string::npos)
      << refused.error().sentence();
  others.reset();
  auto its = must(two_.channels(0).openReader(kNumber, kLeastCapacity, connect::NodeId{1}));
  auto writer = must(one_.channels(0).openWriter(2, kNumber, kPatience));
  send(*writer, 6);
  expect(*its, 6);
}

TEST_P(Workers, OpenNoWriterToARingThatIsTooLarge) {
  auto reader = must(two_.channels(0).openReader(kNumber, 4 * kLeastCapacity));
  auto opening = must(one_.channels(0).beginWriter(2, kNumber, kPatience, 2 * kLeastCapacity));
  auto refused = opening->await();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("more than the 8192"), std::string::npos)
      << refused.error().sentence();
  EXPECT_THROW(static_cast<void>(opening->step({})), std::logic_error);
}

TEST_P(Workers, SayWhyAWriterIsNotOpened) {
  auto opening = must(one_.channels(1).beginWriter(2, kNumber, std::chrono::milliseconds(20)));
  auto opened = opening->await();
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().sentence().find("does not read it"), std::string::npos)
      << opened.error().sentence();
  opening = must(one_.channels(1).beginWriter(2, kNumber, kPatience));
  EXPECT_FALSE(opening->step({}));
  opening.reset();  // given up: the number is free, as behind the failure above
  opening = must(one_.channels(1).beginWriter(2, kNumber, kPatience));
}

TEST_P(Workers, AnyMayHaveTheConnections) {
  auto server = must(Connections::on(two_.channels(2), kLeastCapacity));
  must(server->listen());
  Connection there;
  std::thread accepting([&] {
    auto accepted = must(server->accept(kPatience));
    ASSERT_TRUE(accepted.has_value());
    there = std::move(*accepted);
    expect(*there.reader, 3);
    send(*there.writer, 4);
  });
  auto client = must(Connections::on(one_.channels(1), kLeastCapacity));
  Connection here = must(client->connect(2, kPatience));
  send(*here.writer, 3);
  expect(*here.reader, 4);
  accepting.join();
  EXPECT_EQ(linksOf(one_), (std::vector{0, 2}));
  EXPECT_EQ(linksOf(two_), (std::vector{0, 0, 2}));
}

}  // namespace
}  // namespace verbena::fifo::testing
