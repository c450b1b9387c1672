// SPDX-License-Identifier: Apache-2.0
//
// softnic: a verbs device in user space, over shared memory between processes of a host.
//
// It needs no privileges, no driver and nothing installed. Processes of one user find each other
// through a folder: VERBENA_SOFTNIC_DIR, else /dev/shm/verbena-softnic-UID.
#pragma once

#include "verbs/provider.h"

namespace verbena::softnic {

/// Lists one device, "softnic0".
const verbs::Provider& provider();

}  // namespace verbena::softnic
