// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/count.h"
#include "connect/link.h"
#include "fabric/request.h"

namespace verbena::fabric {

/// What a link for one-sided operations has done since it began.
struct LinkCounts {
  connect::NodeId peer = 0;
  uint32_t relinks = 0;  ///< links with this peer that ended before it
  uint64_t puts = 0;     ///< operations that were begun, like the next ones
  uint64_t gets = 0;
  uint64_t atomics = 0;
  uint64_t flushes = 0;
  uint64_t signals = 0;  ///< with a put, or without one
  uint64_t putBytes = 0;
  uint64_t gotBytes = 0;
  uint64_t byMapping = 0;
  uint64_t byDevice = 0;
  uint64_t noRoom = 0;   ///< posts for which there was no room
  uint64_t refused = 0;  ///< posts that were refused
  uint64_t failed = 0;   ///< operations that ended otherwise than done
};

/// The same while it is counted, under the link's turn but for the last one. Any thread reads.
class LinkCounters {
 public:
  void begin(uint32_t relinks);
  void count(const Request& request) {
    Kind& kind = kinds_[indexOf(request.operation)];
    kind.operations.add();
    kind.bytes.add(request.length);
    if (request.signals) signals_.add();
  }
  LinkCounts read() const;

  base::Count byDevice;  ///< of those that are counted; the others went by mapping
  base::Count noRoom;
  base::Count refused;
  base::Count failed;  ///< by whoever polls, too

 private:
  struct Kind {
    base::Count operations;
    base::Count bytes;
  };
  static constexpr size_t kKinds = 6;
  static constexpr size_t indexOf(Operation operation) { return static_cast<size_t>(operation); }
  const Kind& of(Operation operation) const { return kinds_[indexOf(operation)]; }

  Kind kinds_[kKinds];
  base::Count signals_;  // with a put
  base::Count relinks_;
};

}  // namespace verbena::fabric
