// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "fabric/domain.h"
#include "fabric/send_queue.h"
#include "fabric/worker.h"
#include "streams/options.h"
#include "streams/shared_receives.h"
#include "streams/window_grants.h"
#include "verbs/completion.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::streams {

/// What all connections of an engine have in common.
struct Works {
  /// One header for each request that may be under way, and the control ring.
  static uint64_t outgoingBytes(const EngineOptions& options) {
    uint64_t headers = fabric::SendQueue::places(options.sendWorkRequests) * kHeaderBytes;
    return (headers + 63) / 64 * 64 + options.controlRingBytes;
  }
  std::byte* outgoing(uint32_t place) const {
    return outgoingMemory.start() + place * outgoingBytes(options);
  }

  static constexpr uint64_t kHeaderBytes = 16;

  const EngineOptions options;
  fabric::Worker& worker;
  fabric::Registered outgoingMemory;  // of all places, one registration
  verbs::CompletionQueue arrivals;
  verbs::SharedReceiveQueue receives;
  SharedReceives::Limits limits;
  std::unique_ptr<WindowGrants> grants;  // its place stays when this moves
};

}  // namespace verbena::streams
