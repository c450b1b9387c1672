// SPDX-License-Identifier: Apache-2.0
#include "heap.h"

#include <iterator>
#include <limits>

namespace verbena::shmem {

/// The first that is large enough, so that long lives gather at the start.
std::optional<size_t> Heap::allocate(size_t bytes, size_t alignment) {
  if (bytes > std::numeric_limits<size_t>::max() / 2) return std::nullopt;
  size_t taken = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  for (auto& [start, free] : free_) {
    size_t offset = (start + alignment - 1) / alignment * alignment;
    if (offset - start > free || free - (offset - start) < taken) continue;
    size_t from = start;
    size_t left = free - (offset - start) - taken;
    free_.erase(from);
    if (offset != from) free_.emplace(from, offset - from);
    if (left != 0) free_.emplace(offset + taken, left);
    pieces_.emplace(offset, Piece{taken, bytes});
    return offset;
  }
  return std::nullopt;
}

std::optional<size_t> Heap::bytesAt(size_t offset) const {
  auto found = pieces_.find(offset);
  return found == pieces_.end() ? std::nullopt : std::optional(found->second.asked);
}

bool Heap::resize(size_t offset, size_t bytes) {
  auto found = pieces_.find(offset);
  if (found == pieces_.end() || bytes > found->second.taken) return false;
  found->second.asked = bytes;
  return true;
}

bool Heap::free(size_t offset) {
  auto found = pieces_.find(offset);
  if (found == pieces_.end()) return false;
  giveBack(found->first, found->second.taken);
  pieces_.erase(found);
  return true;
}

/// One piece of free memory with its neighbours.
void Heap::giveBack(size_t start, size_t bytes) {
  auto next = free_.lower_bound(start);
  if (next != free_.end() && start + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += bytes;
      return;
    }
  }
  free_.emplace(start, bytes);
}

}  // namespace verbena::shmem
