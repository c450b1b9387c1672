// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/packet.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "softnic/wire/ring.h"

namespace verbena::softnic::testing {
namespace {

std::vector<std::byte> packetOf(PacketKind kind, unsigned flags, size_t extension, size_t payload) {
  PacketHeader header{};
  header.sizeBytes = static_cast<uint32_t>(sizeof header + extension + payload);
  header.kind = kind;
  header.flags = static_cast<uint8_t>(flags);
  header.destQpn = 17;
  header.srcQpn = 18;
  header.psn = 19;
  std::vector<std::byte> bytes(header.sizeBytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::optional<Packet> parsed(std::span<const std::byte> bytes) {
  Packet packet;
  return parsePacket(bytes, packet) ? std::optional(packet) : std::nullopt;
}

TEST(Packet, IsTakenApartAsItWasPutTogether) {
  std::optional<Packet> send = parsed(packetOf(PacketKind::Send, kFirst | kLast, 0, 5));
  ASSERT_TRUE(send);
  EXPECT_EQ(send->payload.size(), 5U);
  EXPECT_EQ(send->header.psn, 19U);
  EXPECT_TRUE(parsed(packetOf(PacketKind::ReadRequest, kFirst | kLast, 16, 0)));
  EXPECT_TRUE(parsed(packetOf(PacketKind::Atomic, kFirst | kLast, 32, 0)));
  EXPECT_TRUE(parsed(packetOf(PacketKind::Datagram, kFirst | kLast, 48, 4096)));
}

TEST(Packet, IsRefusedWhenItsSizesDoNotAgree) {
  std::vector<std::byte> tooLong = packetOf(PacketKind::Send, kFirst | kLast, 0, 5);
  tooLong.pop_back();
  EXPECT_FALSE(parsed(tooLong)) << "longer than its bytes";
  EXPECT_FALSE(parsed(packetOf(PacketKind::Send, kFirst, 0, 5))) << "short, and not the last";
  EXPECT_FALSE(parsed(packetOf(PacketKind::Send, kLast, 0, kFragmentBytes + 1)));
  EXPECT_FALSE(parsed(packetOf(PacketKind::Send, kPlaced, 0, kFragmentBytes + 1)))
      << "only a WRITE can be in place already";
  EXPECT_FALSE(parsed(packetOf(PacketKind::ReadRequest, kFirst, 15, 0)));
  EXPECT_FALSE(parsed(packetOf(PacketKind::ReadRequest, kFirst, 17, 0)));
  EXPECT_FALSE(parsed(packetOf(PacketKind::Write, kFirst | kLast, 16, 1)))
      << "more payload than the message is long";
  EXPECT_FALSE(parsed(packetOf(PacketKind::Datagram, 0, 48, 4097)));
  EXPECT_FALSE(parsed(packetOf(PacketKind::Ack, 0, 0, 1)));
  EXPECT_FALSE(parsed(packetOf(static_cast<PacketKind>(11), 0, 0, 0)));
}

TEST(Packet, NumbersHave24Bits) {
  std::vector<std::byte> bytes = packetOf(PacketKind::Ack, 0, 0, 0);
  bytes[offsetof(PacketHeader, psn) + 3] = std::byte{1};
  EXPECT_FALSE(parsed(bytes));
  EXPECT_EQ(psnDistance(3, kPsnMask), 4);
  EXPECT_EQ(psnDistance(kPsnMask, 3), -4);
}

TEST(Ring, KeepsTheLengthOfEverythingAcrossManyLaps) {
  auto memory = std::make_unique<RingMemory>();
  RingWriter writer(memory.get());
  RingReader reader(memory.get());
  std::mt19937 random(7);
  for (int i = 0; i < 20000; i++) {
    auto bytes = static_cast<uint32_t>(random() % 2000);
    std::vector<std::byte> packet = packetOf(PacketKind::Send, kFirst | kLast, 0, bytes);
    std::byte* place = writer.reserve(static_cast<uint32_t>(packet.size()), kControlReserveBytes);
    ASSERT_NE(place, nullptr);
    std::memcpy(place, packet.data(), packet.size());
    writer.commit(static_cast<uint32_t>(packet.size()));
    ASSERT_TRUE(writer.publish());
    Packet got{};
    ASSERT_EQ(reader.next(got), RingReader::State::Packet);
    ASSERT_EQ(got.payload.size(), bytes);
    reader.consume(got);
    reader.release();
  }
}

TEST(Ring, IsFullAndEmptyAgain) {
  auto memory = std::make_unique<RingMemory>();
  RingWriter writer(memory.get());
  RingReader reader(memory.get());
  std::vector<std::byte> packet = packetOf(PacketKind::Send, kFirst | kLast, 0, 1000);
  int written = 0;
  while (std::byte* place = writer.reserve(1024, kControlReserveBytes)) {
    std::memcpy(place, packet.data(), packet.size());
    writer.commit(1024);
    written++;
  }
  EXPECT_EQ(written, (kRingCapacityBytes - kControlReserveBytes) / 1024);
  EXPECT_NE(writer.reserve(24, 0), nullptr) << "acknowledgements still fit";
  writer.publish();
  EXPECT_TRUE(writer.unread());
  Packet got{};
  while (reader.next(got) == RingReader::State::Packet) reader.consume(got);
  reader.release();
  EXPECT_FALSE(writer.unread());
  EXPECT_NE(writer.reserve(1024, kControlReserveBytes), nullptr);
}

/// A ring in a file, as links over shared memory have it.
class GrowingRing : public ::testing::Test {
 protected:
  GrowingRing() {
    std::string path = "/tmp/growing-ring-" + std::to_string(getpid());
    file_ = host::SharedFile::create(path, sizeof(RingMemory), false);
    unlink(path.c_str());
    writer_ = RingWriter(file_);
    reader_ = RingReader(file_.as<RingMemory>(), RingPlaces::first());
  }

  bool write(uint32_t payloadBytes, uint32_t number) {
    std::vector<std::byte> packet = packetOf(PacketKind::Send, kFirst | kLast, 0, payloadBytes);
    std::memcpy(packet.data() + offsetof(PacketHeader, immediate), &number, sizeof number);
    auto bytes = static_cast<uint32_t>(packet.size());
    std::byte* place = writer_.reserve(bytes, kControlReserveBytes);
    if (place == nullptr) return false;
    std::memcpy(place, packet.data(), bytes);
    writer_.commit(bytes);
    writer_.publish();
    return true;
  }
  /// The number of the next packet.
  std::optional<uint32_t> read() {
    Packet got{};
    RingReader::State state = reader_.next(got);
    EXPECT_NE(state, RingReader::State::Broken);
    if (state != RingReader::State::Packet) return std::nullopt;
    uint32_t number = got.header.immediate;
    reader_.consume(got);
    reader_.release();
    return number;
  }

  host::SharedFile file_;
  RingWriter writer_;
  RingReader reader_;
};

TEST_F(GrowingRing, StaysInItsFirstPartWhileThatIsRead) {
  for (uint32_t i = 0; i < 1'000; i++) {
    ASSERT_TRUE(write(1000, i));
    ASSERT_EQ(read(), i);
  }
  for (uint32_t at = kFirstRingBytes; at < kRingCapacityBytes; at++) {
    ASSERT_EQ(file_.as<RingMemory>()->data[at], std::byte{0}) << at;
  }
}

TEST_F(GrowingRing, GoesOnBehindItsFirstPartWhenThatIsFull) {
  std::mt19937 random(11);
  auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  uint32_t written = 0, seen = 0;
  for (int i = 0; i < 5; i++, seen++) {
    ASSERT_TRUE(write(5'000, written++));
    ASSERT_EQ(read(), seen);
  }
  while (write(below(5'000), written)) written++;
  EXPECT_GT(written, (kRingCapacityBytes - kControlReserveBytes) / 5'000);
  EXPECT_FALSE(write(5'000, written)) << "it is full, and grows once";
  // Full again and again: nothing is overwritten that is not read.
  for (int lap = 0; lap < 5'000; lap++) {
    for (uint32_t some = below(30); some > 0 && seen < written; some--, seen++) {
      ASSERT_EQ(read(), seen);
    }
    while (write(below(5'000), written)) written++;
  }
  for (; seen < written; seen++) ASSERT_EQ(read(), seen);
  EXPECT_EQ(read(), std::nullopt);
}

TEST_F(GrowingRing, APacketThatHasNoPlaceInTheFirstPartMakesItGrow) {
  ASSERT_TRUE(write(kFragmentBytes, 0));
  ASSERT_TRUE(write(kFragmentBytes, 1));
  EXPECT_EQ(read(), 0U);
  EXPECT_EQ(read(), 1U);
}

TEST(Ring, GrowsOnceAlone) {
  auto memory = std::make_unique<RingMemory>();
  uint32_t words[2] = {kPacketAlignment, static_cast<uint32_t>(PacketKind::Growth)};
  std::memcpy(memory->data, words, sizeof words);
  std::memcpy(memory->data + kFirstRingBytes, words, sizeof words);
  memory->tail.store(2 * kPacketAlignment);
  Packet got{};
  RingReader reader(memory.get(), RingPlaces::first());
  EXPECT_EQ(reader.next(got), RingReader::State::Broken) << "the second is none";
  EXPECT_EQ(RingReader(memory.get()).next(got), RingReader::State::Broken) << "over TCP none is";
}

/// Skipping padding costs the reader time while it holds its lock, so there is little of it to
/// skip: what its end needs in each lap.
TEST(Ring, PaddingElsewhereThanAtTheEndIsNoPadding) {
  for (uint32_t pad : {kPacketAlignment, kRingCapacityBytes}) {
    auto memory = std::make_unique<RingMemory>();
    uint32_t words[2] = {pad, static_cast<uint32_t>(PacketKind::Pad)};
    for (uint32_t at = 0; at < kRingCapacityBytes; at += pad) {
      std::memcpy(memory->data + at, words, sizeof words);
    }
    memory->tail.store(kRingCapacityBytes);
    Packet got{};
    EXPECT_EQ(RingReader(memory.get()).next(got), RingReader::State::Broken) << pad;
  }
}

}  // namespace
}  // namespace verbena::softnic::testing
