// SPDX-License-Identifier: Apache-2.0
//
// One job, from its start to its end.
#pragma once

#include "options.h"

namespace verbena::launch {

/// Starts the ranks and returns the exit status when all have ended.
int launch(const Options& options);

}  // namespace verbena::launch
