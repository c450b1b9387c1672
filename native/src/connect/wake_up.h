// SPDX-License-Identifier: Apache-2.0
//
// Ends a thread's poll(): an eventfd.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace verbena::connect {

class WakeUp {
 public:
  /// Without a descriptor, and errno set, if the system has none for us.
  WakeUp() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~WakeUp() {
    if (fd_ >= 0) ::close(fd_);
  }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  /// Readable while it rings; -1 if there is none.
  int fd() const { return fd_; }
  /// Any thread; does not block.
  void ring() const {
    uint64_t one = 1;
    ssize_t written = write(fd_, &one, sizeof one);
    static_cast<void>(written);  // fails only when it has rung 2^64 times already
  }
  void silence() const {
    uint64_t rung;
    ssize_t bytes = read(fd_, &rung, sizeof rung);
    static_cast<void>(bytes);  // fails when it does not ring
  }

 private:
  const int fd_;
};

}  // namespace verbena::connect
