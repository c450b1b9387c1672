// SPDX-License-Identifier: Apache-2.0
//
// Processes that are forked from one that uses the library: they have its memory and its
// descriptors and none of its threads.
#pragma once

#include <atomic>

namespace verbena::base {

/// Set in a process that was forked while there was an object of InUse.
extern std::atomic<bool> isForked;

/// What has threads, locks or connections. A child of this process that is forked meanwhile has
/// isForked set, and none of the descriptors of FileDescriptor: what tells others that their owner
/// lives must end with it. For libraries; a program that forks on purpose hands descriptors on.
class InUse {
 public:
  InUse();
  ~InUse();
  InUse(const InUse& /*other*/) : InUse() {}
  InUse& operator=(const InUse&) = default;
};

}  // namespace verbena::base
