// SPDX-License-Identifier: Apache-2.0
//
// All connections of an engine, found by id and by queue pair number without a lock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/place_index.h"
#include "streams/connection.h"

namespace verbena::streams {

/// Reserving, entering and removing are for one thread at a time.
class ConnectionTable {
 public:
  explicit ConnectionTable(Works& works);

  /// A free place; null if there is none.
  Connection* reserve();
  /// It has an id and a queue pair number: it can be found.
  void enter(Connection& connection);
  /// It cannot be found any more.
  void remove(Connection& connection);
  /// Its place is free for another one.
  void release(Connection& connection);

  /// Null if there is none.
  Connection* find(connect::LinkId id) const;
  Connection* findByQpNum(uint32_t qpNum) const;
  Connection& at(uint32_t place) const { return *connections_[place]; }

  template <typename Visit>
  void forEach(Visit visit) const {
    for (const auto& connection : connections_) visit(*connection);
  }

 private:
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<uint32_t> free_;
  fabric::PlaceIndex byId_;
  fabric::PlaceIndex byQpNum_;
};

}  // namespace verbena::streams
