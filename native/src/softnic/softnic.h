// SPDX-License-Identifier: Apache-2.0
//
// softnic: a verbs device in user space. It needs no privileges, no driver and nothing installed.
//
// Its wires are shared memory between processes of one user on one host, who find each other
// through a folder, and TCP between hosts or network namespaces. Which one a queue pair uses shows
// in the GID it is connected to: entry 0 of the table names the folder, entry 1 the TCP address.
//
//   VERBENA_SOFTNIC_DIR     the folder; else /dev/shm/verbena-softnic-UID
//   VERBENA_SOFTNIC_TCP     ADDRESS[:PORT[-LAST]] to listen at, [ADDRESS]:PORT for IPv6; without
//                           it there is no TCP, unless who opens the device says where to listen
//                           (verbs/wiring.h). The port counts up from PORT (24740) with each open
//                           context.
//   VERBENA_SOFTNIC_FAULTS  a fault script (faults.h)
//   VERBENA_SOFTNIC_ATOMICS "device": atomics are atomic with each other, and not with those of
//                           processors, as with most adapters; alike for all processes
//
// Over TCP both sides prove the cluster's key, if who opens the device has given one, before a byte
// of a packet. Without a key a peer over TCP may read where keys of memory let it, and not write.
#pragma once

#include "verbs/provider.h"

namespace verbena::softnic {

/// Lists one device, "softnic0".
const verbs::Provider& provider();

}  // namespace verbena::softnic
