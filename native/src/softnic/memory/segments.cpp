// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/segments.h"

#include <iterator>
#include <utility>

namespace verbena::softnic {

std::shared_ptr<host::Segment> Segments::find(const void* address, size_t length) const {
  std::lock_guard guard(lock_);
  auto after = byAddress_.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (after == byAddress_.begin()) return nullptr;
  const std::shared_ptr<host::Segment>& segment = std::prev(after)->second;
  return segment->holds(address, length) ? segment : nullptr;
}

void* Segments::allocate(const host::SegmentSpace& space, size_t bytes) {
  std::lock_guard guard(lock_);
  // The place in the table first: a file that found none would stay.
  std::map<uintptr_t, std::shared_ptr<host::Segment>> made;
  std::shared_ptr<host::Segment>& segment = made.try_emplace(0).first->second;
  segment = host::Segment::create(space, nextNumber_++, bytes);
  if (segment == nullptr) return nullptr;
  void* memory = segment->start();
  auto place = made.extract(made.begin());
  place.key() = reinterpret_cast<uintptr_t>(memory);
  byAddress_.insert(std::move(place));
  return memory;
}

bool Segments::free(void* memory) {
  std::lock_guard guard(lock_);
  auto found = byAddress_.find(reinterpret_cast<uintptr_t>(memory));
  if (found == byAddress_.end()) return false;
  found->second->remove();
  byAddress_.erase(found);
  return true;
}

void Segments::freeAll() {
  std::lock_guard guard(lock_);
  for (auto& [base, segment] : byAddress_) segment->remove();
  byAddress_.clear();
}

}  // namespace verbena::softnic
