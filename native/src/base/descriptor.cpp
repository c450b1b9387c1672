// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace verbena::base {
namespace {

using Clock = std::chrono::steady_clock;

timespec toTimespec(std::chrono::nanoseconds duration) {
  if (duration.count() < 0) return {};
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((duration - seconds).count())};
}

}  // namespace

bool isExhausted(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
         error == ENOSPC;
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

int makeNonBlocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return errno;
  return fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 ? 0 : errno;
}

bool waitReadable(int fd, std::chrono::nanoseconds timeout) {
  bool forever = timeout.count() < 0;
  Clock::time_point deadline = forever ? Clock::time_point{} : Clock::now() + timeout;
  for (;;) {
    pollfd waited{fd, POLLIN, 0};
    timespec left = forever ? timespec{} : toTimespec(deadline - Clock::now());
    int ready = ppoll(&waited, 1, forever ? nullptr : &left, nullptr);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace verbena::base
