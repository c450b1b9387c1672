// SPDX-License-Identifier: Apache-2.0
//
// Copies into memory that others look at meanwhile, as programs do with memory that an adapter
// writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace verbena::base {

template <typename Word>
bool copiedAsWord(std::byte* to, const std::byte* from, size_t bytes) {
  auto isAligned = [](const std::byte* at) {
    return reinterpret_cast<uintptr_t>(at) % sizeof(Word) == 0;
  };
  if (bytes != sizeof(Word) || !isAligned(to)) return false;
  Word word;
  if (isAligned(from)) {
    auto* source = reinterpret_cast<Word*>(const_cast<std::byte*>(from));
    word = std::atomic_ref(*source).load(std::memory_order_acquire);
  } else {
    std::memcpy(&word, from, sizeof word);
  }
  std::atomic_ref(*reinterpret_cast<Word*>(to)).store(word, std::memory_order_release);
  return true;
}

/// A word of 8 bytes or fewer at its place is copied as a whole: nobody who looks sees half of it.
/// release and acquire: so it is seen behind what was copied before.
inline void copyWhole(std::byte* to, const std::byte* from, size_t bytes) {
  bool isWord = copiedAsWord<uint64_t>(to, from, bytes) ||
                copiedAsWord<uint32_t>(to, from, bytes) ||
                copiedAsWord<uint16_t>(to, from, bytes) || copiedAsWord<uint8_t>(to, from, bytes);
  if (!isWord) std::memcpy(to, from, bytes);
}

}  // namespace verbena::base
