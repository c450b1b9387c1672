// SPDX-License-Identifier: Apache-2.0
//
// The small parts of streams.
#include "sides.h"
#include "streams/control_stream.h"
#include "streams/slice.h"

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
  EXPECT_FALSE(Immediate::fromWire(wire).waits);
  uint32_t waiting = Immediate{0x0102, 0xffff, true}.toWire();
  const uint8_t full[4] = {1, 2, 0xff, 0xff};
  EXPECT_EQ(std::memcmp(&waiting, full, 4), 0);
  EXPECT_TRUE(Immediate::fromWire(waiting).waits);
  EXPECT_EQ(Immediate::fromWire(waiting).givenBack, 0x7fff) << "modulo 2^15";
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
