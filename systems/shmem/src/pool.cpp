// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace verbena::shmem {

std::optional<uint64_t> roomAmong(std::span<const BlockRow> rows, uint64_t bytes,
                                  uint64_t poolBytes) {
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (const BlockRow& row : rows) {
    if (row.isFree()) continue;
    if (!row.isWithin(poolBytes)) return std::nullopt;
    taken.emplace_back(row.start, row.bytes);
  }
  std::ranges::sort(taken);
  uint64_t start = 0;
  for (auto [from, length] : taken) {
    if (start <= from && bytes <= from - start) return start;
    uint64_t end = (from + length + Pool::kAlignment - 1) / Pool::kAlignment * Pool::kAlignment;
    start = std::max(start, end);
  }
  bool fits = start <= poolBytes && bytes <= poolBytes - start;
  return fits ? std::optional(start) : std::nullopt;
}

std::optional<size_t> freeRow(std::span<const BlockRow> rows) {
  auto found = std::ranges::find_if(rows, &BlockRow::isFree);
  auto row = static_cast<size_t>(found - rows.begin());
  return row < Pool::kMostBlocks ? std::optional(row) : std::nullopt;
}

}  // namespace verbena::shmem
