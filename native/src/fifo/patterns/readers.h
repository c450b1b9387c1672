// SPDX-License-Identifier: Apache-2.0
//
// The reading ends of a pattern, and which of them may still bring something.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fifo/patterns/members.h"
#include "fifo/reader.h"

namespace verbena::fifo {

/// Used by one thread at a time.
class Readers : public Members {
 public:
  /// Throws std::invalid_argument if there is none, or they are of several nodes.
  explicit Readers(std::vector<std::unique_ptr<Reader>> readers)
      : Members(readers), open_(readers.size()) {
    for (auto& each : readers) all_.push_back({std::move(each)});
  }

  Reader& operator[](size_t index) { return *all_[index].reader; }
  /// Neither ended nor lost, as far as that was told.
  bool isOpen(size_t index) const { return all_[index].isOpen; }
  size_t open() const { return open_; }

  /// What a reader has said: one that has ended or is lost is not asked any more.
  Outcome heard(size_t index, Outcome said) {
    if (said == Outcome::ended || said == Outcome::lost) leave(index);
    return said;
  }

 private:
  struct Each {
    std::unique_ptr<Reader> reader;
    bool isOpen = true;
  };

  void leave(size_t index) {
    if (std::exchange(all_[index].isOpen, false)) open_--;
  }

  std::vector<Each> all_;
  size_t open_;
};

}  // namespace verbena::fifo
