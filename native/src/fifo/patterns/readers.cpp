// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/readers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace verbena::fifo {

Readers::Readers(std::vector<std::unique_ptr<Reader>> readers) : open_(readers.size()) {
  for (auto& each : readers) {
    ends_.push_back(each.get());
    all_.push_back({std::move(each)});
  }
  bool fit = !ends_.empty() && std::ranges::all_of(ends_, [&](End* end) {
    return end != nullptr && &end->channels() == &ends_.front()->channels();
  });
  if (!fit) throw std::invalid_argument("a pattern needs readers, all of one node");
}

void Readers::leave(size_t index) {
  if (std::exchange(all_[index].isOpen, false)) open_--;
}

}  // namespace verbena::fifo
