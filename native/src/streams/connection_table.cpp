// SPDX-License-Identifier: Apache-2.0
#include "streams/connection_table.h"

namespace verbena::streams {

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
