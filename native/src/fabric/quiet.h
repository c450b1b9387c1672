// SPDX-License-Identifier: Apache-2.0
//
// What was posted on all links of a worker up to a moment, until the last of it has ended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "connect/link.h"

namespace verbena::fabric {

class OneSided;
class OneSidedLink;

/// One thread. Nothing is noted when operations are posted: links number them anyway.
class Quiet {
 public:
  /// Looks at each link, under its turn.
  explicit Quiet(OneSided& memory);
  /// Whether everything has ended: what was done can be seen at its target. Rounds bring it about.
  bool isOver();

 private:
  struct Open {
    OneSidedLink* link;
    connect::LinkId id;
    std::optional<uint64_t> until;  ///< nothing: there was no room for what would say so
  };
  bool isOver(Open& open);
  void mark(Open& open);

  OneSided& memory_;
  std::vector<Open> open_;
};

}  // namespace verbena::fabric
