// SPDX-License-Identifier: Apache-2.0
#include "host/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>

#include "base/shortage.h"
#include "host/shared_file.h"

namespace verbena::host {
bool isOurFolder(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) return false;
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    errno = EPERM;
    return false;
  }
  return true;
}

bool makePrivateFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return false;
  return isOurFolder(path);
}

bool isOfForm(std::string_view name, std::string_view form) {
  constexpr size_t kHexDigits = 16;
  for (char expected : form) {
    size_t taken = 1;
    if (expected == '#' || expected == '$') {
      const char* digits = expected == '#' ? "0123456789" : "0123456789abcdef";
      taken = std::min(name.find_first_not_of(digits), name.size());
      if (taken == 0 || (expected == '$' && taken != kHexDigits)) return false;
    } else if (name.empty() || name[0] != expected) {
      return false;
    }
    name.remove_prefix(taken);
  }
  return name.empty();
}

std::vector<std::string> namesIn(const std::string& path) {
  std::vector<std::string> names;
  auto close = [](DIR* folder) { closedir(folder); };
  std::unique_ptr<DIR, decltype(close)> folder(opendir(path.c_str()), close);
  if (folder == nullptr) return names;
  while (dirent* entry = readdir(folder.get())) names.emplace_back(entry->d_name);
  return names;
}

bool isOrphan(const std::string& path) {
  base::FileDescriptor left(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  return left && flock(left.get(), LOCK_SH | LOCK_NB) == 0;
}

FolderLock::FolderLock(const std::string& folder)
    : fd_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  constexpr std::chrono::seconds kPatience{5};
  constexpr std::chrono::milliseconds kPause{1};
  TurnPatience patience(kPatience);
  while (fd_ && !tryToHold()) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (patience.isOver(turn(), TurnPatience::Clock::now())) {
      errno = ETIMEDOUT;
      return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

/// Who gets it counts the turn, so that who waits sees that it goes round. Where there is no room
/// for the number it is held all the same.
bool FolderLock::tryToHold() {
  if (flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) return false;
  held_ = true;
  uint64_t mine = turn() + 1;
  if (!mayHaveFileOf(sizeof mine)) return true;
  [[maybe_unused]] ssize_t counted = pwrite(fd_.get(), &mine, sizeof mine, 0);
  return true;
}

/// 0 in a lock that nobody has had yet.
uint64_t FolderLock::turn() const {
  uint64_t number = 0;
  return pread(fd_.get(), &number, sizeof number, 0) == sizeof number ? number : 0;
}

std::string whyNotLocked(const std::string& folder) {
  return errno == ETIMEDOUT
             ? "a process of this user that has stopped holds it: let it go on or end"
             : base::adviceOnShortage(errno, folder);
}

}  // namespace verbena::host
