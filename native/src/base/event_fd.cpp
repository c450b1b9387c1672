// SPDX-License-Identifier: Apache-2.0
#include "base/event_fd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace verbena::base {

bool EventCounter::open() {
  fd_ = FileDescriptor(eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC));
  return static_cast<bool>(fd_);
}

void EventCounter::add() {
  uint64_t one = 1;
  // Fails only at 2^64 - 2 unread events.
  [[maybe_unused]] ssize_t written = write(fd_.get(), &one, sizeof one);
}

bool EventCounter::take() {
  uint64_t taken = 0;
  ssize_t got = -1;
  do {
    got = read(fd_.get(), &taken, sizeof taken);
  } while (got < 0 && errno == EINTR);
  return got == sizeof taken;
}

}  // namespace verbena::base
