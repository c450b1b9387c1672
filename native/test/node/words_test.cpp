// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzer of words does at length, briefly and everywhere: what nodes tell each other, with
// bytes changed, cut and added; and again everything the fuzzer has kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "connect/packet.h"
#include "fabric/one_sided_link.h"
#include "fabric/queue_pair_end.h"
#include "fabric/region_key.h"
#include "fifo/ring.h"
#include "fifo/words.h"
#include "fuzz/words_fuzz.h"
#include "softnic/wire/handshake.h"
#include "streams/terms.h"

namespace verbena::node::testing {
namespace {

using Bytes = std::vector<uint8_t>;

/// Behind the number of what it is read as.
Bytes words(uint8_t kind, std::span<const std::byte> said) {
  Bytes bytes{kind};
  for (std::byte each : said) bytes.push_back(static_cast<uint8_t>(each));
  return bytes;
}

/// One of each that is as it should be.
std::vector<Bytes> goodWords() {
  fabric::RegionKey key{.access = 7,
                        .owner = 2,
                        .incarnation = 202,
                        .address = 0x7f00'0000'1000,
                        .length = fifo::RingHead::kBytes + 4096,
                        .rkey = 0x1234};
  fabric::QueuePairEnd end{};
  end.qpNum = 0x10002;
  end.mtu = IBV_MTU_4096;
  end.maxReadsServed = 16;
  std::vector<std::byte> oneSided(28);
  oneSided[0] = std::byte{2};  // version
  oneSided[2] = std::byte{32};
  connect::Packet packet;
  packet.kind = connect::PacketKind::offer;
  packet.source = 1;
  packet.destination = 2;
  packet.sourceIncarnation = packet.destinationIncarnation = packet.counter = 7;
  packet.dialler.fill(std::byte{1});
  packet.accepter.fill(std::byte{2});
  packet.link = {{2, 0}, 1, true};
  packet.end = end.with(oneSided);
  softnic::Challenge challenge{softnic::kChallengeMagic, 4711, {}, softnic::kHasKey, 0};
  softnic::Answer answer{softnic::kAnswerMagic, softnic::Verdict::Accepted, 0, 0, {}};
  Bytes handshake = words(4, std::as_bytes(std::span(&challenge, 1)));
  for (std::byte each : std::as_bytes(std::span(&answer, 1))) {
    handshake.push_back(static_cast<uint8_t>(each));
  }
  softnic::Hello hello{softnic::kHelloMagic, {1, 1, 0, {}}, {2, 2, 0, {}}, {}, softnic::kHasKey, 0};
  return {
      words(0, key.bytes()),
      words(1, end.with(oneSided).bytes()),
      words(1,
            end.with(streams::Terms{.window = 32, .maxSendBytes = 4096, .mostWindow = 64}.bytes())
                .bytes()),
      words(2, fifo::RingWords{5, key}.bytes()),
      words(3, connect::encode(packet, std::nullopt)),
      handshake,
      words(4, std::as_bytes(std::span(&hello, 1)))};
}

TEST(HostileWords, AreReadAsTheyAreOrNotAtAll) {
  std::mt19937 random(13);
  std::vector<Bytes> good = goodWords();
  for (int round = 0; round < 30'000; round++) {
    Bytes bytes = good[random() % good.size()];
    for (auto changes = random() % 4; changes > 0; changes--) {
      bytes[1 + random() % (bytes.size() - 1)] ^= static_cast<uint8_t>(1U << random() % 8);
    }
    if (random() % 8 == 0) bytes.resize(1 + random() % bytes.size());
    if (random() % 8 == 0) bytes.resize(bytes.size() + random() % 64);
    readAsWords(bytes.data(), bytes.size());
  }
}

TEST(HostileWords, CorpusDoesNoHarm) {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(VERBENA_FUZZ_CORPUS)) {
    SCOPED_TRACE(file.path());
    std::ifstream stream(file.path(), std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    readAsWords(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    files++;
  }
  EXPECT_GT(files, 0);
}

/// Else the test above shows nothing.
TEST(HostileWords, AreMadeOfGoodOnes) {
  std::vector<Bytes> good = goodWords();
  auto said = [&](size_t i) { return std::as_bytes(std::span(good[i])).subspan(1); };
  EXPECT_TRUE(fabric::RegionKey::of(said(0)).ok());
  EXPECT_TRUE(fabric::OneSidedLink::judged(2, connect::LinkEnd(said(1))).ok());
  EXPECT_TRUE(streams::Terms::of(2, fabric::QueuePairEnd::termsOf(connect::LinkEnd(said(2)))).ok());
  EXPECT_TRUE(fifo::RingWords::ofReader(said(3)).ok());
  EXPECT_EQ(connect::decode(said(4), std::nullopt).verdict, connect::Received::Verdict::good);
}

}  // namespace
}  // namespace verbena::node::testing
