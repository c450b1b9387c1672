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

Result<RingFile> RingFile::create(const std::string& folder, uint64_t capacity) {
  auto entered = enterFolder(folder);
  if (!entered) return entered.error();
  auto failed = [&](const char* what) {
    return Error{std::string(what) + " of " + std::to_string(capacity) + " bytes", folder, errno,
                 "choose a smaller ring, or another folder"};
  };
  uint64_t name = randomName();
  std::string path = pathOf(folder, kKind, name);
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
