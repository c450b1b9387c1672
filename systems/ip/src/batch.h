// SPDX-License-Identifier: Apache-2.0
//
// The messages of channels between nodes. One is a batch of frames: each has its length in 4 bytes,
// virtio's header, and the frame, up to a multiple of 4. Or it is a word of one node to another:
// its number, which is greater than any length, and what it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "base/wire.h"
#include "frame.h"

namespace verbena::ip {

inline constexpr size_t kLengthBytes = 4;
/// Of a batch, at most, but that one frame always fits.
inline constexpr size_t kBatchBytes = 256 << 10;

/// The bytes that a frame takes in a batch.
inline constexpr size_t placeOf(size_t frameBytes) {
  return (kLengthBytes + kHeaderBytes + frameBytes + 3) / 4 * 4;
}
/// The same of header and frame together.
inline constexpr size_t placeOfEntry(size_t bytes) {
  return placeOf(bytes - kHeaderBytes);
}
/// A frame of any length fits.
inline constexpr size_t kMostPlace = placeOf(kMostFrame);
static_assert(kMostPlace <= 65'600);

/// Where in a place its header and frame are written.
inline std::span<std::byte> insideOf(std::span<std::byte> place) {
  return place.subspan(kLengthBytes);
}
/// `bytes` of header and frame have been written there. Returns how much of the place they take.
inline size_t closePlace(std::span<std::byte> place, size_t bytes) {
  base::putLittle<uint32_t>(place, 0, static_cast<uint32_t>(bytes));
  size_t taken = (kLengthBytes + bytes + 3) / 4 * 4;
  for (size_t i = kLengthBytes + bytes; i < taken; i++) place[i] = std::byte{0};
  return taken;
}

/// Reads a batch that its writer may change meanwhile: nothing is looked at twice.
class Batch {
 public:
  explicit Batch(std::span<const std::byte> message) : left_(message) {}

  /// Header and frame of the next one, at least kHeaderBytes; nothing at the end.
  std::optional<std::span<const std::byte>> next() {
    if (left_.empty()) return std::nullopt;
    if (left_.size() < kLengthBytes) return fail();
    size_t bytes = base::getLittle<uint32_t>(left_, 0);
    if (bytes < kHeaderBytes || bytes > kHeaderBytes + kMostFrame) return fail();
    size_t taken = (kLengthBytes + bytes + 3) / 4 * 4;
    if (taken > left_.size()) return fail();
    auto found = left_.subspan(kLengthBytes, bytes);
    left_ = left_.subspan(taken);
    return found;
  }
  /// Whether what is left is no frame.
  bool failed() const { return failed_; }

 private:
  std::optional<std::span<const std::byte>> fail() {
    failed_ = true;
    left_ = {};
    return std::nullopt;
  }

  std::span<const std::byte> left_;
  bool failed_ = false;
};

}  // namespace verbena::ip
