// SPDX-License-Identifier: Apache-2.0
//
// All links of a worker, found by id and by queue pair number without a lock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/link.h"
#include "fabric/place_index.h"
#include "fabric/service.h"

namespace verbena::fabric {

/// Adding, reserving, entering, removing and releasing are for one thread at a time.
class LinkTable {
 public:
  explicit LinkTable(uint32_t places) : byId_(places), byQpNum_(places) { links_.reserve(places); }

  /// Makes so many links of a service, before the first is reserved.
  void add(Service& service, Worker& worker, uint32_t count);
  /// A free place of a service; null if there is none.
  Link* reserve(const Service& service);
  /// It has an id and a queue pair number: it can be found.
  void enter(Link& link);
  /// Its queue pair's number may become another's: it cannot be found by that any more.
  void leaveQueuePair(Link& link);
  /// It cannot be found at all.
  void remove(Link& link);
  /// Its place is free for another one.
  void release(Link& link);

  /// Null if there is none.
  Link* find(connect::LinkId id) const;
  Link* findByQpNum(uint32_t qpNum) const;
  Link& at(uint32_t place) const { return *links_[place]; }

  template <typename Visit>
  void forEach(Visit visit) const {
    for (const auto& link : links_) visit(*link);
  }

 private:
  struct Places {
    const Service* service;
    uint32_t first;
    std::vector<uint32_t> free;  // the lowest is last
  };

  std::vector<std::unique_ptr<Link>> links_;
  std::vector<Places> places_;  // by service, in the order of their places
  PlaceIndex byId_;
  PlaceIndex byQpNum_;
};

}  // namespace verbena::fabric
