// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <mutex>

namespace verbena::base {
namespace {

using Clock = std::chrono::steady_clock;

timespec toTimespec(std::chrono::nanoseconds duration) {
  if (duration.count() < 0) return {};
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((duration - seconds).count())};
}

// The descriptors of all objects, a bit each. Those with higher numbers are not in the list.
constexpr size_t kBits = 64;
constexpr int kListed = 1 << 20;
std::mutex ownedLock;
std::array<uint64_t, kListed / kBits> owned{};

bool isListed(int fd) {
  return fd >= 0 && fd < kListed;
}
size_t wordOf(int fd) {
  return static_cast<size_t>(fd) / kBits;
}
uint64_t bitOf(int fd) {
  return uint64_t{1} << (static_cast<size_t>(fd) % kBits);
}

}  // namespace

bool isExhausted(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
         error == ENOSPC;
}

FileDescriptor::FileDescriptor(int fd) : fd_(fd) {
  if (!isListed(fd)) return;
  std::lock_guard guard(ownedLock);
  owned[wordOf(fd)] |= bitOf(fd);
}

/// What endFork() has closed may be somebody else's by now.
FileDescriptor::~FileDescriptor() {
  if (fd_ < 0) return;
  std::lock_guard guard(ownedLock);
  bool isOurs = !isListed(fd_) || (owned[wordOf(fd_)] & bitOf(fd_)) != 0;
  if (isListed(fd_)) owned[wordOf(fd_)] &= ~bitOf(fd_);
  if (isOurs) close(fd_);
}

void FileDescriptor::beginFork() {
  ownedLock.lock();
}

void FileDescriptor::endFork(bool closesAll) {
  for (size_t word = 0; closesAll && word < owned.size(); word++) {
    if (owned[word] == 0) continue;  // its page stays the parent's, too
    for (uint64_t left = owned[word]; left != 0; left &= left - 1) {
      close(static_cast<int>(word * kBits) + std::countr_zero(left));
    }
    owned[word] = 0;
  }
  ownedLock.unlock();
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
