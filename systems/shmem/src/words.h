// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "far.h"
#include "world.h"

namespace verbena::shmem {

/// A word in a PE's memory that several PEs look at: by its offset there.
class Word {
 public:
  Word(size_t offset, int pe)
      : near_(nearAt<std::atomic<uint64_t>>(offset, pe)),
        offset_(offset),
        pe_(static_cast<uint32_t>(pe)) {}

  /// acquire pairs with the release of store().
  uint64_t load() const {
    if (near_ != nullptr) return near_->load(std::memory_order_acquire);
    uint64_t value = 0;
    world.far->get(&value, offset_, sizeof value, pe_);
    return value;
  }
  /// Behind everything that this PE has written there before.
  void store(uint64_t value) const {
    if (near_ != nullptr) {
      near_->store(value, std::memory_order_release);
    } else {
      world.far->put(offset_, &value, sizeof value, pe_);
    }
  }
  // Atomics return what was there.
  uint64_t add(uint64_t value) const {
    auto* near = forAtomics();
    return near != nullptr ? near->fetch_add(value) : world.far->fetchAdd(offset_, pe_, value);
  }
  uint64_t swap(uint64_t value) const {
    if (auto* near = forAtomics()) return near->exchange(value);
    return world.far->replace<uint64_t>(offset_, pe_, [&](uint64_t) { return value; });
  }
  uint64_t compareSwap(uint64_t expected, uint64_t value) const {
    auto* near = forAtomics();
    if (near == nullptr) return world.far->compareSwap(offset_, pe_, expected, value);
    near->compare_exchange_strong(expected, value);
    return expected;
  }

 private:
  std::atomic<uint64_t>* forAtomics() const {
    return nearForAtomicsAt<std::atomic<uint64_t>>(offset_, static_cast<int>(pe_));
  }

  std::atomic<uint64_t>* near_;
  size_t offset_;
  uint32_t pe_;
};

}  // namespace verbena::shmem
