// SPDX-License-Identifier: Apache-2.0
//
// How many files may be open: a stream or two for each host, pipes for each rank.
#pragma once

#include <sys/resource.h>

namespace verbena::launch {

/// Takes what this process may have. Programs that it starts get back what it was started with:
/// some close all that could be open, or keep numbers of descriptors in sets of 1,024.
class OpenFiles {
 public:
  OpenFiles() {
    if (getrlimit(RLIMIT_NOFILE, &before_) != 0) return;
    rlimit most{before_.rlim_max, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
  }
  /// In a process that is started.
  void restore() const {
    if (before_.rlim_max != 0) setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
};

}  // namespace verbena::launch
