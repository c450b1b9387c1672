// SPDX-License-Identifier: Apache-2.0
//
// Descriptors: their closing, and waiting on those that events arrive on.
#pragma once

#include <chrono>
#include <utility>

namespace verbena::base {

/// A descriptor that closes itself.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd);
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  /// Around a fork (fork.h): meanwhile none is opened or closed by an object. In the new process
  /// those of all objects may be closed with its end.
  static void beginFork();
  static void endFork(bool closesAll);

 private:
  int fd_ = -1;
};

/// Whether the system had nothing left of something: it may have again soon.
bool isExhausted(int error);

/// Makes reads of the descriptor return EAGAIN in place of blocking. Returns 0 or an errno value.
int makeNonBlocking(int fd);

/// Blocks until the descriptor is readable or the time is over. Returns whether it is readable; a
/// signal does not end the wait. A negative time waits for ever.
bool waitReadable(int fd, std::chrono::nanoseconds timeout);

}  // namespace verbena::base
