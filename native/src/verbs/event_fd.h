// SPDX-License-Identifier: Apache-2.0
//
// Waiting on a descriptor that events arrive on.
#pragma once

#include <chrono>

namespace verbena::verbs {

/// Makes reads of the descriptor return EAGAIN in place of blocking. Returns 0 or an errno value.
int makeNonBlocking(int fd);

/// Blocks until the descriptor is readable or the time is over. Returns whether it is readable; a
/// signal does not end the wait. A negative time waits for ever.
bool waitReadable(int fd, std::chrono::nanoseconds timeout);

}  // namespace verbena::verbs
