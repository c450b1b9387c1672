// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "sides.h"

namespace verbena::streams::testing {
namespace {

class Streams : public Pair {};

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST_F(Streams, CarryBytesBothWays) {
  open();
  Writer there(left().engine(), kId, 1, 4096);
  Writer back(right().engine(), kId, 1, 4096);
  there.write(100);
  there.pump();
  back.write(3000);
  back.pump();
  EXPECT_TRUE(until([&] {
    return right().arrived(kId, 1) == 100 && left().arrived(kId, 1) == 3000;
  })) << right().arrived(kId, 1)
      << " and " << left().arrived(kId, 1);
  EXPECT_EQ(left().wrong() + right().wrong(), 0U);
  EXPECT_EQ(left().failures() + right().failures(), 0);
  closeBoth();
}

TEST_F(Streams, AreWholeAfterManyWrapsOfSizesByChance) {
  open();
  constexpr uint64_t kTotal = 2'000'000;
  constexpr uint32_t kStreams = 3;
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 chance(seed);
  Side* sides[] = {&left(), &right()};
  std::vector<std::unique_ptr<Writer>> writers;  // left's, then right's
  for (Side* side : sides) {
    for (uint32_t stream = 1; stream <= kStreams; stream++) {
      writers.push_back(std::make_unique<Writer>(side->engine(), kId, stream, 1024U << stream));
    }
  }
  auto finished = [&] {
    bool all = true;
    for (size_t i = 0; i < writers.size(); i++) {
      auto stream = static_cast<uint32_t>(i % kStreams + 1);
      uint64_t arrived = sides[1 - i / kStreams]->arrived(kId, stream);
      writers[i]->consumed(arrived);
      if (chance() % 2 == 0 && writers[i]->written() < kTotal) {
        writers[i]->write(std::min<uint64_t>(chance() % 3000, kTotal - writers[i]->written()));
      }
      if (chance() % 4 == 0) writers[i]->pump();
      if (arrived != kTotal) all = false;
    }
    left().engine().interest(kId);
    right().engine().interest(kId);
    return all;
  };
  EXPECT_TRUE(until(finished));
  EXPECT_EQ(left().wrong() + right().wrong(), 0U);
  EXPECT_EQ(left().failures() + right().failures(), 0) << left().failureOf(kId);
  writers.clear();
  closeBoth();
}

TEST_F(Streams, BeginWhereTheyAreToldTo) {
  open();
  constexpr uint64_t kFrom = (1ULL << 40) + 4095;
  right().expectFrom(kId, 5, kFrom);
  Writer writer(left().engine(), kId, 5, 4096, kFrom);
  writer.write(2000);
  writer.pump();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 5) == kFrom + 2000; }));
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Streams, AreSentInSlicesThatTheFarSideTakes) {
  EngineOptions far = small(2);
  far.bufferBytes = 512;
  far.buffersPerReceive = 1;
  open(small(1), far);
  Writer writer(left().engine(), kId, 1, 8192);
  writer.write(5000);
  writer.pump();
  EXPECT_TRUE(until([&] { return right().arrived(kId, 1) == 5000; }));
  EXPECT_EQ(right().arrivals(), 11U) << "slices of 496 bytes";
  EXPECT_EQ(right().wrong(), 0U);
}

TEST_F(Streams, TheControlStreamTakesWhatFitsAndIsFreedByConfirmation) {
  open();
  std::string text;
  for (int i = 0; i < 400; i++) text += std::to_string(i) + ' ';
  size_t done = 0;
  EXPECT_EQ(left().engine().writeControl(kId, bytesOf(text)), 256U);
  done = 256;
  EXPECT_EQ(left().engine().writeControl(kId, bytesOf(text)), 0U) << "the ring is full";
  EXPECT_TRUE(until([&] {
    left().engine().pump(kId);
    done += left().engine().writeControl(kId, bytesOf(text).subspan(done));
    return right().control(kId).size() == text.size();
  }));
  EXPECT_EQ(right().control(kId), text);
}

TEST_F(Streams, OpenOnceAndWithinTheirRing) {
  open();
  Writer writer(left().engine(), kId, 1, 4096);
  std::shared_ptr<Ring> ring = must(left().engine().allocateRing(4096));
  PublishedPosition source;
  Engine& engine = left().engine();
  EXPECT_FALSE(engine.openStream(kId, 1, ring, 0, 4096, source, 0)) << "it is open";
  EXPECT_FALSE(engine.openStream(kId, kControlStream, ring, 0, 4096, source, 0));
  EXPECT_FALSE(engine.openStream(kId, 2, ring, 0, 3000, source, 0)) << "no power of two";
  EXPECT_FALSE(engine.openStream(kId, 2, ring, 2048, 4096, source, 0)) << "beyond the ring";
  EXPECT_FALSE(engine.openStream(kId + 1, 2, ring, 0, 4096, source, 0)) << "no such connection";
  EXPECT_TRUE(engine.openStream(kId, 2, ring, 2048, 2048, source, 0));
  engine.closeStream(kId, 2);
  EXPECT_TRUE(engine.openStream(kId, 2, ring, 2048, 2048, source, 0)) << "again";
  engine.closeStream(kId, 2);
}

TEST_F(Streams, AClosedOneKeepsItsRingUntilNoSendUsesIt) {
  open();
  std::shared_ptr<Ring> ring = must(left().engine().allocateRing(4096));
  PublishedPosition source;
  must(left().engine().openStream(kId, 1, ring, 0, 4096, source, 0));
  std::weak_ptr<Ring> watched = ring;
  source.publish(100);
  left().engine().pump(kId);  // one send, which is not to report its completion
  left().engine().closeStream(kId, 1);
  ring.reset();
  EXPECT_FALSE(watched.expired()) << "freed under a send";
  EXPECT_TRUE(until([&] { return watched.expired(); })) << "never freed";
}

TEST_F(Streams, AClosedOneThatNoSendUsesGivesItsRingBackAtOnce) {
  open();
  std::shared_ptr<Ring> ring = must(left().engine().allocateRing(4096));
  PublishedPosition source;
  must(left().engine().openStream(kId, 1, ring, 0, 4096, source, 0));
  std::weak_ptr<Ring> watched = ring;
  ring.reset();
  left().engine().closeStream(kId, 1);
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace verbena::streams::testing
