// SPDX-License-Identifier: Apache-2.0
#include "symmetric_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

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
    return base::Error{"take " + std::to_string(bytes) + " bytes of symmetric memory", in, code,
                       base::adviceOnShortage(code, in) +
                           (code == ENOSPC || code == ENOMEM
                                ? "; or set SHMEM_SYMMETRIC_SIZE or VERBENA_SHMEM_POOL_SIZE to less"
                                : "")};
  };
  if (!host::makePrivateFolder(in)) return failed(errno);
  uint64_t name = base::randomNumber();
  std::string path = pathOf(in, name);
  host::SharedFile file = makeLocked(in, path, bytes);
  // Without the folder's lock: this may take a while.
  Mapping start;
  if (file && file.back(0, bytes)) start = mapAligned(file);
  if (start == nullptr) {
    int code = errno;
    unlink(path.c_str());
    return failed(code);
  }
  return SymmetricMemory(name, path, std::move(file), std::move(start));
}

/// Null and errno on failure. Addresses are plenty: the file takes the place of a part of a range
/// that is large enough.
SymmetricMemory::Mapping SymmetricMemory::mapAligned(host::SharedFile& file) {
  size_t bytes = file.bytes();
  size_t alignment = std::bit_ceil(bytes);
  void* range = mmap(nullptr, bytes + alignment, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return nullptr;
  auto address = reinterpret_cast<uintptr_t>(range);
  uintptr_t start = (address + alignment - 1) / alignment * alignment;
  uintptr_t end = start + bytes;
  if (start > address) munmap(range, start - address);
  if (end < address + bytes + alignment)
    munmap(reinterpret_cast<void*>(end), address + bytes + alignment - end);
  Mapping mapped(reinterpret_cast<std::byte*>(start), Unmap{bytes});
  if (!file.mapAgain(mapped.get(), 0, bytes)) return nullptr;
  return mapped;
}

void SymmetricMemory::Unmap::operator()(std::byte* start) const {
  munmap(start, bytes);
}

uint64_t SymmetricMemory::host() {
  std::string text;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
  std::erase(text, '-');
  constexpr size_t kDigits = 16;
  return std::strtoull(text.substr(0, kDigits).c_str(), nullptr, 16);
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
