// SPDX-License-Identifier: Apache-2.0
//
// A ring's memory at its reader: a file of this user, which a writer on the same host maps, too,
// whatever the device.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "fifo/ring.h"
#include "host/shared_file.h"

namespace verbena::fifo {

/// EINVAL for what no ring can have. Of the sentence `operation` is the beginning.
base::Result<void> checkCapacity(const std::string& operation, uint64_t bytes);

class RingFile {
 public:
  /// A new one, under a random name; all of its memory is taken now.
  static base::Result<RingFile> create(const std::string& folder, uint64_t capacity);
  /// The one of this name, if it is there: then reader and writer share a host.
  static std::optional<RingFile> open(const std::string& folder, uint64_t name, uint64_t capacity);

  uint64_t name() const { return name_; }
  RingHead& head() const { return *file_.as<RingHead>(); }
  std::span<std::byte> data() const { return all().subspan(RingHead::kBytes); }
  std::span<std::byte> all() const { return {file_.as<std::byte>(), file_.bytes()}; }
  /// Nobody else finds it any more.
  void removeName();

  RingFile(RingFile&& other) noexcept
      : file_(std::move(other.file_)), path_(std::exchange(other.path_, {})), name_(other.name_) {}
  RingFile& operator=(RingFile&&) = delete;
  ~RingFile() { removeName(); }

 private:
  static base::Result<RingFile> createLocked(const std::string& folder, uint64_t bytes);
  RingFile(host::SharedFile file, std::string path, uint64_t name)
      : file_(std::move(file)), path_(std::move(path)), name_(name) {}

  host::SharedFile file_;
  std::string path_;  // empty: it has no name (any more), or is not ours to remove
  uint64_t name_;
};

}  // namespace verbena::fifo
