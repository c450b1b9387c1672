// SPDX-License-Identifier: Apache-2.0
//
// Counts of one queue and one peer. The queue's thread counts, any thread reads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "base/count.h"
#include "frame.h"

namespace verbena::ip {

struct Traffic {
  base::Count frames;
  base::Count bytes;  ///< of frames
  base::Count superFrames;
  std::array<base::Count, static_cast<size_t>(Drop::count)> drops;

  void passed(const Heading& heading, size_t frameBytes) {
    frames.add();
    bytes.add(frameBytes);
    if (heading.isSuperFrame()) superFrames.add();
  }
  void dropped(Drop why) { drops[static_cast<size_t>(why)].add(); }
};

struct PeerCounters {
  Traffic out;
  Traffic in;
  base::Count batches;  ///< messages that frames went in
  base::Count copied;   ///< frames that were read behind another peer's
  base::Count stops;    ///< waits for room, in which the device was not read
};

}  // namespace verbena::ip
