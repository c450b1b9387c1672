// SPDX-License-Identifier: Apache-2.0
//
// What a node is told about itself and about time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "connect/link.h"

namespace verbena::connect {

struct ManagerOptions {
  NodeId self = 0;
  uint64_t incarnation = 0;          ///< random, not 0; one life of this node
  std::string cluster = "default";   ///< nodes of other clusters are refused
  std::vector<std::byte> key;        ///< the cluster's secret; empty: nobody proves anything
  std::string listen = "0.0.0.0:0";  ///< "host:port", "[v6]:port"; port 0 for any
  std::chrono::nanoseconds firstRetry = std::chrono::milliseconds(5);
  std::chrono::nanoseconds lastRetry = std::chrono::milliseconds(500);
  std::chrono::nanoseconds discovery{0};  ///< how often unconnected nodes are probed; 0: not at all
  std::chrono::nanoseconds heartbeat = std::chrono::milliseconds(500);
  std::chrono::nanoseconds deadAfter = std::chrono::seconds(2);  ///< more than the heartbeat
};

}  // namespace verbena::connect
