// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzers do at length, briefly and everywhere; and again everything they have kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "fuzz/port_fuzz.h"
#include "fuzz/wire_fuzz.h"
#include "softnic/wire/ring.h"

namespace verbena::softnic::testing {
namespace {

using Read = void (*)(const uint8_t* bytes, size_t count);

void readCorpus(const char* name, Read read) {
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(VERBENA_FUZZ_CORPUS) / name)) {
    SCOPED_TRACE(file.path());
    std::ifstream stream(file.path(), std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    read(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    files++;
  }
  EXPECT_GT(files, 0);
}

std::vector<std::byte> randomPacket(std::mt19937& random) {
  PacketHeader header{};
  size_t rest = random() % 3 * 16 + random() % 300;
  header.sizeBytes = static_cast<uint32_t>(sizeof header + rest);
  header.kind = static_cast<PacketKind>(random() % 12);
  header.flags = static_cast<uint8_t>(random() % 64);
  std::vector<std::byte> bytes(padded(header.sizeBytes));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(HostileWire, DamagedBytesAreNeverReadBeyondTheirEnd) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; round++) {
    std::vector<std::byte> stream;
    for (int i = 0; i < 8; i++) {
      std::vector<std::byte> one = randomPacket(random);
      stream.insert(stream.end(), one.begin(), one.end());
    }
    for (auto i = random() % 6; i > 0; i--) {
      stream[random() % stream.size()] = static_cast<std::byte>(random());
    }
    readAsWire(reinterpret_cast<const uint8_t*>(stream.data()), stream.size());
  }
}

TEST(HostileWire, CorpusDoesNoHarm) {
  readCorpus("wire", readAsWire);
}

TEST(HostilePeer, TouchesNothingItHasNoRightTo) {
  std::mt19937 random(12);
  for (int round = 0; round < 2000; round++) {
    std::vector<uint8_t> steps(kStepBytes * 24);
    std::generate(steps.begin(), steps.end(), [&] { return static_cast<uint8_t>(random()); });
    playHostilePeer(steps.data(), steps.size());
  }
}

TEST(HostilePeer, CorpusDoesNoHarm) {
  readCorpus("port", playHostilePeer);
}

/// A SEND goes on in the buffer of the message before it when a WRITE has begun in its place.
TEST(HostilePeer, MayNotMixMessages) {
  constexpr uint8_t kReceive = 12;
  constexpr uint8_t kSend = 1;
  constexpr uint8_t kWrite = 2;
  constexpr uint8_t kFullLow = kFragmentBytes & 0xff;
  constexpr uint8_t kFullHigh = kFragmentBytes >> 8;
  constexpr uint8_t kLonger = kFullHigh + 1;
  const uint8_t steps[][kStepBytes] = {
      {kReceive, 0, 0, 0, 0, 0, 0, 0},
      {kSend, kFirst | kLast, 0, 0, 0, 8, 0, 0},
      {kWrite, kFirst, 0, 0, 0, kFullLow, kLonger, 0},
      {kSend, kLast, 0, 0, 0, 8, 0, 0},
  };
  playHostilePeer(&steps[0][0], sizeof steps);
}

}  // namespace
}  // namespace verbena::softnic::testing
