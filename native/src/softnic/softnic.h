// SPDX-License-Identifier: Apache-2.0
//
// softnic: a verbs device in user space. It needs no privileges, no driver and nothing installed.
//
// Its wires are shared memory between processes of one user on one host, who find each other
// through a folder, and TCP between hosts or network namespaces. Which one a queue pair uses shows
// in the GID it is connected to: entry 0 of the table names the folder, entry 1 the TCP address.
//
//   VERBENA_SOFTNIC_DIR     the folder; else /dev/shm/verbena-softnic-UID
//   VERBENA_SOFTNIC_TCP     ADDRESS[:PORT] to listen at, [ADDRESS]:PORT for IPv6; without it there
//   is
//                           no TCP. The port counts up from PORT (24740) with each open context.
//                           Nothing on this wire is authenticated: for networks that can be
//                           trusted.
//   VERBENA_SOFTNIC_FAULTS  a fault script (faults.h)
#pragma once

#include "verbs/provider.h"

namespace verbena::softnic {

/// Lists one device, "softnic0".
const verbs::Provider& provider();

}  // namespace verbena::softnic
