// SPDX-License-Identifier: Apache-2.0
//
// What runs on each host of a job: it starts the ranks there, and stands between them and the
// launcher. The end of the launcher's stream is the end of all that it has started.
#pragma once

#include "guard.h"

namespace verbena::launch {

/// On standard input and output. Returns an exit status when nothing is left of the job here, but
/// what the guard will find.
int runAgent(Guarded guarded);

}  // namespace verbena::launch
