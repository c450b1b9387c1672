// SPDX-License-Identifier: Apache-2.0
//
// Processes that are forked from one that uses the library: they have its memory and its
// descriptors and none of its threads.
#pragma once

#include <atomic>

namespace verbena::base {

/// Set in such a process.
extern std::atomic<bool> isForked;

/// From here on children of this process have isForked set, and none of the descriptors of
/// FileDescriptor: what tells others that their owner lives must end with it. For libraries; a
/// program that forks on purpose hands descriptors on.
void watchForks();

}  // namespace verbena::base
