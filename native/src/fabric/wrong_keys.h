// SPDX-License-Identifier: Apache-2.0
//
// Keys have few secret bits, and a wrong one costs its sender nothing but the link. So links with a
// peer that has used many are made more slowly than it could guess.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include "connect/link.h"

namespace verbena::fabric {

/// A bucket of kAtOnce for each peer, into which one comes back every kEach. Any thread. Peers that
/// number themselves count as one: they could number themselves anew.
class WrongKeys {
 public:
  using Time = std::chrono::nanoseconds;  // of the steady clock
  static constexpr unsigned kAtOnce = 16;
  static constexpr Time kEach = std::chrono::seconds(2);

  /// For tests that do nothing else.
  void allowAtOnce(unsigned links) {
    std::lock_guard guard(lock_);
    atOnce_ = links;
  }

  /// A key of this node is revoked: peers may be using it in good faith.
  void noteRevoked(Time now) {
    std::lock_guard guard(lock_);
    revokedAt_ = now;
  }

  /// A link with the peer has ended because the peer used a wrong key.
  void note(connect::NodeId peer, Time now) {
    std::lock_guard guard(lock_);
    if (revokedAt_ && now - *revokedAt_ < kEach) return;
    std::erase_if(paidAt_, [now](const auto& each) { return each.second <= now; });
    Time& paid = paidAt_[countedAs(peer)];
    paid = std::max(paid, now) + kEach;
  }

  /// How long until the next link with the peer may be made; 0: at once.
  Time pause(connect::NodeId peer, Time now) const {
    std::lock_guard guard(lock_);
    auto found = paidAt_.find(countedAs(peer));
    if (found == paidAt_.end()) return Time{0};
    return std::max(Time{0}, found->second - now - atOnce_ * kEach);
  }

 private:
  static connect::NodeId countedAs(connect::NodeId peer) {
    return std::min<connect::NodeId>(peer, connect::kMostGiven + 1);
  }

  mutable std::mutex lock_;
  std::map<connect::NodeId, Time> paidAt_;  ///< when all that it has used will be long enough ago
  std::optional<Time> revokedAt_;
  unsigned atOnce_ = kAtOnce;
};

}  // namespace verbena::fabric
