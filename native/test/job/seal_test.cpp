// SPDX-License-Identifier: Apache-2.0
#include "job/seal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace verbena::job {
namespace {

using Bytes = std::vector<std::byte>;

Bytes asBytes(const std::string& text) {
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

class Seals : public ::testing::Test {
 protected:
  static constexpr base::Digest kOne{std::byte{1}};
  static constexpr base::Digest kTwo{std::byte{2}};

  Bytes closed(const Bytes& bytes) {
    Bytes wire;
    here_.close(bytes, wire);
    return wire;
  }
  /// What the far side reads; nothing if it is not believed.
  std::optional<Bytes> opened(Bytes wire) {
    Bytes bytes;
    bool good = there_.open(wire, bytes);
    return good ? std::optional(bytes) : std::nullopt;
  }

  Seal here_{kOne, kTwo};
  Seal there_{kTwo, kOne};
};

TEST_F(Seals, OpenToWhatWasClosed) {
  for (size_t size : {1U, 5U, 65'536U, 65'537U, 200'000U}) {
    Bytes bytes(size, std::byte{7});
    EXPECT_EQ(opened(closed(bytes)), bytes) << size;
  }
  EXPECT_EQ(closed({}), Bytes{});
}

TEST_F(Seals, OpenWhatComesInPieces) {
  Bytes wire = closed(asBytes("in pieces"));
  Bytes come;
  Bytes bytes;
  for (std::byte each : wire) {
    EXPECT_EQ(bytes, Bytes{});
    come.push_back(each);
    ASSERT_TRUE(there_.open(come, bytes));
  }
  EXPECT_EQ(bytes, asBytes("in pieces"));
  EXPECT_EQ(come, Bytes{});
}

TEST_F(Seals, BreakWithAnyBitThatWasChanged) {
  Bytes wire = closed(asBytes("text"));
  for (size_t bit = 0; bit < 8 * wire.size(); bit++) {
    Seal there{kTwo, kOne};
    Bytes changed = wire;
    changed[bit / 8] ^= std::byte{1} << bit % 8;
    Bytes bytes;
    // A length that is longer now waits for more, which is not believed either.
    bool believed = there.open(changed, bytes);
    changed.resize(100'000);
    EXPECT_FALSE(believed && there.open(changed, bytes)) << bit;
    EXPECT_EQ(bytes, Bytes{}) << bit;
  }
}

TEST_F(Seals, BreakWhereRecordsAreRepeatedLeftOutOrOfTheOtherDirection) {
  Bytes first = closed(asBytes("first"));
  Bytes second = closed(asBytes("second"));
  EXPECT_EQ(opened(second), std::nullopt);
  Seal there{kTwo, kOne};
  Bytes twice = first;
  twice.insert(twice.end(), first.begin(), first.end());
  Bytes bytes;
  EXPECT_FALSE(there.open(twice, bytes));
  Seal back{kOne, kTwo};
  Bytes own = first;
  EXPECT_FALSE(back.open(own, bytes));
}

}  // namespace
}  // namespace verbena::job
