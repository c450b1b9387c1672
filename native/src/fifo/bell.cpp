// SPDX-License-Identifier: Apache-2.0
#include "fifo/bell.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/shortage.h"
#include "fifo/names.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::FileDescriptor;
using base::Result;

constexpr const char* kKind = "bell-";

/// For both directions: a pipe without a reader would end whoever writes into it by a signal.
FileDescriptor openPipe(const std::string& path) {
  return FileDescriptor(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
}

}  // namespace

Result<Bell> Bell::create(const std::string& folder) {
  auto entered = enterFolder(folder);
  if (!entered) return entered.error();
  sweepFolder(folder);  // once for each node: rings are many
  uint64_t name = randomName();
  std::string path = pathOf(folder, kKind, name);
  auto failed = [&] {
    return Error{"make a named pipe to be woken by", folder, errno,
                 base::adviceOnShortage(errno, folder)};
  };
  if (mkfifo(path.c_str(), 0600) != 0) return failed();
  Bell bell(openPipe(path), path, name);
  if (!bell.pipe_ || flock(bell.pipe_.get(), LOCK_EX | LOCK_NB) != 0) return failed();
  return bell;
}

std::optional<Bell> Bell::find(const std::string& folder, uint64_t name) {
  FileDescriptor pipe = openPipe(pathOf(folder, kKind, name));
  struct stat status;
  bool isBell = pipe && fstat(pipe.get(), &status) == 0 && S_ISFIFO(status.st_mode) &&
                status.st_uid == geteuid();
  if (!isBell) return std::nullopt;
  return Bell(std::move(pipe), "", name);
}

Bell::~Bell() {
  if (!path_.empty()) unlink(path_.c_str());
}

void Bell::ring() const {
  char byte = 0;
  // Fails where so many bytes are there already that it rings anyway.
  [[maybe_unused]] ssize_t written = write(pipe_.get(), &byte, 1);
}

}  // namespace verbena::fifo
