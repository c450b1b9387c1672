// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_counters.h"

namespace verbena::fabric {

void LinkCounters::begin(uint32_t relinks) {
  for (base::Count& count : operations_) count.restart();
  for (base::Count& count : bytes_) count.restart();
  for (base::Count* count : {&byMapping, &byDevice, &noRoom, &refused, &failed, &signals_}) {
    count->restart();
  }
  relinks_.restart(relinks);
}

LinkCounts LinkCounters::read() const {
  return {.relinks = static_cast<uint32_t>(relinks_),
          .puts = of(Operation::put),
          .gets = of(Operation::get),
          .atomics = of(Operation::fetchAdd) + of(Operation::compareSwap),
          .flushes = of(Operation::flush),
          .signals = signals_ + of(Operation::signal),
          .putBytes = bytesOf(Operation::put),
          .gotBytes = bytesOf(Operation::get),
          .byMapping = byMapping,
          .byDevice = byDevice,
          .noRoom = noRoom,
          .refused = refused,
          .failed = failed};
}

}  // namespace verbena::fabric
