// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "job/party.h"
#include "job/sockets.h"

namespace verbena::job {

/// A stream to rank 0 on which both have proved themselves, and which is sealed. Tries again and
/// again until the time of the party's patience is over: rank 0 may start later, its name be known
/// later, its answer be lost, or a program that says nothing have its port for a while.
base::Result<Stream> reachFirstRank(const Party& party, const HostPort& at);

}  // namespace verbena::job
