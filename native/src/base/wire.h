// SPDX-License-Identifier: Apache-2.0
//
// Integers in packets: little-endian, at any offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace verbena::base {

template <typename T>
void putLittle(std::span<std::byte> into, size_t at, T value) {
  for (size_t i = 0; i < sizeof(T); i++) {
    into[at + i] = static_cast<std::byte>(static_cast<uint64_t>(value) >> 8 * i);
  }
}

template <typename T>
T getLittle(std::span<const std::byte> from, size_t at) {
  uint64_t value = 0;
  for (size_t i = sizeof(T); i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(from[at + i]);
  return static_cast<T>(value);
}

}  // namespace verbena::base
