// SPDX-License-Identifier: Apache-2.0
//
// Ranks that verbena-run has started: by the variables it sets, and the folder of the host's agent.
#pragma once

#include "base/result.h"
#include "job/membership.h"

namespace verbena::job {

bool hasVerbenaRunStarted(const Variables& variables);
base::Result<Membership> joinVerbenaRun(const Variables& variables);

/// Fails for what cannot be: a variable that is missing or no number, a rank that is not below the
/// size.
base::Result<Place> placeFrom(const Variables& variables);

}  // namespace verbena::job
