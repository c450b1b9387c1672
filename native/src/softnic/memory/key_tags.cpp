// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/key_tags.h"

#include <array>
#include <cstring>
#include <span>

#include "base/random_number.h"
#include "softnic/memory/port_memory.h"

namespace verbena::softnic {
namespace {

constexpr uint32_t kHalfBits = kKeyTagBits / 2;
constexpr uint32_t kHalf = (1U << kHalfBits) - 1;
constexpr uint32_t kRounds = 4;
static_assert(kKeyTagBits % 2 == 0 && kHalfBits <= 16);

base::Hmac randomKey() {
  std::array<uint64_t, 4> key{};
  for (uint64_t& each : key) each = base::randomNumber();
  return base::Hmac(std::as_bytes(std::span(key)));
}

}  // namespace

KeyTags::KeyTags() : secret_(randomKey()) {}

/// A Feistel network over the two halves of the use: a permutation, whatever the rounds compute.
uint32_t KeyTags::of(uint32_t index, uint32_t use) const {
  uint32_t left = use >> kHalfBits & kHalf;
  uint32_t right = use & kHalf;
  for (uint32_t round = 0; round < kRounds; round++) {
    std::array<uint32_t, 3> input{index, round, right};
    base::Digest digest = secret_.of(std::as_bytes(std::span(input)));
    uint16_t mixed = 0;
    std::memcpy(&mixed, digest.data(), sizeof mixed);
    uint32_t next = left ^ (mixed & kHalf);
    left = right;
    right = next;
  }
  return left << kHalfBits | right;
}

}  // namespace verbena::softnic
