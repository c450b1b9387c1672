// SPDX-License-Identifier: Apache-2.0
//
// A ring of packets with one writing and one reading process.
//
// Positions count bytes for ever and are masked on access. The writer owns `tail`, the reader owns
// `head`; each keeps a copy of the other's and looks again only when the copy says "full" or
// "empty". A packet lies in one piece: where the end of the ring is too near, a Pad fills it. What
// a killed writer had not published does not exist.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "softnic/wire/packet.h"

#if defined(__SANITIZE_THREAD__)
#define VERBENA_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VERBENA_THREAD_SANITIZER
#endif
#endif

#if defined(VERBENA_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace verbena::softnic {

/// ThreadSanitizer knows memory by its address, and two ports of one process map the same ring at
/// two addresses: these tell it that what is published in one is seen through the other. Nothing
/// without it.
#if defined(VERBENA_THREAD_SANITIZER)
inline char sanitizerKey;
#endif
inline void tellSanitizerPublished() {
#if defined(VERBENA_THREAD_SANITIZER)
  __tsan_release(&sanitizerKey);
#endif
}
inline void tellSanitizerSeen() {
#if defined(VERBENA_THREAD_SANITIZER)
  __tsan_acquire(&sanitizerKey);
#endif
}

inline constexpr uint64_t kRingMagic = 0x3147'4e49'5242'4e56;  // "VNBRING1"
inline constexpr uint32_t kRingCapacityBytes = 256 * 1024;
/// Left free by data packets, so that acknowledgements always find room in a ring full of data.
inline constexpr uint32_t kControlReserveBytes = 8 * 1024;
static_assert(kRingCapacityBytes >= 4 * kMaxPacketBytes + kControlReserveBytes);

/// What both sides see, followed by kRingCapacityBytes of packets. Zeroed memory is an empty ring.
struct RingMemory {
  uint64_t magic;
  uint64_t writerIncarnation;
  alignas(64) std::atomic<uint64_t> tail;  // published by the writer
  alignas(64) std::atomic<uint64_t> head;  // published by the reader
  /// Set by a writer that found the ring full; the reader clears it and rings the writer's bell.
  alignas(64) std::atomic<uint32_t> writerWaits;
  alignas(64) std::byte data[kRingCapacityBytes];
};
static_assert(sizeof(RingMemory) == 256 + kRingCapacityBytes);

class RingWriter {
 public:
  explicit RingWriter(RingMemory* memory = nullptr) : ring_(memory) {}

  /// Room for a packet of `sizeBytes` of which the ring keeps `reserveBytes` free, or null if full.
  std::byte* reserve(uint32_t sizeBytes, uint32_t reserveBytes) {
    uint32_t need = padded(sizeBytes);
    uint32_t offset = static_cast<uint32_t>(tail_ & (kRingCapacityBytes - 1));
    uint32_t skip = offset + need > kRingCapacityBytes ? kRingCapacityBytes - offset : 0;
    if (!fits(skip + need + reserveBytes)) return nullptr;
    if (skip != 0) {
      writePad(offset, skip);
      offset = 0;
    }
    return ring_->data + offset;
  }

  /// Ends the packet that the last reserve() gave room for.
  void commit(uint32_t sizeBytes) { tail_ += padded(sizeBytes); }

  /// Shows the reader everything committed. False if there was nothing new.
  bool publish() {
    if (tail_ == published_) return false;
    published_ = tail_;
    tellSanitizerPublished();
    // release pairs with the acquire in RingReader::next(): the packets are complete before tail
    ring_->tail.store(tail_, std::memory_order_release);
    return true;
  }

  /// Asks to be woken when room appears.
  void announceWait() const {
    // Without a fence the reader may miss this flag once and the writer the room: nothing is lost,
    // because a writer with something to send looks again at its next tick (Service).
    ring_->writerWaits.store(1, std::memory_order_relaxed);
  }

  /// Whether the reader still has bytes to take.
  bool unread() const { return ring_->head.load(std::memory_order_relaxed) != published_; }

 private:
  bool fits(uint32_t bytes) {
    if (tail_ + bytes - cachedHead_ <= kRingCapacityBytes) return true;
    // acquire pairs with the release in RingReader::release(): the reader is done with the bytes
    uint64_t head = ring_->head.load(std::memory_order_acquire);
    // A head that is not between the old one and tail is nonsense from the peer: the ring stays
    // full and the peer is as good as gone.
    if (head - cachedHead_ <= tail_ - cachedHead_) cachedHead_ = head;
    return tail_ + bytes - cachedHead_ <= kRingCapacityBytes;
  }

  void writePad(uint32_t offset, uint32_t bytes) {
    uint32_t words[2] = {bytes, static_cast<uint32_t>(PacketKind::Pad)};
    std::memcpy(ring_->data + offset, words, sizeof words);
    tail_ += bytes;
  }

  RingMemory* ring_;
  uint64_t tail_ = 0;
  uint64_t published_ = 0;
  uint64_t cachedHead_ = 0;
};

class RingReader {
 public:
  enum class State { Packet, Empty, Broken };

  explicit RingReader(RingMemory* memory = nullptr) : ring_(memory) {}

  /// Looks at the next packet, which stays in the ring until consume(). Broken: the writer has put
  /// something there that is no packet.
  State next(Packet& packet) {
    while (true) {
      if (head_ == cachedTail_ && !refresh()) return State::Empty;
      uint64_t published = cachedTail_ - head_;
      if (published > kRingCapacityBytes) return State::Broken;
      uint32_t offset = static_cast<uint32_t>(head_ & (kRingCapacityBytes - 1));
      uint64_t toEnd = kRingCapacityBytes - offset;
      std::span<const std::byte> bytes{ring_->data + offset,
                                       static_cast<size_t>(published < toEnd ? published : toEnd)};
      if (bytes.size() == toEnd && skipPad(bytes)) continue;
      return parsePacket(bytes, packet) ? State::Packet : State::Broken;
    }
  }

  void consume(const Packet& packet) { head_ += padded(packet.header.sizeBytes); }

  bool empty() const {
    // acquire pairs with the release in RingWriter::publish()
    return head_ == ring_->tail.load(std::memory_order_acquire);
  }

  /// Gives consumed room back. True if the writer waits for it and must be woken.
  bool release() {
    if (head_ == released_) return false;
    released_ = head_;
    // release pairs with the acquire in RingWriter::fits()
    ring_->head.store(head_, std::memory_order_release);
    if (ring_->writerWaits.load(std::memory_order_relaxed) == 0) return false;
    return ring_->writerWaits.exchange(0, std::memory_order_relaxed) != 0;
  }

 private:
  bool refresh() {
    cachedTail_ = ring_->tail.load(std::memory_order_acquire);  // pairs with RingWriter::publish()
    tellSanitizerSeen();
    return head_ != cachedTail_;
  }

  /// Padding fills `toEnd`, the end of the ring, and is shorter than a packet. Anything else a peer
  /// could write faster than we skip it, and never let us go.
  bool skipPad(std::span<const std::byte> toEnd) {
    uint32_t words[2];
    std::memcpy(words, toEnd.data(), sizeof words);  // an end too short for them does not occur
    if ((words[1] & 0xff) != static_cast<uint32_t>(PacketKind::Pad)) return false;
    if (words[0] != toEnd.size() || words[0] > padded(kMaxPacketBytes)) return false;
    head_ += words[0];
    return true;
  }

  RingMemory* ring_;
  uint64_t head_ = 0;
  uint64_t released_ = 0;
  uint64_t cachedTail_ = 0;
};

}  // namespace verbena::softnic
