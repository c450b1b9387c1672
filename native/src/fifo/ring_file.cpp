// SPDX-License-Identifier: Apache-2.0
#include "fifo/ring_file.h"

#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "host/private_folder.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;

constexpr const char* kPrefix = "ring-";

uint64_t randomName() {
  uint64_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}

std::string pathOf(const std::string& folder, uint64_t name) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(name));
  return folder + "/" + kPrefix + text;
}

/// Whoever makes a ring holds its file's lock until the process ends. Under the folder's lock: what
/// has no lock is not one that is being made.
void sweep(const std::string& folder) {
  for (const std::string& name : host::namesIn(folder)) {
    if (!name.starts_with(kPrefix)) continue;
    std::string path = folder + "/" + name;
    host::SharedFile left = host::SharedFile::open(path, RingHead::kBytes);
    if (left && left.ownerGone()) unlink(path.c_str());
  }
}

}  // namespace

std::string RingFile::defaultFolder() {
  return "/dev/shm/verbena-fifo-" + std::to_string(geteuid());
}

Result<RingFile> RingFile::create(const std::string& folder, uint64_t capacity) {
  auto failed = [&](const char* what) {
    return Error{std::string(what) + " of " + std::to_string(capacity) + " bytes", folder, errno,
                 errno == EPERM ? "the folder belongs to somebody else, or others may look into it"
                                : "choose a smaller ring, or another folder"};
  };
  if (!host::makePrivateFolder(folder)) return failed("make the folder for a channel's ring");
  host::FolderLock lock(folder);
  if (!lock) return failed("lock the folder for a channel's ring");
  sweep(folder);
  uint64_t name = randomName();
  std::string path = pathOf(folder, name);
  host::SharedFile file = host::SharedFile::create(path, RingHead::kBytes + capacity, true);
  if (!file) return failed("make a channel's ring");
  RingFile ring(std::move(file), path, name);
  if (!ring.file_.lockForLife()) return failed("lock a channel's ring");
  ring.head().magic = RingHead::kMagic;
  ring.head().capacity = capacity;
  return ring;
}

std::optional<RingFile> RingFile::open(const std::string& folder, uint64_t name,
                                       uint64_t capacity) {
  host::SharedFile file = host::SharedFile::open(pathOf(folder, name), RingHead::kBytes + capacity);
  if (!file) return std::nullopt;
  RingFile ring(std::move(file), "", name);
  bool same = ring.head().magic == RingHead::kMagic && ring.head().capacity == capacity &&
              ring.all().size() == RingHead::kBytes + capacity;
  if (!same) return std::nullopt;
  return ring;
}

void RingFile::removeName() {
  if (path_.empty()) return;
  unlink(path_.c_str());
  path_.clear();
}

}  // namespace verbena::fifo
