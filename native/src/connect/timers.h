// SPDX-License-Identifier: Apache-2.0
//
// One timer per peer. Setting and taking cost the logarithm of their number.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "connect/challenges.h"

namespace verbena::connect {

class Timers {
 public:
  /// Replaces the peer's former one.
  void set(NodeId peer, Time at) {
    auto [entry, isNew] = at_.try_emplace(peer, at);
    if (!isNew && entry->second == at) return;
    if (!isNew) order_.erase({entry->second, peer});
    entry->second = at;
    order_.insert({at, peer});
  }
  void clear(NodeId peer) {
    auto entry = at_.find(peer);
    if (entry == at_.end()) return;
    order_.erase({entry->second, peer});
    at_.erase(entry);
  }
  std::optional<Time> next() const {
    if (order_.empty()) return std::nullopt;
    return order_.begin()->first;
  }
  /// Removes and returns those that are due, earliest first.
  std::vector<NodeId> take(Time now) {
    std::vector<NodeId> due;
    while (!order_.empty() && order_.begin()->first <= now) {
      due.push_back(order_.begin()->second);
      clear(due.back());
    }
    return due;
  }

 private:
  std::set<std::pair<Time, NodeId>> order_;
  std::unordered_map<NodeId, Time> at_;
};

}  // namespace verbena::connect
