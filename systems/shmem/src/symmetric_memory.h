// SPDX-License-Identifier: Apache-2.0
//
// The symmetric memory of the PEs of one host: a file each, which all of them map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/shared_file.h"

namespace verbena::shmem {

class SymmetricMemory {
 public:
  /// VERBENA_SHMEM_DIR, else /dev/shm/verbena-shmem-UID.
  static std::string folder();
  /// This PE's. All of its pages are taken now: where there are too few that is an error, with
  /// advice.
  static base::Result<SymmetricMemory> make(size_t bytes);
  /// What tells this host, as it runs now, from others. A folder may be seen by several.
  static uint64_t host();
  /// That of another PE of this host; nothing if there is none of that name.
  static std::optional<host::SharedFile> find(uint64_t name, size_t bytes);

  uint64_t name() const { return name_; }
  /// Aligned to whatever can be asked for of so much memory.
  std::byte* start() const { return start_.get(); }
  size_t bytes() const { return file_.bytes(); }
  host::SharedFile& file() { return file_; }
  /// All that map it have: it goes with them.
  void removeName();

 private:
  struct Unmap {
    size_t bytes;
    void operator()(std::byte* start) const;
  };
  using Mapping = std::unique_ptr<std::byte, Unmap>;

  SymmetricMemory(uint64_t name, std::string path, host::SharedFile file, Mapping start)
      : name_(name), path_(std::move(path)), file_(std::move(file)), start_(std::move(start)) {}
  static Mapping mapAligned(host::SharedFile& file);

  uint64_t name_;
  std::string path_;
  host::SharedFile file_;
  Mapping start_;  // a second one of the file
};

}  // namespace verbena::shmem
