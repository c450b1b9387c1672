// SPDX-License-Identifier: Apache-2.0
//
// A ring of packets with one writing and one reading process.
//
// Positions count bytes for ever and are masked on access. The writer owns `tail`, the reader owns
// `head`; each keeps a copy of the other's and looks again only when the copy says "full" or
// "empty". A packet lies in one piece: where the end of the ring is too near, a Pad fills it. What
// a killed writer had not published does not exist.
//
// A ring in shared memory begins small: most links carry little. When it is full the writer takes
// the rest of its memory, says so by a Growth, and goes on behind the part that was used until
// then.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "host/shared_file.h"
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

inline constexpr uint64_t kRingMagic = 0x3247'4e49'5242'4e56;  // "VNBRING2"
inline constexpr uint32_t kRingCapacityBytes = 256 * 1024;
/// Of a ring that grows.
inline constexpr uint32_t kFirstRingBytes = 32 * 1024;
/// Left free by data packets, so that acknowledgements always find room in a ring full of data.
inline constexpr uint32_t kControlReserveBytes = 8 * 1024;
static_assert(kRingCapacityBytes >= 4 * kMaxPacketBytes + kControlReserveBytes);
static_assert(kFirstRingBytes >= kMaxPacketBytes + kControlReserveBytes);

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

/// Where the positions of a ring lie in its memory, for the writer and the reader alike.
class RingPlaces {
 public:
  /// All of the memory is used from the start.
  RingPlaces() = default;
  /// The first part of it.
  static RingPlaces first() {
    RingPlaces places;
    places.capacity_ = kFirstRingBytes;
    return places;
  }

  uint32_t capacity() const { return capacity_; }
  bool mayGrow() const { return capacity_ != kRingCapacityBytes; }
  uint32_t offset(uint64_t position) const {
    return static_cast<uint32_t>((position - start_) & (capacity_ - 1));
  }
  /// From this position on all of it is used, what lies behind the first part first.
  void growAt(uint64_t position) {
    start_ = position - capacity_;
    capacity_ = kRingCapacityBytes;
  }

 private:
  uint32_t capacity_ = kRingCapacityBytes;
  uint64_t start_ = 0;  // a position at offset 0
};

class RingWriter {
 public:
  explicit RingWriter(RingMemory* memory = nullptr) : ring_(memory) {}
  /// In a file whose first part is backed, and which outlives it. Its reader knows that it grows.
  explicit RingWriter(host::SharedFile& file)
      : ring_(file.as<RingMemory>()), file_(&file), places_(RingPlaces::first()) {}

  /// Room for a packet of `sizeBytes` of which the ring keeps `reserveBytes` free, or null if full.
  std::byte* reserve(uint32_t sizeBytes, uint32_t reserveBytes) {
    uint32_t need = padded(sizeBytes);
    uint32_t offset = places_.offset(tail_);
    uint32_t skip = offset + need > places_.capacity() ? places_.capacity() - offset : 0;
    if (!fits(skip + need + reserveBytes)) {
      return grow() ? reserve(sizeBytes, reserveBytes) : nullptr;
    }
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

  /// Bytes that the reader has not been shown.
  uint64_t unpublished() const { return tail_ - published_; }

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
    if (tail_ + bytes <= end()) return true;
    // acquire pairs with the release in RingReader::release(): the reader is done with the bytes
    uint64_t head = ring_->head.load(std::memory_order_acquire);
    // A head that is not between the old one and tail is nonsense from the peer: the ring stays
    // full and the peer is as good as gone.
    if (head - cachedHead_ <= tail_ - cachedHead_) cachedHead_ = head;
    return tail_ + bytes <= end();
  }

  /// What was written before the ring grew may be overwritten when all of it has been read.
  uint64_t end() const {
    if (cachedHead_ >= grownAt_) return cachedHead_ + places_.capacity();
    return grownAt_ + kRingCapacityBytes - kFirstRingBytes;
  }

  /// False if it has grown before, or there is no memory: then it stays as it is.
  bool grow() {
    if (file_ == nullptr || !fits(kPacketAlignment)) return false;
    host::SharedFile* file = std::exchange(file_, nullptr);
    constexpr size_t kFrom = offsetof(RingMemory, data) + kFirstRingBytes;
    bool isThere = !host::SharedFile::canPopulate() ||  // then it was from the start
                   file->populate(kFrom, sizeof(RingMemory) - kFrom);
    if (!isThere) return false;
    write(PacketKind::Growth, places_.offset(tail_), kPacketAlignment);
    places_.growAt(tail_);
    grownAt_ = tail_;
    return true;
  }

  void writePad(uint32_t offset, uint32_t bytes) { write(PacketKind::Pad, offset, bytes); }
  void write(PacketKind kind, uint32_t offset, uint32_t bytes) {
    uint32_t words[2] = {bytes, static_cast<uint32_t>(kind)};
    std::memcpy(ring_->data + offset, words, sizeof words);
    tail_ += bytes;
  }

  RingMemory* ring_;
  host::SharedFile* file_ = nullptr;  // that it may grow in
  RingPlaces places_;
  uint64_t grownAt_ = 0;
  uint64_t tail_ = 0;
  uint64_t published_ = 0;
  uint64_t cachedHead_ = 0;
};

class RingReader {
 public:
  enum class State { Packet, Empty, Broken };

  explicit RingReader(RingMemory* memory = nullptr, RingPlaces places = {})
      : ring_(memory), places_(places) {}

  /// Looks at the next packet, which stays in the ring until consume(). Broken: the writer has put
  /// something there that is no packet.
  State next(Packet& packet) {
    while (true) {
      if (head_ == cachedTail_ && !refresh()) return State::Empty;
      uint64_t published = cachedTail_ - head_;
      if (published > kRingCapacityBytes) return State::Broken;
      uint32_t offset = places_.offset(head_);
      uint64_t toEnd = places_.capacity() - offset;
      std::span<const std::byte> bytes{ring_->data + offset,
                                       static_cast<size_t>(published < toEnd ? published : toEnd)};
      if (places_.mayGrow() && takeGrowth(bytes)) continue;
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

  bool takeGrowth(std::span<const std::byte> bytes) {
    uint32_t words[2];
    if (bytes.size() < sizeof words) return false;
    std::memcpy(words, bytes.data(), sizeof words);
    bool isGrowth = (words[1] & 0xff) == static_cast<uint32_t>(PacketKind::Growth);
    if (!isGrowth || words[0] != kPacketAlignment) return false;
    head_ += kPacketAlignment;
    places_.growAt(head_);
    return true;
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
  RingPlaces places_;
  uint64_t head_ = 0;
  uint64_t released_ = 0;
  uint64_t cachedTail_ = 0;
};

}  // namespace verbena::softnic
