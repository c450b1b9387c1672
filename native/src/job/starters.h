// SPDX-License-Identifier: Apache-2.0
//
// Who may have started this process as a rank of a job.
#pragma once

#include "base/result.h"
#include "job/membership.h"

namespace verbena::job {

/// As whoever has started this process has it: the first whose variables are set, of verbena-run,
/// PMIx, Slurm and Kubernetes; if none are, a program is a job of one rank.
base::Result<Membership> join(const Variables& variables);

}  // namespace verbena::job
