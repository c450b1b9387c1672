// SPDX-License-Identifier: Apache-2.0
//
// Vectors of FIPS 180-4 (as published with it) and RFC 4231.
#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "world.h"

namespace verbena::connect::testing {
namespace {

using base::Sha256;

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte each : bytes) {
    text += "0123456789abcdef"[std::to_integer<int>(each >> 4)];
    text += "0123456789abcdef"[std::to_integer<int>(each & std::byte{15})];
  }
  return text;
}

std::string hashOf(const std::string& text) {
  return hex(sha256(keyOf(text)));
}

std::vector<std::byte> repeated(int value, size_t count) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

std::string hmacOf(const std::vector<std::byte>& key, const std::vector<std::byte>& bytes) {
  return hex(Hmac(key).of(bytes));
}

TEST(Sha256, HashesThePublishedVectors) {
  EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hashOf(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsTheSameInPiecesOfAnySize) {
  std::string text(300, 'x');
  for (size_t first = 0; first <= text.size(); first++) {
    Sha256 hash;
    hash.add(keyOf(text.substr(0, first)));
    hash.add(keyOf(text.substr(first)));
    EXPECT_EQ(hex(hash.finish()), hashOf(text)) << first;
  }
}

TEST(Hmac, ComputesTheVectorsOfRfc4231) {
  EXPECT_EQ(hmacOf(repeated(0x0b, 20), keyOf("Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmacOf(keyOf("Jefe"), keyOf("what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmacOf(repeated(0xaa, 20), repeated(0xdd, 50)),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(
      hmacOf(repeated(0xaa, 131), keyOf("Test Using Larger Than Block-Size Key - Hash Key First")),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(
      hmacOf(repeated(0xaa, 131),
             keyOf("This is a test using a larger than block-size key and a larger than "
                   "block-size data. The key needs to be hashed before being used by the HMAC "
                   "algorithm.")),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(Hmac, ComparesWholeStrings) {
  std::vector<std::byte> one = repeated(7, 32);
  for (size_t i = 0; i < one.size(); i++) {
    std::vector<std::byte> other = one;
    EXPECT_TRUE(equalInConstantTime(one, other));
    other[i] ^= std::byte{1};
    EXPECT_FALSE(equalInConstantTime(one, other)) << i;
  }
  EXPECT_FALSE(equalInConstantTime(one, repeated(7, 31)));
}

}  // namespace
}  // namespace verbena::connect::testing
