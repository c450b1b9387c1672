// SPDX-License-Identifier: Apache-2.0
#include "fifo/ring_file.h"

#include <unistd.h>

#include <cerrno>

#include "base/shortage.h"
#include "fifo/names.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;

constexpr const char* kKind = "ring-";

Error noRing(const char* what, uint64_t bytes, const std::string& folder) {
  int code = errno;
  return {std::string(what) + " a channel's ring of " + std::to_string(bytes) + " bytes", folder,
          code, base::adviceOnShortage(code, folder)};
}

}  // namespace

Result<void> checkCapacity(const std::string& operation, uint64_t bytes) {
  if (isCapacity(bytes)) return {};
  return Error{operation, "", EINVAL,
               "a ring of " + std::to_string(bytes) + " bytes: its size is a power of two from " +
                   std::to_string(kLeastCapacity) + " to " + std::to_string(kMostCapacity)};
}

Result<RingFile> RingFile::createLocked(const std::string& folder, uint64_t bytes) {
  auto entered = enterFolder(folder);
  if (!entered) return entered.error();
  uint64_t name = randomName();
  std::string path = pathOf(folder, kKind, name);
  host::SharedFile file = host::SharedFile::create(path, bytes, false);
  if (!file) return noRing("make", bytes, folder);
  RingFile ring(std::move(file), path, name);
  if (!ring.file_.lockForLife()) return noRing("lock", bytes, folder);
  return ring;
}

Result<RingFile> RingFile::create(const std::string& folder, uint64_t capacity) {
  auto made = createLocked(folder, RingHead::kBytes + capacity);
  if (!made) return made.error();
  RingFile ring = std::move(*made);
  // Without the folder's lock: this may take a while.
  uint64_t bytes = ring.file_.bytes();
  if (!ring.file_.back(0, bytes)) return noRing("take the memory of", bytes, folder);
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
