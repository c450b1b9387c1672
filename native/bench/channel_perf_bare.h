// SPDX-License-Identifier: Apache-2.0
//
// What channels are measured against: the least that moves messages, or answers a word, between two
// processes which share memory. Both sides spin and check nothing of each other.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace verbena::bench {

/// Writes every byte of a message, whose number it has.
inline void fill(std::span<std::byte> message, uint64_t number) {
  std::memset(message.data(), static_cast<int>(number & 0xFF), message.size());
  std::memcpy(message.data(), &number, sizeof number);
}

/// Reads every byte of it.
inline void check(std::span<const std::byte> message, uint64_t number) {
  uint64_t said = 0;
  std::memcpy(&said, message.data(), sizeof said);
  uint64_t wrong = said ^ number;
  size_t at = sizeof said;
  uint64_t pattern = (number & 0xFF) * 0x0101010101010101;
  for (; at + sizeof(uint64_t) <= message.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, message.data() + at, sizeof word);
    wrong |= word ^ pattern;
  }
  for (; at < message.size(); at++) wrong |= static_cast<uint8_t>(message[at]) ^ (number & 0xFF);
  if (wrong == 0) return;
  std::fputs("vbn-channel-perf: a message is not what was sent\n", stderr);
  std::exit(1);
}

/// Two words in lines of their own: one side asks, the other one answers.
struct BareWords {
  void trip(bool asks) {
    auto& own = asks ? asked : answered;
    auto& far = asks ? answered : asked;
    uint64_t next = own.load(std::memory_order_relaxed) + 1;
    if (asks) own.store(next, std::memory_order_release);
    while (far.load(std::memory_order_acquire) < next) continue;
    if (!asks) own.store(next, std::memory_order_release);
  }

  alignas(64) std::atomic<uint64_t> asked;
  alignas(64) std::atomic<uint64_t> answered;
};

/// Messages of one size, which divides the capacity, in a row, and two positions. Each side
/// remembers the other's.
struct BareRing {
  static constexpr uint64_t kCapacity = 1 << 20;

  void send(uint64_t bytes, uint64_t number) {
    uint64_t at = published.load(std::memory_order_relaxed);
    while (at + bytes - releasedSeen > kCapacity) {
      releasedSeen = released.load(std::memory_order_acquire);
    }
    fill({data.data() + at % kCapacity, bytes}, number);
    published.store(at + bytes, std::memory_order_release);
  }
  void receive(uint64_t bytes, uint64_t number) {
    uint64_t at = released.load(std::memory_order_relaxed);
    while (publishedSeen == at) publishedSeen = published.load(std::memory_order_acquire);
    check({data.data() + at % kCapacity, bytes}, number);
    released.store(at + bytes, std::memory_order_release);
  }

  alignas(64) std::atomic<uint64_t> published;
  uint64_t releasedSeen;
  alignas(64) std::atomic<uint64_t> released;
  uint64_t publishedSeen;
  alignas(4096) std::array<std::byte, kCapacity> data;
};

}  // namespace verbena::bench
