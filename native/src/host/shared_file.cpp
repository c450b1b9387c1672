// SPDX-License-Identifier: Apache-2.0
#include "host/shared_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace verbena::host {
namespace {

/// MADV_POPULATE_WRITE, of Linux 5.14, which headers may not know yet.
constexpr int kPopulate = 23;

}  // namespace

bool mayHaveFileOf(size_t bytes) {
  rlimit limit{};
  bool isAllowed = getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur;
  if (!isAllowed) errno = EFBIG;
  return isAllowed;
}

SharedFile::~SharedFile() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
}

SharedFile SharedFile::create(const std::string& path, size_t bytes, bool backed) {
  SharedFile file;
  file.fd_ = base::FileDescriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.fd_) return file;
  bool sized = mayHaveFileOf(bytes) && ftruncate(file.fd_.get(), static_cast<off_t>(bytes)) == 0;
  if (!sized || (backed && !file.back(0, bytes)) || !file.map(bytes, true)) {
    int reason = errno;
    unlink(path.c_str());
    errno = reason;
  }
  return file;
}

SharedFile SharedFile::open(const std::string& path, size_t minimumBytes) {
  return open(path, minimumBytes, true);
}

SharedFile SharedFile::openToRead(const std::string& path, size_t minimumBytes) {
  return open(path, minimumBytes, false);
}

SharedFile SharedFile::open(const std::string& path, size_t minimumBytes, bool writes) {
  SharedFile file;
  int access = writes ? O_RDWR : O_RDONLY;
  file.fd_ = base::FileDescriptor(::open(path.c_str(), access | O_CLOEXEC | O_NOFOLLOW));
  if (!file.fd_) return file;
  struct stat status;
  if (fstat(file.fd_.get(), &status) != 0) return file;
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
    errno = EPERM;
  } else if (static_cast<size_t>(status.st_size) < minimumBytes) {
    errno = EPROTO;
  } else {
    file.map(static_cast<size_t>(status.st_size), writes);
  }
  return file;
}

/// At once: the kernel refuses what there is no room for before it takes any of it. A signal ends
/// the call, and some kernels give back then what they had taken.
bool SharedFile::back(size_t offset, size_t bytes) {
  if (!mayHaveFileOf(offset + bytes)) return false;
  constexpr int kTries = 100;
  int failed = EINTR;
  for (int i = 0; i < kTries && failed == EINTR; i++) {
    failed = posix_fallocate(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(bytes));
  }
  if (failed != 0) errno = failed;
  return failed == 0;
}

bool SharedFile::populate(size_t offset, size_t bytes) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t first = offset / page * page;
  return madvise(static_cast<std::byte*>(memory_) + first, offset + bytes - first, kPopulate) == 0;
}

bool SharedFile::canPopulate() {
  static const bool can = [] {
    auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* some = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (some == MAP_FAILED) return false;
    bool done = madvise(some, page, kPopulate) == 0;
    munmap(some, page);
    return done;
  }();
  return can;
}

bool SharedFile::mapAgain(void* address, size_t offset, size_t bytes) {
  return mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd_.get(),
              static_cast<off_t>(offset)) != MAP_FAILED;
}

/// By a descriptor that no mapping was made with: a process that is forked has our mappings, too,
/// and keeps their descriptions of the file open.
bool SharedFile::lockForLife() {
  std::string path = "/proc/self/fd/" + std::to_string(fd_.get());
  base::FileDescriptor apart(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!apart && errno != ENOENT) return false;
  if (apart) fd_ = std::move(apart);  // else there is no /proc
  return flock(fd_.get(), LOCK_EX | LOCK_NB) == 0;
}

bool SharedFile::ownerGone() const {
  if (flock(fd_.get(), LOCK_SH | LOCK_NB) != 0) return false;
  flock(fd_.get(), LOCK_UN);
  return true;
}

bool SharedFile::removed() const {
  struct stat status;
  return fstat(fd_.get(), &status) == 0 && status.st_nlink == 0;
}

bool SharedFile::map(size_t bytes, bool writes) {
  int access = writes ? PROT_READ | PROT_WRITE : PROT_READ;
  void* mapped = mmap(nullptr, bytes, access, MAP_SHARED, fd_.get(), 0);
  if (mapped == MAP_FAILED) return false;
  memory_ = mapped;
  bytes_ = bytes;
  return true;
}

}  // namespace verbena::host
