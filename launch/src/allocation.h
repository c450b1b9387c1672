// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "hosts.h"
#include "job/surroundings.h"

namespace verbena::launch {

/// The hosts that Slurm has given to the job in which this program runs, and how many tasks fit on
/// each; none outside of such a job.
base::Result<std::vector<Host>> allocatedHosts(const job::Variables& variables);

}  // namespace verbena::launch
