// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/count.h"

namespace verbena::fabric {

/// What a worker has done since it was opened. Under the turn to poll, but for the last one.
struct Counters {
  base::Count rounds;             ///< of progress()
  base::Count completions;        ///< of requests, taken from the queue
  base::Count failedCompletions;  ///< not counting flushed ones
  base::Count receiverNotReady;   ///< of these, the far side had no receive posted
  base::Count nonsense;           ///< links that failed by what the far side sent
  base::Count lateEndings;  ///< queue pairs destroyed before the device said they were drained
  base::Count linksFailed;  ///< for whatever reason
};

}  // namespace verbena::fabric
