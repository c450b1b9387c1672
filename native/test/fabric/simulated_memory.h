// SPDX-License-Identifier: Apache-2.0
//
// What the memory of a node may hold, as far as anybody can know who has seen every operation be
// posted and end. A word may hold each value that an operation which is open, or whose end is not
// known, would leave there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "fabric/request.h"

namespace verbena::fabric::testing {

/// Of words that are put and got, and one that is counted up.
class SimulatedMemory {
 public:
  explicit SimulatedMemory(size_t words) : words_(words, {0}) {}

  struct Range {
    size_t first;
    size_t count;
    bool overlaps(const Range& other) const {
      return first < other.first + other.count && other.first < first + count;
    }
  };

  /// From here on it may be executed. `number` rises with each operation, and is what a put writes.
  void posted(uint64_t number, int writer, Operation operation, Range range) {
    Open made{writer, operation, range, false, false, {}};
    if (operation == Operation::put) {
      for (size_t i = 0; i < range.count; i++) words_[range.first + i].insert(number);
    } else if (operation == Operation::fetchAdd) {
      most_++;
    } else {
      for (size_t i = 0; i < range.count; i++) made.before.push_back(words_[range.first + i]);
    }
    open_.emplace(number, std::move(made));
  }

  bool isOpen(uint64_t number) const { return open_.contains(number); }

  /// It was executed. False if what it has brought cannot be.
  bool done(uint64_t number, std::span<const uint64_t> brought) {
    Open ended = take(number);
    switch (ended.operation) {
      case Operation::put: settle(number, ended); return true;
      case Operation::fetchAdd:
        if (ended.late) return brought[0] < most_;
        least_++;
        return brought[0] < most_ && counted_.insert(brought[0]).second;
      default: return couldBeGot(number, ended, brought);
    }
  }
  /// It was refused: an atomic was not executed, of a put some or all may have been.
  void refused(uint64_t number) {
    Open ended = take(number);
    if (ended.operation == Operation::fetchAdd && !ended.late) most_--;
    leaveOpen(ended);
  }
  /// Nobody knows.
  void unknown(uint64_t number) { leaveOpen(take(number)); }

  /// Whether the memory may look so: words, and how far it is counted.
  bool mayBe(size_t word, uint64_t value) const { return words_[word].contains(value); }
  bool mayBeCounted(uint64_t value) const { return least_ <= value && value <= most_; }

  /// It is known what is there, and nobody writes any more.
  void is(size_t word, uint64_t value) { words_[word] = {value}; }
  void isCounted(uint64_t value) {
    least_ = most_ = value;
    counted_.clear();
    for (uint64_t i = 0; i < value; i++) counted_.insert(i);
    for (auto& [number, open] : open_) open.late = true;
  }
  /// It was never posted.
  void never(uint64_t number) {
    Open ended = take(number);
    if (ended.late) return;
    if (ended.operation == Operation::fetchAdd) most_--;
    if (ended.operation != Operation::put) return;
    for (size_t i = 0; i < ended.range.count; i++) words_[ended.range.first + i].erase(number);
  }
  /// What is open of a writer that has died ends without a word.
  void died(int writer) {
    for (auto each = open_.begin(); each != open_.end();) {
      bool is = each->second.writer == writer;
      if (is) leaveOpen(each->second);
      each = is ? open_.erase(each) : std::next(each);
    }
  }
  /// Nothing of this writer's comes any more.
  void linkEnded(int writer) { haunting_.erase(writer); }

 private:
  struct Open {
    int writer;
    Operation operation;
    Range range;
    bool overlapped;  ///< by one of another writer: which of the two was first nobody knows
    bool late;        ///< since it was posted it has become known what is there
    std::vector<std::set<uint64_t>> before;  ///< of a get: what was there when it was posted
  };

  Open take(uint64_t number) {
    auto found = open_.find(number);
    Open ended = std::move(found->second);
    open_.erase(found);
    return ended;
  }

  /// Operations of one link are executed in their order.
  void settle(uint64_t number, const Open& ended) {
    bool alone = !ended.overlapped && !ended.late && haunting_.empty();
    for (auto& [other, open] : open_) {
      if (open.operation != Operation::put || !open.range.overlaps(ended.range)) continue;
      alone = false;
      if (open.writer != ended.writer) open.overlapped = true;
    }
    if (!alone) return;
    for (size_t i = 0; i < ended.range.count; i++) words_[ended.range.first + i] = {number};
  }
  void leaveOpen(const Open& ended) {
    if (ended.operation == Operation::put) haunting_.insert(ended.writer);
  }

  bool couldBeGot(uint64_t number, const Open& ended, std::span<const uint64_t> brought) const {
    size_t count = std::min(ended.range.count, brought.size());
    for (size_t i = 0; i < count; i++) {
      uint64_t value = brought[i];
      bool could =
          value > number || ended.before[i].contains(value) || mayBe(ended.range.first + i, value);
      if (!could) return false;
    }
    return true;
  }

  std::vector<std::set<uint64_t>> words_;
  std::map<uint64_t, Open> open_;  // by number
  std::set<uint64_t> counted_;     // what atomics have brought: each value once
  uint64_t least_ = 0, most_ = 0;
  std::set<int>
      haunting_;  // writers with puts of which nobody knows whether they are still to come
};

}  // namespace verbena::fabric::testing
