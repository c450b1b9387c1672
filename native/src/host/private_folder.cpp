// SPDX-License-Identifier: Apache-2.0
#include "host/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace verbena::host {
namespace {

bool isOurFolder(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) return false;
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    errno = EPERM;
    return false;
  }
  return true;
}

}  // namespace

bool makePrivateFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return false;
  return isOurFolder(path);
}

std::vector<std::string> namesIn(const std::string& path) {
  std::vector<std::string> names;
  auto close = [](DIR* folder) { closedir(folder); };
  std::unique_ptr<DIR, decltype(close)> folder(opendir(path.c_str()), close);
  if (folder == nullptr) return names;
  while (dirent* entry = readdir(folder.get())) names.emplace_back(entry->d_name);
  return names;
}

FolderLock::FolderLock(const std::string& folder)
    : fd_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  if (fd_) held_ = flock(fd_.get(), LOCK_EX) == 0;
}

}  // namespace verbena::host
