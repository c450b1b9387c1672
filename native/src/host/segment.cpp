// SPDX-License-Identifier: Apache-2.0
#include "host/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <new>
#include <utility>

#include "base/descriptor.h"

namespace verbena::host {
namespace {

size_t pageBytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Writes to a byte what it holds. A plain store could undo what another thread writes.
void touch(std::byte* place) {
  std::atomic_ref byte(*reinterpret_cast<unsigned char*>(place));
  unsigned char held = byte.load(std::memory_order_relaxed);
  while (!byte.compare_exchange_weak(held, held, std::memory_order_relaxed)) {
  }
}

/// Has the kernel copy what a private mapping still has in common with its file. False and errno
/// where there is no memory for it.
bool copyPages(std::byte* first, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(first, bytes, MADV_POPULATE_WRITE) == 0) return true;
  if (errno != EINVAL) return false;
#endif
  // A kernel before 5.14, which ends the process where it has no memory.
  for (size_t at = 0; at < bytes; at += pageBytes()) touch(first + at);
  return true;
}

/// The parts of `pages` that no extent of the sorted ones has.
std::vector<Extent> without(const std::vector<Extent>& sorted, Extent pages) {
  std::vector<Extent> parts;
  size_t from = pages.begin;
  for (const Extent& taken : sorted) {
    if (!taken.overlaps({from, pages.end})) continue;
    if (taken.begin > from) parts.push_back({from, taken.begin});
    from = taken.end;
  }
  if (from < pages.end) parts.push_back({from, pages.end});
  return parts;
}

}  // namespace

std::string SegmentSpace::path(uint32_t number) const {
  char name[48];
  std::snprintf(name, sizeof name, "/seg-%u-%016llx", number,
                static_cast<unsigned long long>(incarnation));
  return folder + name;
}

// ------------------------------------------------------------------ one segment

std::shared_ptr<Segment> Segment::create(const SegmentSpace& space, uint32_t number, size_t bytes) {
  if (bytes == 0) {
    errno = EINVAL;
    return nullptr;
  }
  std::string path = space.path(number);
  SharedFile file = SharedFile::create(path, bytes, true);
  if (!file) return nullptr;
  file.closeDescriptor();
  try {
    std::shared_ptr<Segment> made(new Segment(space, number, path, std::move(file)));
    SegmentTable::ofProcess().add(made);
    return made;
  } catch (...) {
    unlink(path.c_str());  // a file that found no place in the table would stay
    throw;
  }
}

bool Segment::holds(const void* address, size_t length) const {
  size_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(start());
  return offset <= bytes() && length <= bytes() - offset;
}

Extent Segment::pagesOf(const void* address, size_t length) const {
  size_t page = pageBytes();
  auto offset = static_cast<size_t>(static_cast<const std::byte*>(address) - start());
  return {offset / page * page, (offset + length + page - 1) / page * page};
}

bool Segment::isShared(Extent pages) const {
  std::lock_guard guard(lock_);
  if (withdrawing_ && withdrawing_->overlaps(pages)) return false;
  return std::ranges::none_of(withdrawn_,
                              [&](const Extent& taken) { return taken.overlaps(pages); });
}

std::vector<Extent> Segment::beginWithdrawal(Extent pages) {
  std::lock_guard guard(lock_);
  std::vector<Extent> parts = without(withdrawn_, pages);
  withdrawn_.reserve(withdrawn_.size() + parts.size());
  withdrawing_ = pages;
  return parts;
}

/// A private mapping of the same file in the same place: the kernel changes from one to the other
/// at once for all threads, and copies each page of the file when it is first written to.
bool Segment::takePages(int fd, Extent pages) const {
  std::byte* first = start() + pages.begin;
  void* mapped = mmap(first, pages.end - pages.begin, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_FIXED, fd, static_cast<off_t>(pages.begin));
  return mapped != MAP_FAILED && copyPages(first, pages.end - pages.begin);
}

void Segment::noteWithdrawn(Extent pages) {
  std::lock_guard guard(lock_);
  auto after = std::ranges::find_if(withdrawn_,
                                    [&](const Extent& taken) { return taken.begin > pages.begin; });
  withdrawn_.insert(after, pages);
}

void Segment::endWithdrawal() {
  std::lock_guard guard(lock_);
  withdrawing_.reset();
}

void Segment::remove() noexcept {
  SegmentTable::ofProcess().remove(*this);
  base::FileDescriptor file(::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  unlink(path_.c_str());
  // A hole, where a shorter file would kill a peer that is in the middle.
  if (file) {
    static_cast<void>(fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                                static_cast<off_t>(bytes())));
  }
}

// ------------------------------------------------------------------ all of them

SegmentTable& SegmentTable::ofProcess() {
  // It never goes: while the process ends threads of it may still be at work. And it needs no
  // memory that may be lacking: a device that was not opened for want of it leaves the table, too.
  alignas(SegmentTable) static std::byte place[sizeof(SegmentTable)];
  static auto& table = *new (place) SegmentTable;
  return table;
}

void SegmentTable::add(const std::shared_ptr<Segment>& segment) {
  std::lock_guard guard(lock_);
  byAddress_.emplace(reinterpret_cast<uintptr_t>(segment->start()), segment);
}

void SegmentTable::remove(const Segment& segment) {
  std::lock_guard guard(lock_);
  byAddress_.erase(reinterpret_cast<uintptr_t>(segment.start()));
}

std::shared_ptr<Segment> SegmentTable::find(const void* address, size_t length) const {
  std::lock_guard guard(lock_);
  auto after = byAddress_.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (after == byAddress_.begin()) return nullptr;
  const std::shared_ptr<Segment>& segment = std::prev(after)->second;
  return segment->holds(address, length) ? segment : nullptr;
}

void SegmentTable::join(SegmentUser& user) {
  std::lock_guard guard(withdrawals_);
  users_.push_back(&user);
}

void SegmentTable::leave(SegmentUser& user) {
  std::lock_guard guard(withdrawals_);
  std::erase(users_, &user);
}

int SegmentTable::withdraw(const std::shared_ptr<Segment>& segment, Extent pages) {
  std::lock_guard guard(withdrawals_);
  base::FileDescriptor file(::open(segment->path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return errno;
  std::vector<Extent> parts = segment->beginWithdrawal(pages);
  auto end = [](Segment* withdrawn) { withdrawn->endWithdrawal(); };
  std::unique_ptr<Segment, decltype(end)> ends(segment.get(), end);  // also for want of memory
  for (SegmentUser* user : users_) user->closePages(*segment, pages);
  int failed = 0;
  for (size_t i = 0; i < parts.size() && failed == 0; i++) {
    failed = segment->takePages(file.get(), parts[i]) ? 0 : errno;
    if (failed == 0) segment->noteWithdrawn(parts[i]);
  }
  for (SegmentUser* user : users_) user->pagesTaken(*segment, pages);
  return failed;
}

}  // namespace verbena::host
