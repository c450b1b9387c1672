// SPDX-License-Identifier: Apache-2.0
//
// The memory of a channel: a head with a word of each side, and frames (docs/channel.md, "The
// ring"). A frame is a word of its own, which says how many bytes follow and what they are, and
// those bytes; it lies at a multiple of 8 and never goes around the end.
//
// The word behind the last frame is zero, always: the writer zeroes it before it writes the frame's
// own word, so a reader that shares the memory needs nothing else to know what is there, and a
// writer that dies in the middle of a message leaves none.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace verbena::fifo {

/// All of it is zero at first but what never changes.
struct RingHead {
  static constexpr size_t kBytes = 4096;                         ///< the data begin at a page
  static constexpr uint64_t kMagic = 0x31'4F'46'49'46'42'52'56;  // "VRBFIFO1"

  uint64_t magic;
  uint64_t capacity;
  uint64_t readerBell;  ///< by which it is woken (bell.h)
  uint64_t writerBell;  ///< of one that shares the memory; written before share()

  // Of the reader, for a writer that shares the memory.
  alignas(64) std::atomic<uint64_t> released;  ///< up to which position

  // Of a writer that does not.
  alignas(64) std::atomic<uint64_t> published;

  // Looked at with each message and seldom written: apart from what is written with each.
  alignas(64) std::atomic<uint32_t> sharing;  ///< whose turn it is, and how far that one is
  std::atomic<uint32_t> readerSleeps;
  std::atomic<uint32_t> writerSleeps;

  // A reader whose link was lost before it came up waits for another writer. The former one may not
  // have noticed yet, so it is told its turn, and takes the memory in that turn alone.

  /// Whether a writer shares the memory: zeros tell what is published.
  bool isShared() const { return (sharing.load(std::memory_order_acquire) & kStates) == kShared; }
  /// By the writer of a turn, before it writes anything here.
  bool take(uint32_t turn) {
    uint32_t free = turn * kTurn;
    return sharing.compare_exchange_strong(free, turn * kTurn + kTaken, std::memory_order_acq_rel);
  }
  /// By who has taken it. release pairs with isShared(): its bell's name is there.
  void share(uint32_t turn) { sharing.store(turn * kTurn + kShared, std::memory_order_release); }
  /// By the reader: the next turn begins. False if the writer of this one has taken the memory.
  bool endTurn(uint32_t turn) {
    uint32_t free = turn * kTurn;
    return sharing.compare_exchange_strong(free, (turn + 1) * kTurn, std::memory_order_acq_rel);
  }

  static constexpr uint32_t kTaken = 1;
  static constexpr uint32_t kShared = 2;
  static constexpr uint32_t kStates = 3;
  static constexpr uint32_t kTurn = kStates + 1;
};
static_assert(sizeof(RingHead) <= RingHead::kBytes);

enum class Kind : uint8_t {
  none,
  whole,  ///< a message
  first,  ///< of a message in pieces: its length in 8 bytes, little-endian
  more,   ///< bytes of it, the last of which end it
  pad,    ///< nothing, up to the end of the memory
  end,    ///< of the stream
};

struct FrameWord {
  static constexpr uint64_t kBytes = 8;

  Kind kind;
  uint32_t bytes;

  uint64_t packed() const { return uint64_t{static_cast<uint8_t>(kind)} << 32 | bytes; }
  static FrameWord of(uint64_t packed) {
    // A kind that is unknown, for whatever reason, comes out as one that is.
    bool known = packed >> 32 <= static_cast<uint8_t>(Kind::end);
    return {known ? static_cast<Kind>(packed >> 32) : Kind::none, static_cast<uint32_t>(packed)};
  }
  /// What a frame with so many bytes takes.
  static uint64_t span(uint64_t bytes) { return kBytes + (bytes + 7) / 8 * 8; }
};

/// Sizes of rings.
inline constexpr uint64_t kLeastCapacity = 4096;
inline constexpr uint64_t kMostCapacity = uint64_t{1} << 31;
inline constexpr bool isCapacity(uint64_t bytes) {
  return std::has_single_bit(bytes) && bytes >= kLeastCapacity && bytes <= kMostCapacity;
}
/// The largest message that lies in a ring as a whole. Behind it there is room for the zero,
/// however much of the end is left out.
inline constexpr uint64_t mostInPlace(uint64_t capacity) {
  return capacity / 2 - 2 * FrameWord::kBytes;
}

