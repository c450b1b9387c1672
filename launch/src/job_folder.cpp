// SPDX-License-Identifier: Apache-2.0
#include "job_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "descendants.h"
#include "host/private_folder.h"
#include "job/contract.h"

namespace verbena::launch {
namespace {

constexpr const char* kPrefix = "verbena-job-";
constexpr int kTries = 100;

std::string parent() {
  const char* chosen = std::getenv("VERBENA_RUN_FOLDER");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

/// Empty if somebody else uses the folder, or it is not this user's.
base::FileDescriptor use(const std::string& path) {
  base::FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  bool ours = folder && fstat(folder.get(), &status) == 0 && status.st_uid == geteuid();
  if (!ours || flock(folder.get(), LOCK_EX | LOCK_NB) != 0) return {};
  return folder;
}

bool isThere(const base::FileDescriptor& folder, const std::string& path) {
  struct stat opened;
  struct stat named;
  return fstat(folder.get(), &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino;
}

}  // namespace

base::Result<std::string> newFolderName() {
  uint64_t chance = 0;
  if (getrandom(&chance, sizeof chance, 0) != sizeof chance) {
    return base::Error{"name the job's folder", "", errno, ""};
  }
  return parent() + "/" + kPrefix + std::to_string(chance);
}

base::Result<base::FileDescriptor> makeFolder(const std::string& path) {
  int failure = 0;
  for (int tries = 0; tries < kTries; tries++) {
    if (mkdir(path.c_str(), 0700) != 0) {
      return base::Error{"make the job's folder", path, errno, ""};
    }
    // Between the two calls somebody may take it for unused, and remove it.
    base::FileDescriptor folder = use(path);
    failure = errno;
    if (folder && isThere(folder, path)) return folder;
    removeFolder(path);
  }
  return base::Error{"use the job's folder", path, failure,
                     "name a folder in another file system by VERBENA_RUN_FOLDER"};
}

void removeFolder(const std::string& path) {
  for (const char* name : {job::kKeyName, job::kTableName, job::kSocketName}) {
    unlink((path + "/" + name).c_str());
  }
  rmdir(path.c_str());
}

void removeUnusedFolders() {
  for (const std::string& name : host::namesIn(parent())) {
    if (!name.starts_with(kPrefix)) continue;
    std::string path = parent() + "/" + name;
    base::FileDescriptor unused = use(path);
    if (!unused) continue;
    killMarked(std::string(job::kFolder) + "=" + path);
    removeFolder(path);
  }
}

}  // namespace verbena::launch
