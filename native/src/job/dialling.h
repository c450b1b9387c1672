// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "job/party.h"
#include "job/sockets.h"

namespace verbena::job {

/// A connection to rank 0 on which both have proved themselves. Tries again and again until the
/// time of the party's patience is over: rank 0 may start later, and its name be known later.
base::Result<base::FileDescriptor> reachFirstRank(const Party& party, const HostPort& at);

}  // namespace verbena::job
