// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace verbena::shmem {

/// Returns when all PEs have come to this. What they have put may still be on its way.
void syncAll();
/// As syncAll(), and all that was put before is there.
void barrierAll();

}  // namespace verbena::shmem
