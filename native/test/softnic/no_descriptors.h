// SPDX-License-Identifier: Apache-2.0
//
// A process that has no descriptors left, for a while.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace verbena::softnic::testing {

/// While it lives, this process opens nothing more.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    int lowestFree = dup(0);
    close(lowestFree);  // nothing is free below it
    rlimit few{static_cast<rlim_t>(lowestFree), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

}  // namespace verbena::softnic::testing
