// SPDX-License-Identifier: Apache-2.0
#include "fifo/ring_file.h"

#include <unistd.h>

#include <cerrno>

#include "fifo/names.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;

constexpr const char* kKind = "ring-";

}  // namespace

Result<RingFile> RingFile::createLocked(const std::string& folder, uint64_t bytes) {
  auto entered = enterFolder(folder);
  if (!entered) return entered.error();
  uint64_t name = randomName();
  std::string path = pathOf(folder, kKind, name);
  host::SharedFile file = host::SharedFile::create(path, bytes, false);
  if (!file) return Error{"make a channel's ring", folder, errno, "choose another folder"};
  RingFile ring(std::move(file), path, name);
  if (!ring.file_.lockForLife()) return Error{"lock a channel's ring", folder, errno, ""};
  return ring;
}

Result<RingFile> RingFile::create(const std::string& folder, uint64_t capacity) {
  auto failed = [&](const char* what) {
    return Error{std::string(what) + " of " + std::to_string(capacity) + " bytes", folder, errno,
                 "choose a smaller ring, or another folder"};
  };
  auto made = createLocked(folder, RingHead::kBytes + capacity);
  if (!made) return made.error();
  RingFile ring = std::move(*made);
  // Without the folder's lock: this may take a while.
  if (!ring.file_.back(0, ring.file_.bytes())) return failed("take the memory of a channel's ring");
  ring.head().magic = RingHead::kMagic;
  ring.head().capacity = capacity;
  return ring;
}

std::optional<RingFile> RingFile::open(const std::string& folder, uint64_t name,
                                       uint64_t capacity) {
  host::SharedFile file =
      host::SharedFile::open(pathOf(folder, kKind, name), RingHead::kBytes + capacity);
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
