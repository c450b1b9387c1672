// SPDX-License-Identifier: Apache-2.0
#include "job_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "descendants.h"
#include "host/private_folder.h"
#include "job/contract.h"

namespace verbena::launch {
namespace {

constexpr std::string_view kPrefix = "verbena-job-";
constexpr int kTries = 100;

std::string parent() {
  const char* chosen = std::getenv("VERBENA_RUN_FOLDER");
  if (chosen != nullptr && *chosen != '\0') {
    // Ranks are known by their folder's name: it is spelled in one way.
    std::string normal = std::filesystem::path(chosen).lexically_normal();
    while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
    return normal;
  }
  return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

bool bearsName(const base::FileDescriptor& folder, const std::string& path) {
  struct stat opened;
  struct stat named;
  return fstat(folder.get(), &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// The lock of the folder that has this name now. Nobody else kills or removes by that name while
/// it is held. Empty, with errno, if somebody else holds it, it is not this user's, or it has gone.
base::FileDescriptor hold(const std::string& path) {
  base::FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (!folder || fstat(folder.get(), &status) != 0) return {};
  errno = EPERM;
  if (status.st_uid != geteuid() || flock(folder.get(), LOCK_EX | LOCK_NB) != 0) return {};
  errno = ENOENT;
  if (!bearsName(folder, path)) return {};
  return folder;
}

/// With the slash at its end.
std::string parentOf(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

std::string nameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// What a folder is called until its maker holds it begins so.
std::string hiddenPrefix(std::string_view name) {
  return "." + std::string(name);
}

/// Whether somebody takes a folder that was just made for an unused one, and removes it.
bool isLost(int failure) {
  return failure == EWOULDBLOCK || failure == ENOENT;
}

void removeHeld(const std::string& path) {
  for (const char* name : {job::kKeyName, job::kTableName, job::kSocketName}) {
    unlink((path + "/" + name).c_str());
  }
  rmdir(path.c_str());
}

}  // namespace

base::Result<std::string> newFolderName() {
  uint64_t chance = 0;
  if (getrandom(&chance, sizeof chance, 0) != sizeof chance) {
    return base::Error{"name the job's folder", "", errno, ""};
  }
  return parent() + "/" + std::string(kPrefix) + std::to_string(chance);
}

// A folder has its name only once its maker holds it: what has the name and is not held is unused.
base::Result<base::FileDescriptor> makeFolder(const std::string& path) {
  int failure = 0;
  for (int tries = 0; tries < kTries; tries++) {
    std::string hidden = parentOf(path) + hiddenPrefix(nameOf(path)) + "." + std::to_string(tries);
    if (mkdir(hidden.c_str(), 0700) != 0) {
      return base::Error{
          "make the job's folder", path, errno,
          "it lies where this user has to be able to write; VERBENA_RUN_FOLDER names "
          "another place"};
    }
    base::FileDescriptor held = hold(hidden);
    if (held && rename(hidden.c_str(), path.c_str()) == 0) return held;
    failure = errno;
    if (!held && isLost(failure)) continue;  // whoever holds it removes it
    rmdir(hidden.c_str());
    break;
  }
  return base::Error{"use the job's folder", path, failure,
                     "name a folder in another file system by VERBENA_RUN_FOLDER"};
}

void removeFolder(const std::string& path, base::FileDescriptor held) {
  if (held && bearsName(held, path)) removeHeld(path);
}

void removeIfUnused(const std::string& path) {
  removeFolder(path, hold(path));
  std::string hidden = hiddenPrefix(nameOf(path)) + ".";
  for (const std::string& name : host::namesIn(parentOf(path))) {
    if (!name.starts_with(hidden)) continue;
    std::string left = parentOf(path) + name;
    removeFolder(left, hold(left));
  }
}

void removeUnusedFolders() {
  for (const std::string& name : host::namesIn(parent())) {
    if (!name.starts_with(kPrefix) && !name.starts_with(hiddenPrefix(kPrefix))) continue;
    std::string path = parent() + "/" + name;
    base::FileDescriptor unused = hold(path);
    if (!unused) continue;
    killMarked(std::string(job::kFolder) + "=" + path);
    removeFolder(path, std::move(unused));
  }
}

}  // namespace verbena::launch
