// SPDX-License-Identifier: Apache-2.0
#include "engine/connection_table.h"

#include <bit>

namespace verbena::engine {

PlaceIndex::PlaceIndex(uint32_t places) : entries_(std::bit_ceil(uint64_t{places} * 4)) {}

size_t PlaceIndex::first(uint64_t key) const {
  uint64_t mixed = key * 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio
  return (mixed >> 32) & (entries_.size() - 1);
}

void PlaceIndex::add(uint64_t key, uint32_t place) {
  size_t i = first(key);
  while (entries_[i].load(std::memory_order_relaxed) >= kFirst) i = next(i);
  entries_[i].store(place + kFirst, std::memory_order_release);
}

/// Entries behind a removed one stay reachable, so it does not become as never used unless nothing
/// lies behind it: then whoever looks would have stopped at the next one anyway.
void PlaceIndex::remove(uint64_t key, uint32_t place) {
  size_t i = first(key);
  while (entries_[i].load(std::memory_order_relaxed) != place + kFirst) {
    if (entries_[i].load(std::memory_order_relaxed) == kNeverUsed) return;
    i = next(i);
  }
  entries_[i].store(kRemoved, std::memory_order_relaxed);
  if (entries_[next(i)].load(std::memory_order_relaxed) != kNeverUsed) return;
  for (; entries_[i].load(std::memory_order_relaxed) == kRemoved; i = previous(i)) {
    entries_[i].store(kNeverUsed, std::memory_order_release);
  }
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

Connection* ConnectionTable::find(connect::ConnectionId id) const {
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

}  // namespace verbena::engine
