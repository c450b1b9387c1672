// SPDX-License-Identifier: Apache-2.0
//
// Many nodes in a few processes, all connected to all: how long it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "connect/queue_pairs.h"

namespace verbena::bench {

struct StormOptions {
  connect::NodeId nodes = 100;
  unsigned processes = 4;
  unsigned timeoutSeconds = 60;
};

/// One node's owner of queue pairs.
class StormOwner : public connect::QueuePairs {
 public:
  /// Who hears of failed and closed connections; before the first create().
  virtual void report(connect::Lifecycle& to) = 0;
};

using MakeOwner = std::function<std::unique_ptr<StormOwner>(connect::NodeId self)>;

/// Runs it and prints what it took. The process's exit status: 0 when every node has a connection
/// to every other.
int connectStorm(const StormOptions& options, const MakeOwner& makeOwner);

}  // namespace verbena::bench
