// SPDX-License-Identifier: Apache-2.0
//
// Who owns the ends of the links of one node of a storm, and how it shows that they are connected.
#pragma once

#include <cstddef>
#include <memory>

#include "connect/link.h"

namespace verbena::bench {

class StormOwner {
 public:
  virtual ~StormOwner() = default;
  virtual connect::LinkOwner& links() = 0;
  /// Who hears of failed and closed connections; before the first create().
  virtual void report(connect::Lifecycle& to) = 0;
  /// Says hello over a live connection.
  virtual void greet(connect::LinkId id, connect::NodeId peer) = 0;
  /// Of how many peers a hello has come that was meant for this node.
  virtual size_t greeted() const = 0;
};

/// Has numbers instead of queue pairs: the connection manager alone. Its hello is the far end that
/// the manager brought: it names who made it for whom.
std::unique_ptr<StormOwner> ownerWithoutQueuePairs(connect::NodeId self);

/// An engine on a port of softnic, with a thread for its rounds. Its hello is a message.
std::unique_ptr<StormOwner> engineOnSoftnic(connect::NodeId self, connect::NodeId nodes);

}  // namespace verbena::bench
