// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "base/result.h"
#include "connect/link.h"
#include "fabric/worker.h"

namespace verbena::streams {

/// Most pieces that what has arrived can lie in.
inline constexpr uint32_t kMaxPieces = 4;

struct EngineOptions {
  connect::NodeId self = 0;
  uint32_t maxConnections = 256;
  uint32_t sendWorkRequests = 64;    ///< of one connection; those of the worker's links
  uint32_t signalEvery = 16;         ///< at least one of so many sends reports its completion
  uint32_t bufferBytes = 16 * 1024;  ///< of one receive buffer
  uint32_t buffersPerReceive = 1;    ///< so many times that is the largest send that is taken
  /// Of all connections together: so far windows grow.
  uint32_t receiveWorkRequests = 512;
  /// So many of them each connection begins with. Sends beyond them wait until this side has looked
  /// for what comes, and whoever looks may be busy with a handler.
  uint32_t firstWindow = 8;
  uint32_t window = 32;  ///< most sends with payload a peer may have under way to us, once it grew
  uint32_t controlRingBytes = 16 * 1024;
  /// How long a send may wait until the far side has taken it: longer than a receiver pauses.
  std::chrono::milliseconds patience{5'000};

  uint32_t receiveBytes() const { return bufferBytes * buffersPerReceive; }
};

/// Against the limits of the device and of the worker, each error naming the option that has to
/// change.
base::Result<void> check(const fabric::Worker& worker, const EngineOptions& options);
/// What they mean for the worker that drives the engine's connections.
fabric::WorkerOptions workerOptions(const EngineOptions& options);

/// What memory the options cost, in bytes.
struct EngineMemory {
  uint64_t receiveBuffers;    ///< shared by all connections, registered; it grows with them
  uint64_t perConnection;     ///< registered when the engine is opened, for maxConnections
  uint64_t completionQueues;  ///< as far as this side knows: entries times the size of one
};

}  // namespace verbena::streams
