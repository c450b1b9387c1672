// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "perf_side.h"

namespace verbena::perf {

struct Result {
  double perSecond = 0;                 ///< requests
  double megabytesPerSecond = 0;        ///< 10^6 bytes of payload
  double memcpyMegabytesPerSecond = 0;  ///< what one core copies, same size, same moment
  std::vector<uint64_t> rttNs;          ///< sorted; of a latency measurement
};

/// The measuring process. Each call is one measurement; both sides call the same ones.
Result measure(Side& side);
/// The other process: receives, echoes, or does nothing until the measurement is over.
void serve(Side& side);

/// Copies of `sizeBytes` by one core between two buffers that stay in its cache as ours do.
double memcpySpeed(uint32_t sizeBytes, double seconds);

}  // namespace verbena::perf
