// SPDX-License-Identifier: Apache-2.0
#include "symmetric_memory.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/random_number.h"
#include "base/shortage.h"
#include "host/private_folder.h"

namespace verbena::shmem {
namespace {

std::string pathOf(const std::string& folder, uint64_t name) {
  char text[32];
  std::snprintf(text, sizeof text, "/heap-%016llx", static_cast<unsigned long long>(name));
  return folder + text;
}

/// What jobs left that were killed while they started.
void sweep(const std::string& folder) {
  for (const std::string& name : host::namesIn(folder)) {
    std::string path = folder + "/" + name;
    if (host::isOfForm(name, "heap-$") && host::isOrphan(path)) unlink(path.c_str());
  }
}

/// Nobody takes it for left behind between its making and its lock. Empty and errno on failure.
host::SharedFile makeLocked(const std::string& folder, const std::string& path, size_t bytes) {
  host::FolderLock lock(folder);
  if (!lock) return {};
  sweep(folder);
  host::SharedFile file = host::SharedFile::create(path, bytes, false);
  return file && file.lockForLife() ? std::move(file) : host::SharedFile();
}

}  // namespace

std::string SymmetricMemory::folder() {
  const char* chosen = std::getenv("VERBENA_SHMEM_DIR");
  return chosen != nullptr && *chosen != 0 ? chosen
                                           : "/dev/shm/verbena-shmem-" + std::to_string(geteuid());
}

base::Result<SymmetricMemory> SymmetricMemory::make(size_t bytes) {
  std::string in = folder();
  auto failed = [&](int code) {
    return base::Error{
        "take " + std::to_string(bytes) + " bytes of symmetric memory", in, code,
        base::adviceOnShortage(code, in) +
            (code == ENOSPC || code == ENOMEM ? "; or set SHMEM_SYMMETRIC_SIZE to less" : "")};
  };
  if (!host::makePrivateFolder(in)) return failed(errno);
  uint64_t name = base::randomNumber();
  std::string path = pathOf(in, name);
  host::SharedFile file = makeLocked(in, path, bytes);
  // Without the folder's lock: this may take a while.
  if (!file || !file.back(0, bytes)) {
    int code = errno;
    unlink(path.c_str());
    return failed(code);
  }
  return SymmetricMemory(name, path, std::move(file));
}

std::optional<host::SharedFile> SymmetricMemory::find(uint64_t name, size_t bytes) {
  host::SharedFile file = host::SharedFile::open(pathOf(folder(), name), bytes);
  if (!file) return std::nullopt;
  file.closeDescriptor();
  return file;
}

void SymmetricMemory::removeName() {
  unlink(path_.c_str());
}

}  // namespace verbena::shmem
