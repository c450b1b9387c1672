// SPDX-License-Identifier: Apache-2.0
#include "streams/connection_table.h"

#include <bit>

namespace verbena::streams {

/// Never more than a quarter full: searches are short, and end.
PlaceIndex::PlaceIndex(uint32_t places)
    : entries_(std::bit_ceil(uint64_t{places} * 4)), homes_(entries_.size()) {}

size_t PlaceIndex::first(uint64_t key) const {
  uint64_t mixed = key * 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio
  return (mixed >> 32) & (entries_.size() - 1);
}

void PlaceIndex::set(size_t at, uint32_t entry, size_t home) {
  homes_[at] = home;
  entries_[at].store(entry, std::memory_order_release);  // pairs with find()
}

void PlaceIndex::add(uint64_t key, uint32_t place) {
  size_t at = first(key);
  while (entries_[at].load(std::memory_order_relaxed) != kEmpty) at = next(at);
  set(at, place + 1, first(key));
}

bool PlaceIndex::mayMove(size_t at, size_t hole) const {
  size_t mask = entries_.size() - 1;
  return ((at - homes_[at]) & mask) >= ((at - hole) & mask);
}

/// What lies behind the hole moves up, so that searches need not go past holes.
void PlaceIndex::remove(uint64_t key, uint32_t place) {
  size_t hole = first(key);
  while (entries_[hole].load(std::memory_order_relaxed) != place + 1) {
    if (entries_[hole].load(std::memory_order_relaxed) == kEmpty) return;
    hole = next(hole);
  }
  moves_.fetch_add(1, std::memory_order_relaxed);  // before every set(), which releases it
  for (size_t at = next(hole);; at = next(at)) {
    uint32_t entry = entries_[at].load(std::memory_order_relaxed);
    if (entry == kEmpty) break;
    if (!mayMove(at, hole)) continue;
    set(hole, entry, homes_[at]);
    hole = at;
  }
  set(hole, kEmpty, 0);
  moves_.fetch_add(1, std::memory_order_release);  // pairs with find()
}

ConnectionTable::ConnectionTable(Works& works)
    : byId_(works.options.maxConnections), byQpNum_(works.options.maxConnections) {
  for (uint32_t place = 0; place < works.options.maxConnections; place++) {
    connections_.push_back(std::make_unique<Connection>(works, place));
  }
  for (uint32_t place = works.options.maxConnections; place > 0; place--) {
    free_.push_back(place - 1);
  }
}

Connection* ConnectionTable::reserve() {
  if (free_.empty()) return nullptr;
  Connection* reserved = connections_[free_.back()].get();
  free_.pop_back();
  return reserved;
}

void ConnectionTable::enter(Connection& connection) {
  byId_.add(connection.id(), connection.place());
  byQpNum_.add(connection.qpNum(), connection.place());
}

void ConnectionTable::remove(Connection& connection) {
  byId_.remove(connection.id(), connection.place());
  byQpNum_.remove(connection.qpNum(), connection.place());
}

void ConnectionTable::release(Connection& connection) {
  free_.push_back(connection.place());
}

Connection* ConnectionTable::find(connect::LinkId id) const {
  if (id == 0) return nullptr;
  auto place = byId_.find(id, [&](uint32_t at) { return connections_[at]->id() == id; });
  return place ? connections_[*place].get() : nullptr;
}

Connection* ConnectionTable::findByQpNum(uint32_t qpNum) const {
  if (qpNum == 0) return nullptr;
  auto place =
      byQpNum_.find(qpNum, [&](uint32_t at) { return connections_[at]->qpNum() == qpNum; });
  return place ? connections_[*place].get() : nullptr;
}

}  // namespace verbena::streams
