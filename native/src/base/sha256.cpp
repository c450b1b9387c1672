// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <algorithm>
#include <bit>

namespace verbena::base {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kLengthBytes = 8;

// FIPS 180-4, 4.2.2.
constexpr std::array<uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t bigEndian(const std::byte* bytes) {
  uint32_t word = 0;
  for (int i = 0; i < 4; i++) word = word << 8 | std::to_integer<uint32_t>(bytes[i]);
  return word;
}

void putBigEndian(std::byte* into, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) into[i] = static_cast<std::byte>(value >> 8 * (bytes - 1 - i));
}

uint32_t spread(uint32_t word, int a, int b, int c) {
  return std::rotr(word, a) ^ std::rotr(word, b) ^ std::rotr(word, c);
}

// FIPS 180-4, 6.2.2, step 1.
std::array<uint32_t, 64> schedule(const std::byte* block) {
  std::array<uint32_t, 64> words;
  for (size_t t = 0; t < 16; t++) words[t] = bigEndian(block + 4 * t);
  for (size_t t = 16; t < 64; t++) {
    uint32_t early = words[t - 15];
    uint32_t late = words[t - 2];
    words[t] = words[t - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) +
               words[t - 7] + (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
  }
  return words;
}

Sha256 padded(std::span<const std::byte> key, std::byte pad) {
  std::array<std::byte, kBlockBytes> block;
  block.fill(pad);
  for (size_t i = 0; i < key.size(); i++) block[i] ^= key[i];
  Sha256 hash;
  hash.add(block);
  return hash;
}

}  // namespace

// FIPS 180-4, 6.2.2, steps 2 to 4; s is the standard's a to h.
void Sha256::block(const std::byte* bytes) {
  std::array<uint32_t, 64> words = schedule(bytes);
  std::array<uint32_t, 8> s = state_;
  for (size_t t = 0; t < 64; t++) {
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    uint32_t first = s[7] + spread(s[4], 6, 11, 25) + choice + kRound[t] + words[t];
    uint32_t second = spread(s[0], 2, 13, 22) + majority;
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (size_t i = 0; i < s.size(); i++) state_[i] += s[i];
}

void Sha256::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    size_t used = addedBytes_ % kBlockBytes;
    size_t taken = std::min(bytes.size(), kBlockBytes - used);
    std::copy_n(bytes.data(), taken, pending_.data() + used);
    addedBytes_ += taken;
    bytes = bytes.subspan(taken);
    if (used + taken == kBlockBytes) block(pending_.data());
  }
}

Digest Sha256::finish() {
  uint64_t bits = addedBytes_ * 8;
  constexpr std::array<std::byte, kBlockBytes> kPadding{std::byte{0x80}};
  size_t used = addedBytes_ % kBlockBytes;
  size_t upTo = used < kBlockBytes - kLengthBytes ? kBlockBytes : 2 * kBlockBytes;
  add(std::span(kPadding).first(upTo - kLengthBytes - used));
  std::array<std::byte, kLengthBytes> length;
  putBigEndian(length.data(), bits, kLengthBytes);
  add(length);
  Digest digest;
  for (size_t i = 0; i < state_.size(); i++) putBigEndian(digest.data() + 4 * i, state_[i], 4);
  return digest;
}

Digest sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

Hmac::Hmac(std::span<const std::byte> key) {
  Digest shortened{};
  if (key.size() > kBlockBytes) {
    shortened = sha256(key);
    key = shortened;
  }
  inner_ = padded(key, std::byte{0x36});
  outer_ = padded(key, std::byte{0x5c});
}

Digest Hmac::of(std::span<const std::byte> bytes) const {
  Sha256 inner = inner_;
  inner.add(bytes);
  Digest digest = inner.finish();
  Sha256 outer = outer_;
  outer.add(digest);
  return outer.finish();
}

bool equalInConstantTime(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size()) return false;
  std::byte difference{0};
  for (size_t i = 0; i < a.size(); i++) difference |= a[i] ^ b[i];
  return difference == std::byte{0};
}

}  // namespace verbena::base
