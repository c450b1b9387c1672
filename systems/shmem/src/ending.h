// SPDX-License-Identifier: Apache-2.0
//
// How a PE ends before its program does.
#pragma once

#include <verbena/job.h>

namespace verbena::shmem {

/// Ends the process. What the program has written goes out before, unless that takes too long.
[[noreturn]] void endNow(int status);

/// From here on a PE of the job that has failed ends this one; null: no more.
void watch(vbn_job* job);
/// Ends the process if a PE wants all to end, or has failed: a wait would be for ever. The latter
/// is looked for now and then.
void lookForTheEnd();
/// The same where something has failed, for that may be why.
void lookForTheEndAtOnce();

}  // namespace verbena::shmem
