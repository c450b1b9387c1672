// SPDX-License-Identifier: Apache-2.0
//
// Which links with one peer somebody waits for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connect/own_node.h"

namespace verbena::connect {

class Wishes {
 public:
  struct Wish {
    Time since;
    Time deadline;
    Time notBefore;         ///< for the next try
    unsigned restarts = 0;  ///< tries that came to nothing
  };

  Wishes(OwnNode& own, NodeId peer) : own_(own), peer_(peer) {}

  /// Many dials of one link are one; it fails when the last one's time is over.
  void add(LinkName name, Time deadline);
  /// The link is up.
  void fulfil(LinkName name) { wishes_.erase(name); }
  /// Tells the observer, if somebody waits.
  void fail(LinkName name, Refusal why, const std::string& reason);
  void failAll(Refusal why, const std::string& reason);
  /// A try came to nothing: the next one waits longer, but for the first.
  void again(LinkName name);
  /// The other side's try goes first: this one's next waits for it.
  void giveWay(LinkName name);
  void giveWayAll();

  bool empty() const { return wishes_.empty(); }
  const Wish* find(LinkName name) const;
  /// Those that may be tried now.
  std::vector<LinkName> due() const;
  /// Those whose time is over.
  std::vector<LinkName> expired() const;
  Time deadline() const;  ///< the earliest
  const std::map<LinkName, Wish>& all() const { return wishes_; }

 private:
  OwnNode& own_;
  const NodeId peer_;
  std::map<LinkName, Wish> wishes_;
};

}  // namespace verbena::connect
