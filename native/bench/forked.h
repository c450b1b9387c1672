// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "device_options.h"

namespace verbena::bench {

/// A child process that does something until it is killed: when this goes, or its parent ends.
/// Started before there are threads.
class Forked {
 public:
  template <typename Work>
  Forked(const char* tool, Work work) {
    pid_t parent = getpid();
    process_ = fork();
    if (process_ < 0) {
      die(tool, std::string("cannot start the other process: ") + std::strerror(errno));
    }
    if (process_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) work();
    _exit(1);
  }
  ~Forked() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;

 private:
  pid_t process_;
};

}  // namespace verbena::bench
