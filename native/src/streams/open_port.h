// SPDX-License-Identifier: Apache-2.0
//
// What an engine has opened on its device.
#pragma once

#include "streams/options.h"
#include "verbs/async_events.h"
#include "verbs/completion.h"
#include "verbs/memory.h"
#include "verbs/queue_pair.h"
#include "verbs/selection.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::streams {

struct OpenPort {
  /// Completion queues as long as there can be completions in them, so that none can overrun.
  static base::Result<OpenPort> open(const verbs::Selection& selection,
                                     const EngineOptions& options);

  verbs::Selection selection;
  verbs::Context context;
  verbs::ProtectionDomain pd;
  verbs::AsyncEvents events;
  verbs::CompletionChannel channel;
  verbs::CompletionQueue sendQueue;
  verbs::CompletionQueue receiveQueue;
  verbs::SharedReceiveQueue receives;
};

/// One more than the sends themselves: the last one, which shows that a closed queue is drained.
constexpr uint64_t sendCompletions(const EngineOptions& options) {
  return uint64_t{options.maxConnections} * (options.sendWorkRequests + 1);
}

/// Registered memory of one kind.
struct Registered {
  static base::Result<Registered> allocate(const OpenPort& port, uint64_t bytes);

  std::byte* start() const { return memory.bytes().data(); }
  uint64_t bytes() const { return memory.bytes().size(); }
  uint32_t lkey() const { return region.lkey(); }

  verbs::ShareableMemory memory;
  verbs::MemoryRegion region;
};

}  // namespace verbena::streams