/// std::ranges::copy() of spans is a loop over bytes with some compilers (GCC 12).
inline void copyBytes(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

/// Positions count bytes since the channel began. One thread.
class RingWriter {
 public:
  explicit RingWriter(std::span<std::byte> data) : data_(data) {}

  /// By one that shares the memory, before RingHead::share(): a former writer whose link never came
  /// up for the reader may have put a frame there by the device.
  void begin() { word(published_).store(0, std::memory_order_relaxed); }

  /// Where a message of so many bytes, at most mostInPlace(), may be written; null: no room. A
  /// claim that is not published is void with the next one.
  std::byte* claim(uint64_t bytes) {
    uint64_t frame = FrameWord::span(bytes);
    uint64_t left = data_.size() - offset(published_);
    pad_ = frame > left ? left : 0;
    if (pad_ + frame + FrameWord::kBytes > free()) return nullptr;
    return at(published_ + pad_) + FrameWord::kBytes;
  }

  /// So many bytes, at most those claimed, are a frame.
  void publish(Kind kind, uint32_t bytes) {
    uint64_t start = published_ + pad_;
    uint64_t next = start + FrameWord::span(bytes);
    word(next).store(0, std::memory_order_relaxed);
    // release pairs with RingReader::next(): bytes and zero are there before the word is. Behind a
    // pad it is there before the pad's.
    word(start).store(FrameWord{kind, bytes}.packed(), std::memory_order_release);
    if (pad_ != 0) {
      auto skipped = static_cast<uint32_t>(pad_ - FrameWord::kBytes);
      word(published_).store(FrameWord{Kind::pad, skipped}.packed(), std::memory_order_release);
    }
    published_ = next;
    pad_ = 0;
  }

  uint64_t published() const { return published_; }
  /// Below it everything may be written over. A value of the far side's is checked before.
  void reuse(uint64_t position) { reusable_ = position; }
  uint64_t reusable() const { return reusable_; }
  std::span<const std::byte> data() const { return data_; }

 private:
  uint64_t offset(uint64_t position) const { return position & (data_.size() - 1); }
  std::byte* at(uint64_t position) const { return data_.data() + offset(position); }
  std::atomic_ref<uint64_t> word(uint64_t position) const {
    return std::atomic_ref(*reinterpret_cast<uint64_t*>(at(position)));
  }
  uint64_t free() const { return data_.size() - (published_ - reusable_); }

  std::span<std::byte> data_;
  uint64_t published_ = 0;
  uint64_t reusable_ = 0;
  uint64_t pad_ = 0;  // in front of what is claimed
};

struct Frame {
  Kind kind = Kind::none;
  std::span<const std::byte> bytes;
};

/// One thread.
class RingReader {
 public:
  /// There is no limit to what is looked at but the zero.
  static constexpr uint64_t kNoLimit = UINT64_MAX;

  explicit RingReader(std::span<std::byte> data) : data_(data) {}

  /// The next frame, if there is one below the limit. It stays until release().
  Frame next(uint64_t limit) {
    if (limit != kNoLimit && position_ < limit && limit - position_ > data_.size()) broken_ = true;
    while (position_ < limit && !broken_) {
      // acquire pairs with RingWriter::publish()
      uint64_t packed = word().load(std::memory_order_acquire);
      if (packed == 0) break;
      FrameWord frame = FrameWord::of(packed);
      if (!makesSense(frame, limit)) {
        broken_ = true;
        break;
      }
      if (frame.kind != Kind::pad) return {frame.kind, {at() + FrameWord::kBytes, frame.bytes}};
      position_ += FrameWord::span(frame.bytes);
    }
    return {};
  }

  /// Done with a frame that next() has returned.
  void release(const Frame& frame) { position_ += FrameWord::span(frame.bytes.size()); }
  uint64_t released() const { return position_; }
  uint64_t capacity() const { return data_.size(); }
  /// What lies there is no frame: somebody else has written into the memory.
  bool broken() const { return broken_; }

 private:
  bool makesSense(const FrameWord& frame, uint64_t limit) const {
    uint64_t left = data_.size() - (position_ & (data_.size() - 1));
    uint64_t taken = FrameWord::span(frame.bytes);
    if (taken > left || taken > limit - position_) return false;
    switch (frame.kind) {
      case Kind::pad: return taken == left && taken < data_.size() / 2;
      case Kind::first: return frame.bytes == sizeof(uint64_t);
      case Kind::end: return frame.bytes == 0;
      case Kind::whole:
      case Kind::more: return frame.bytes <= mostInPlace(data_.size());
      case Kind::none: break;
    }
    return false;
  }
  std::byte* at() const { return data_.data() + (position_ & (data_.size() - 1)); }
  std::atomic_ref<uint64_t> word() const {
    return std::atomic_ref(*reinterpret_cast<uint64_t*>(at()));
  }

  std::span<std::byte> data_;
  uint64_t position_ = 0;
  bool broken_ = false;
};

}  // namespace verbena::fifo
