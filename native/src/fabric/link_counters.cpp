// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_counters.h"

#include <algorithm>

namespace verbena::fabric {

void LinkCounters::begin(uint32_t relinks) {
  for (Kind& kind : kinds_) {
    kind.operations.restart();
    kind.bytes.restart();
  }
  for (base::Count* count : {&byDevice, &noRoom, &refused, &failed, &signals_}) count->restart();
  relinks_.restart(relinks);
}

/// What goes by the device is counted as such behind its operation, so it is read before that.
LinkCounts LinkCounters::read() const {
  LinkCounts counts{.relinks = static_cast<uint32_t>(relinks_), .byDevice = byDevice};
  uint64_t all = 0;
  for (const Kind& kind : kinds_) all += kind.operations;
  counts.byMapping = all - std::min(all, counts.byDevice);
  counts.puts = of(Operation::put).operations;
  counts.gets = of(Operation::get).operations;
  counts.atomics = of(Operation::fetchAdd).operations + of(Operation::compareSwap).operations;
  counts.flushes = of(Operation::flush).operations;
  counts.signals = signals_ + of(Operation::signal).operations;
  counts.putBytes = of(Operation::put).bytes;
  counts.gotBytes = of(Operation::get).bytes;
  counts.noRoom = noRoom;
  counts.refused = refused;
  counts.failed = failed;
  return counts;
}

}  // namespace verbena::fabric
