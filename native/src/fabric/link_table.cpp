// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_table.h"

#include <algorithm>

namespace verbena::fabric {

void LinkTable::add(Service& service, Worker& worker, uint32_t count) {
  auto first = static_cast<uint32_t>(links_.size());
  Places own{&service, first, {}};
  for (uint32_t i = 0; i < count; i++) links_.push_back(service.newLink(worker, first + i));
  for (uint32_t i = count; i > 0; i--) own.free.push_back(first + i - 1);
  places_.push_back(std::move(own));
}

Link* LinkTable::reserve(const Service& service) {
  for (Places& own : places_) {
    if (own.service != &service || own.free.empty()) continue;
    Link* reserved = links_[own.free.back()].get();
    own.free.pop_back();
    return reserved;
  }
  return nullptr;
}

void LinkTable::enter(Link& link) {
  byId_.add(link.id(), link.place());
  byQpNum_.add(link.qpNum(), link.place());
}

void LinkTable::leaveQueuePair(Link& link) {
  byQpNum_.remove(link.qpNum(), link.place());
}

void LinkTable::remove(Link& link) {
  byId_.remove(link.id(), link.place());
}

void LinkTable::release(Link& link) {
  auto isBehind = [&](const Places& own) { return own.first <= link.place(); };
  auto own = std::find_if(places_.rbegin(), places_.rend(), isBehind);
  own->free.push_back(link.place());
}

Link* LinkTable::find(connect::LinkId id) const {
  if (id == 0) return nullptr;
  auto place = byId_.find(id, [&](uint32_t at) { return links_[at]->id() == id; });
  return place ? links_[*place].get() : nullptr;
}

Link* LinkTable::findByQpNum(uint32_t qpNum) const {
  if (qpNum == 0) return nullptr;
  auto place = byQpNum_.find(qpNum, [&](uint32_t at) { return links_[at]->qpNum() == qpNum; });
  return place ? links_[*place].get() : nullptr;
}

}  // namespace verbena::fabric
