// SPDX-License-Identifier: Apache-2.0
#include "fifo/words.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/wire.h"
#include "fabric/link_user.h"
#include "fifo/ring.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;
using fabric::RegionKey;

/// Little-endian: version, 2 zeros, turn, name, key.
constexpr uint16_t kVersion = 1;
constexpr size_t kTurnAt = 4;
constexpr size_t kNameAt = 8;
constexpr size_t kKeyAt = 16;
constexpr size_t kBytes = kKeyAt + RegionKey::kBytes;
static_assert(kBytes <= fabric::LinkUser::kMostWords);

Error refused(const std::string& why) {
  return {"link a channel", "", EPROTO, why};
}

}  // namespace

std::vector<std::byte> RingWords::ofWriter() {
  std::vector<std::byte> words(kNameAt);
  base::putLittle(words, 0, kVersion);
  return words;
}

std::vector<std::byte> RingWords::bytes() const {
  std::vector<std::byte> words = ofWriter();
  words.resize(kBytes);
  base::putLittle(words, kTurnAt, turn);
  base::putLittle(words, kNameAt, name);
  std::ranges::copy(key.bytes(), words.begin() + kKeyAt);
  return words;
}

uint64_t RingWords::capacity() const {
  return key.length - RingHead::kBytes;
}

Result<void> RingWords::checkVersion(std::span<const std::byte> words) {
  if (words.size() < kNameAt || base::getLittle<uint16_t>(words, 0) != kVersion) {
    return refused("the other side does not speak version " + std::to_string(kVersion) +
                   " of channels");
  }
  return {};
}

Result<RingWords> RingWords::ofReader(std::span<const std::byte> words) {
  if (auto good = checkVersion(words); !good) return good.error();
  if (words.size() != kBytes) return refused("the reader's words are cut");
  Result<RegionKey> key = RegionKey::of(words.subspan(kKeyAt));
  if (!key) return key.error();
  RingWords said{base::getLittle<uint64_t>(words, kNameAt), *key,
                 base::getLittle<uint32_t>(words, kTurnAt)};
  if (key->length < RingHead::kBytes || !isCapacity(said.capacity())) {
    return refused("the reader's ring has " + std::to_string(key->length) + " bytes");
  }
  return said;
}

}  // namespace verbena::fifo
