// SPDX-License-Identifier: Apache-2.0
//
// Ranks that somebody has started who speaks PMIx: Open MPI's mpirun, Slurm's srun --mpi=pmix. Of
// it they have their numbers, and what rank 0 puts down there: where it listens, and a fresh key.
#pragma once

#include "base/result.h"
#include "job/membership.h"

namespace verbena::job {

bool hasPmixStarted(const Variables& variables);
/// Returns when all ranks have called it.
base::Result<Membership> joinPmix(const Variables& variables);

}  // namespace verbena::job
