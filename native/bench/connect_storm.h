// SPDX-License-Identifier: Apache-2.0
//
// Many nodes in a few processes, all connected to all: how long it takes.
#pragma once

#include <functional>
#include <memory>

#include "storm_owner.h"

namespace verbena::bench {

struct StormOptions {
  connect::NodeId nodes = 100;
  unsigned processes = 4;
  unsigned timeoutSeconds = 60;  ///< for each of connecting, saying hello and closing
  bool softnic = true;           ///< else there are no queue pairs
};

using MakeOwner = std::function<std::unique_ptr<StormOwner>(connect::NodeId self)>;

/// Runs it and prints what it took. The process's exit status: 0 when every node has a connection
/// to every other, a hello has come over each of its ends, and everything was closed again.
int connectStorm(const StormOptions& options, const MakeOwner& makeOwner);

}  // namespace verbena::bench
