// SPDX-License-Identifier: Apache-2.0
#include "base/shortage.h"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstdint>

namespace verbena::base {
namespace {

std::string limitOfFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return "this process has no more descriptors";
  return "this process may have " + std::to_string(limit.rlim_cur) + " descriptors open";
}

std::string limitOfFileSize() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return "it is larger than this process's files may be";
  return "a file of this process, shared memory, too, may have " + std::to_string(limit.rlim_cur) +
         " bytes";
}

std::string roomIn(const std::string& folder) {
  constexpr const char* kUsual = "/dev/shm";
  std::string place = folder.empty() ? kUsual : folder;
  struct statvfs system {};
  if (statvfs(place.c_str(), &system) != 0) return "there is no room in " + place;
  std::string left = std::to_string(uint64_t{system.f_bavail} * system.f_frsize) + " bytes left";
  if (!folder.empty()) return place + " has " + left;
  return "shared memory is full: unless it was put elsewhere that is " + place + ", which has " +
         left;
}

}  // namespace

std::string adviceOnShortage(int code, const std::string& folder) {
  switch (code) {
    case EMFILE: return limitOfFiles() + "; raise that with 'ulimit -n', or close some";
    case ENFILE:
      return "all processes together have as many files open as fs.file-max says; raise it";
    case ENOSPC:
      return roomIn(folder) +
             "; ask for less, free some, or enlarge it with 'mount -o remount,size=...'";
    case EFBIG: return limitOfFileSize() + "; raise that with 'ulimit -f'";
    default: return "";
  }
}

}  // namespace verbena::base
