// SPDX-License-Identifier: Apache-2.0
#include "fifo/names.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/shortage.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;

std::string whyNotMade(const std::string& folder) {
  if (errno == EPERM) return "it belongs to somebody else, or others may look into it: remove it";
  std::string shortage = base::adviceOnShortage(errno, folder);
  return shortage.empty() ? "it lies where this user has to be able to write" : shortage;
}

}  // namespace

std::string defaultFolder() {
  return "/dev/shm/verbena-fifo-" + std::to_string(geteuid());
}

std::string pathOf(const std::string& folder, const char* kind, uint64_t name) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(name));
  return folder + "/" + kind + text;
}

uint64_t randomName() {
  uint64_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number || number == 0) {
  }
  return number;
}

Result<host::FolderLock> enterFolder(const std::string& folder) {
  if (!host::makePrivateFolder(folder)) {
    return Error{"make the folder of channels", folder, errno, whyNotMade(folder)};
  }
  host::FolderLock lock(folder);
  if (!lock) return Error{"lock the folder of channels", folder, errno, host::whyNotLocked(folder)};
  return lock;
}

void sweepFolder(const std::string& folder) {
  for (const std::string& name : host::namesIn(folder)) {
    bool isOurs = host::isOfForm(name, "ring-$") || host::isOfForm(name, "bell-$");
    std::string path = folder + "/" + name;
    if (isOurs && host::isOrphan(path)) unlink(path.c_str());
  }
}

}  // namespace verbena::fifo
