// SPDX-License-Identifier: Apache-2.0
//
// Ranks that Slurm's srun has started without PMIx: by its variables. It hands out no key, and no
// place to meet.
#pragma once

#include "base/result.h"
#include "job/membership.h"

namespace verbena::job {

bool hasSlurmStarted(const Variables& variables);
base::Result<Membership> joinSlurm(const Variables& variables);

/// What its variables say of a rank's place: all but the address of its host.
base::Result<Place> placeFromSlurm(const Variables& variables);
/// The port of a step's rank 0 where none is configured: steps that run at one time on one host
/// rarely have the same.
uint16_t portOfStep(uint32_t job, uint32_t step);

}  // namespace verbena::job
