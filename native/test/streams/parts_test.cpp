// SPDX-License-Identifier: Apache-2.0
//
// The small parts of streams.
#include "sides.h"
#include "streams/control_stream.h"
#include "streams/slice.h"
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

}  // namespace
}  // namespace verbena::streams::testing
