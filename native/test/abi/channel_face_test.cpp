// SPDX-License-Identifier: Apache-2.0
//
// Channels as a program in C++ has them, by the installed header.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "verbena/channel.hpp"

namespace {

using namespace std::chrono_literals;
using verbena::ChannelReader;
using verbena::ChannelWriter;
using verbena::Outcome;

constexpr auto kPatience = 120s;
constexpr uint64_t kRing = 4096;

verbena::Fabric open(uint32_t node) {
  static vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
  vbn_fabric_options options{};
  options.node_id = node;
  options.cluster = "channel-face";
  options.listen = "127.0.0.1:0";
  options.device = &softnic;
  options.channels = 4;
  return verbena::Fabric(options);
}

class ChannelFace : public ::testing::Test {
 protected:
  ChannelFace() { one.addPeer(2, two.address()); }
  static std::span<const std::byte> bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
  }
  static std::string text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  static std::string thrownBy(const std::function<void()>& call) {
    try {
      call();
    } catch (const verbena::Error& error) {
      return error.what();
    }
    return "nothing";
  }

  verbena::Fabric one = open(1);
  verbena::Fabric two = open(2);
};

TEST_F(ChannelFace, CarriesMessagesInPlaceAndCopiedUntilTheEnd) {
  ChannelReader reader(two, 7, kRing);
  ChannelWriter writer(one, 2, 7, kPatience);
  std::span<std::byte> place;
  ASSERT_EQ(writer.claim(64, place, kPatience), Outcome::done);
  ASSERT_EQ(place.size(), 64U);
  std::ranges::copy(bytes("claimed"), place.begin());
  writer.publish(7);
  ASSERT_EQ(writer.push(bytes("pushed")), Outcome::done);
  ASSERT_EQ(writer.push(bytes("dropped")), Outcome::done);
  ASSERT_EQ(writer.flush(kPatience), Outcome::done);
  std::span<const std::byte> message;
  ASSERT_EQ(reader.peek(message, kPatience), Outcome::done);
  EXPECT_EQ(text(message), "claimed");
  reader.release();
  std::array<std::byte, 16> into{};
  uint64_t length = 0;
  ASSERT_EQ(reader.probe(length), Outcome::done);
  EXPECT_EQ(length, 6U);
  ASSERT_EQ(reader.pop(into, length), Outcome::done);
  EXPECT_EQ(text(std::span(into).first(length)), "pushed");
  ASSERT_EQ(reader.drop(), Outcome::done);
  reader.tell();
  EXPECT_EQ(reader.peek(message), Outcome::wouldBlock);
  EXPECT_EQ(reader.peer(), 1U);
  EXPECT_EQ(writer.peer(), 2U);
  EXPECT_TRUE(writer.isShared());
  EXPECT_EQ(writer.released(), writer.published());
  EXPECT_EQ(reader.released(), writer.published());
  EXPECT_EQ(writer.claim(writer.mostInPlace() + 1, place), Outcome::tooLarge);
  ASSERT_EQ(writer.close(kPatience), Outcome::done);
  EXPECT_EQ(reader.peek(message, kPatience), Outcome::ended);
}

TEST_F(ChannelFace, AnEndThatIsMovedIsOneEndAndOneThatGoesIsLost) {
  ChannelReader reader(two, 7, kRing);
  {
    ChannelWriter writer(one, 2, 7, kPatience);
    ChannelWriter moved = std::move(writer);
    ASSERT_EQ(moved.push(bytes("last")), Outcome::done);
  }
  ChannelReader moved = std::move(reader);
  std::span<const std::byte> message;
  ASSERT_EQ(moved.peek(message, kPatience), Outcome::done);
  moved.release();
  EXPECT_EQ(moved.peek(message, kPatience), Outcome::lost);
  EXPECT_NE(moved.lostBecause().find("channel 7"), std::string::npos) << moved.lostBecause();
}

TEST_F(ChannelFace, MisuseIsThrownWithTheLibrarysSentence) {
  EXPECT_NE(thrownBy([&] { ChannelReader(two, 7, 5000); }).find("5000"), std::string::npos);
  EXPECT_NE(thrownBy([&] { ChannelWriter(one, 9, 7, 1ms); }).find("node 9"), std::string::npos);
  ChannelReader reader(two, 7, kRing);
  ChannelWriter writer(one, 2, 7, kPatience);
  EXPECT_NE(thrownBy([&] { writer.publish(8); }).find("claimed"), std::string::npos);
  vbn_fabric_options none{};
  EXPECT_NE(thrownBy([&] { verbena::Fabric without(none); }).find("channels"), std::string::npos);
  ASSERT_EQ(writer.push(bytes("all is well")), Outcome::done);
}

TEST_F(ChannelFace, EndsMayOutliveTheirFabric) {
  std::optional<verbena::Fabric> three = open(3);
  two.addPeer(3, three->address());
  ChannelReader reader(*three, 7, kRing);
  ChannelWriter writer(two, 3, 7, kPatience);
  verbena::Connections connections(*three, kRing);
  connections.listen(2);
  three.reset();
  std::span<const std::byte> message;
  EXPECT_EQ(thrownBy([&] { static_cast<void>(reader.peek(message, kPatience)); }),
            "the fabric of the reader was closed; nothing is left to do but to free");
  EXPECT_EQ(reader.lostBecause(), "its fabric was closed");
  EXPECT_NE(thrownBy([&] { connections.listen(1); }), "nothing");
  Outcome told = Outcome::done;  // until it is known that nobody reads
  while (told == Outcome::done) told = writer.push(bytes("any"), kPatience);
  EXPECT_EQ(told, Outcome::lost);
}

TEST_F(ChannelFace, ConnectsByAddress) {
  verbena::Connections here(two, kRing);
  verbena::Connections there(one, kRing);
  here.listen(2);
  EXPECT_FALSE(here.accept(0ns));
  std::optional<verbena::Connection> accepted;
  std::thread accepting([&] { accepted = here.accept(kPatience); });
  verbena::Connection made = there.connect(two.address(), kPatience);
  accepting.join();
  ASSERT_TRUE(accepted);
  ASSERT_EQ(made.writer.push(bytes("there")), Outcome::done);
  ASSERT_EQ(accepted->writer.push(bytes("back")), Outcome::done);
  std::span<const std::byte> message;
  ASSERT_EQ(accepted->reader.peek(message, kPatience), Outcome::done);
  EXPECT_EQ(text(message), "there");
  ASSERT_EQ(made.reader.peek(message, kPatience), Outcome::done);
  EXPECT_EQ(text(message), "back");
}

}  // namespace
