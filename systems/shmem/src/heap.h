// SPDX-License-Identifier: Apache-2.0
//
// Which parts of the symmetric memory are in use. Every PE asks for the same in the same order, and
// so gets the same.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace verbena::shmem {

/// Offsets from the start of the symmetric memory. One thread at a time.
class Heap {
 public:
  /// What pointers are aligned to that nobody asks for more of.
  static constexpr size_t kAlignment = 64;
  Heap(size_t from, size_t end) { free_.emplace(from, end - from); }

  /// Nothing if there is no such piece. `alignment` is a power of two.
  std::optional<size_t> allocate(size_t bytes, size_t alignment = kAlignment);
  /// How many were asked for there; nothing if the offset is no piece's.
  std::optional<size_t> bytesAt(size_t offset) const;
  /// Whether the piece there has room for so many; it is asked for so many then.
  bool resize(size_t offset, size_t bytes);
  /// False if the offset is no piece's.
  bool free(size_t offset);

 private:
  struct Piece {
    size_t taken;
    size_t asked;
  };
  void giveBack(size_t start, size_t bytes);

  std::map<size_t, size_t> free_;   // by start: bytes
  std::map<size_t, Piece> pieces_;  // by the offset that was given
};

}  // namespace verbena::shmem
