// SPDX-License-Identifier: Apache-2.0
//
// The live links of each node, found by any thread.
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "connect/link.h"

namespace verbena::connect {

/// One thread adds, any reads. Who sends holds the link's id already: it is looked up by those who
/// connect.
class Directory {
 public:
  /// 0 for none. Who finds a link sees what has been done to bring it up.
  LinkId find(NodeId node, LinkName name) const {
    std::shared_lock held(lock_);
    auto found = links_.find({node, name});
    return found == links_.end() ? 0 : found->second;
  }

  void add(NodeId node, LinkName name, LinkId id) {
    std::lock_guard held(lock_);
    links_[{node, name}] = id;
  }
  void remove(NodeId node, LinkName name) {
    std::lock_guard held(lock_);
    links_.erase({node, name});
  }
  /// Nobody finds the link any more, though it is still there. Any thread.
  void hide(LinkId id) {
    std::lock_guard held(lock_);
    std::erase_if(links_, [&](const auto& each) { return each.second == id; });
  }

 private:
  mutable std::shared_mutex lock_;
  std::map<std::pair<NodeId, LinkName>, LinkId> links_;
};

}  // namespace verbena::connect
