// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "connect/link.h"

namespace verbena::fabric {

/// How many links with a peer there were before, for people. Peers choose their rails, and those
/// that number themselves their ids: so many of either kind are counted, and of others nothing is
/// kept. Of one thread.
class Relinks {
 public:
  static constexpr size_t kMostCounted = 16'384;

  explicit Relinks(size_t mostCounted = kMostCounted) : mostCounted_(mostCounted) {}

  /// A link begins: how many with this peer, on this rail, have begun before it.
  uint32_t begin(connect::NodeId peer, uint16_t rail) {
    // Those that come and go under ever new ids take no room from those that have theirs for good.
    Begun& begun = peer > connect::kMostGiven ? byChance_ : given_;
    auto known = begun.find({peer, rail});
    if (known != begun.end()) return known->second++;
    if (begun.size() < mostCounted_) begun.emplace(std::pair(peer, rail), 1);
    return 0;
  }

 private:
  using Begun = std::map<std::pair<connect::NodeId, uint16_t>, uint32_t>;

  const size_t mostCounted_;
  Begun given_;
  Begun byChance_;
};

}  // namespace verbena::fabric
