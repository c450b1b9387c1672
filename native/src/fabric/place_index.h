// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace verbena::fabric {

/// From a key to a place, for keys that are written at the places themselves. Adding and removing
/// are for one thread at a time; finding is for all, at any time.
class PlaceIndex {
 public:
  explicit PlaceIndex(uint32_t places);

  void add(uint64_t key, uint32_t place);
  void remove(uint64_t key, uint32_t place);

  /// `isThere(place)` tells whether the key is that place's now: an entry may be about another life
  /// of it. What was found is right; whoever finds nothing looks again if entries moved meanwhile.
  template <typename IsThere>
  std::optional<uint32_t> find(uint64_t key, IsThere isThere) const {
    for (;;) {
      uint64_t before = moves_.load(std::memory_order_acquire);
      for (size_t i = first(key);; i = next(i)) {
        // acquire pairs with set(): the place's key is written before its entry, and whoever sees
        // an entry that was moved sees below that moves are going on
        uint32_t entry = entries_[i].load(std::memory_order_acquire);
        if (entry == kEmpty) break;
        if (isThere(entry - 1)) return entry - 1;
      }
      bool moved = moves_.load(std::memory_order_acquire) != before || before % 2 != 0;
      if (!moved) return std::nullopt;
    }
  }

 private:
  static constexpr uint32_t kEmpty = 0;  // otherwise the place + 1

  size_t first(uint64_t key) const;
  size_t next(size_t entry) const { return (entry + 1) & (entries_.size() - 1); }
  void set(size_t at, uint32_t entry, size_t home);
  /// Whether an entry at `at` would still be found from its home if it lay at the hole.
  bool mayMove(size_t at, size_t hole) const;

  std::vector<std::atomic<uint32_t>> entries_;
  std::vector<size_t> homes_;       // where the search for each entry begins; for who changes them
  std::atomic<uint64_t> moves_{0};  // odd while entries move
};

}  // namespace verbena::fabric
