// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include <algorithm>

#include "base/wire.h"

namespace verbena::ip {
namespace {

constexpr uint32_t kHello = 0x8000'0001;
constexpr uint32_t kReadFrom = 0x8000'0002;
constexpr size_t kHelloBytes = 20;
constexpr size_t kReadFromBytes = 8;

bool isWord(std::span<const std::byte> message, uint32_t number, size_t bytes) {
  return message.size() == bytes && base::getLittle<uint32_t>(message, 0) == number;
}

}  // namespace

std::vector<std::byte> Hello::bytes() const {
  std::vector<std::byte> word(kHelloBytes);
  base::putLittle(word, 0, kHello);
  base::putLittle(word, 4, version);
  base::putLittle<uint16_t>(word, 6, takesUdpSuperFrames ? 1 : 0);
  base::putLittle(word, 8, mtu);
  std::ranges::transform(mac, word.begin() + 12, [](uint8_t each) { return std::byte{each}; });
  return word;
}

std::optional<Hello> helloIn(std::span<const std::byte> message) {
  if (!isWord(message, kHello, kHelloBytes)) return std::nullopt;
  Hello hello{.version = base::getLittle<uint16_t>(message, 4),
              .takesUdpSuperFrames = (base::getLittle<uint16_t>(message, 6) & 1) != 0,
              .mtu = base::getLittle<uint32_t>(message, 8)};
  for (size_t i = 0; i < hello.mac.size(); i++) {
    hello.mac[i] = std::to_integer<uint8_t>(message[12 + i]);
  }
  return hello;
}

std::vector<std::byte> ReadFrom::bytes() const {
  std::vector<std::byte> word(kReadFromBytes);
  base::putLittle(word, 0, kReadFrom);
  base::putLittle(word, 4, queue);
  return word;
}

std::optional<ReadFrom> readFromIn(std::span<const std::byte> message) {
  if (!isWord(message, kReadFrom, kReadFromBytes)) return std::nullopt;
  return ReadFrom{.queue = base::getLittle<uint16_t>(message, 4)};
}

}  // namespace verbena::ip
