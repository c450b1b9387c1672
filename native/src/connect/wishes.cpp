// SPDX-License-Identifier: Apache-2.0
#include "connect/wishes.h"

#include <algorithm>

#include "base/survive.h"

namespace verbena::connect {
namespace {

/// Tries whose back-off a dial waits that has lost against the other side's.
constexpr unsigned kCrossedTries = 4;

}  // namespace

void Wishes::add(LinkName name, Time deadline) {
  auto [entry, isNew] = wishes_.try_emplace(name, Wish{own_.now, deadline, own_.now});
  if (!isNew) entry->second.deadline = std::max(entry->second.deadline, deadline);
}

void Wishes::fail(LinkName name, Refusal why, const std::string& reason) {
  if (wishes_.erase(name) > 0) own_.observer.dialFailed(peer_, name, why, reason);
}

void Wishes::failAll(Refusal why, const std::string& reason) {
  while (!wishes_.empty()) {
    LinkName name = wishes_.begin()->first;
    base::survive([&] { fail(name, why, reason); });
  }
}

void Wishes::again(LinkName name) {
  auto found = wishes_.find(name);
  if (found == wishes_.end()) return;
  Wish& wish = found->second;
  Time wait = wish.restarts++ > 0 ? own_.backOff(wish.restarts) : Time{0};
  wish.notBefore = std::max(wish.notBefore, own_.now + wait);
}

void Wishes::giveWay(LinkName name) {
  auto found = wishes_.find(name);
  if (found != wishes_.end()) found->second.notBefore = own_.now + own_.backOff(kCrossedTries);
}

void Wishes::giveWayAll() {
  for (auto& each : wishes_) giveWay(each.first);
}

const Wishes::Wish* Wishes::find(LinkName name) const {
  auto found = wishes_.find(name);
  return found == wishes_.end() ? nullptr : &found->second;
}

std::vector<LinkName> Wishes::due() const {
  std::vector<LinkName> names;
  for (auto& [name, wish] : wishes_) {
    if (wish.notBefore <= own_.now) names.push_back(name);
  }
  return names;
}

std::vector<LinkName> Wishes::expired() const {
  std::vector<LinkName> names;
  for (auto& [name, wish] : wishes_) {
    if (wish.deadline <= own_.now) names.push_back(name);
  }
  return names;
}

Time Wishes::deadline() const {
  Time earliest = Time::max();
  for (auto& [name, wish] : wishes_) earliest = std::min(earliest, wish.deadline);
  return earliest;
}

}  // namespace verbena::connect
