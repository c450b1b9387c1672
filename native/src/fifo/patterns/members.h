// SPDX-License-Identifier: Apache-2.0
//
// The ends of a pattern: they are of one node, whose rounds whoever waits does.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "fifo/channels.h"
#include "fifo/end.h"

namespace verbena::fifo {

class Members {
 public:
  size_t size() const { return ends_.size(); }
  Ends ends() const { return ends_; }
  Channels& channels() const { return ends_.front()->channels(); }

 protected:
  /// Throws std::invalid_argument if there is none, or they are of several nodes.
  template <typename One>
  explicit Members(const std::vector<std::unique_ptr<One>>& all) {
    for (const auto& each : all) ends_.push_back(each.get());
    bool fit = !ends_.empty() && std::ranges::all_of(ends_, [this](End* end) {
      return end != nullptr && &end->channels() == &channels();
    });
    if (!fit) throw std::invalid_argument("a pattern needs readers or writers, all of one node");
  }
  ~Members() = default;
  Members(Members&&) = default;
  Members& operator=(Members&&) = default;

 private:
  std::vector<End*> ends_;
};

}  // namespace verbena::fifo
