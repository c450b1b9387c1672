// SPDX-License-Identifier: Apache-2.0
//
// Eventfds: one that ends a thread's poll(), and one that counts events.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "base/descriptor.h"

namespace verbena::base {

/// Ends a thread's poll().
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

/// Counts events in an eventfd. Reading it takes one; it blocks unless the user of the descriptor
/// has set O_NONBLOCK.
class EventCounter {
 public:
  /// False and errno on failure.
  bool open();
  int fd() const { return fd_.get(); }
  void add();
  /// Takes one. False and errno (EAGAIN) if there is none and the descriptor does not block.
  bool take();

 private:
  FileDescriptor fd_;
};

}  // namespace verbena::base
