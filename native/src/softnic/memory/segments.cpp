// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/segments.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

namespace verbena::softnic {
namespace {

size_t pageBytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool overlap(const Extent& a, const Extent& b) {
  return a.begin < b.end && b.begin < a.end;
}

/// Writes to a byte what it holds. A plain store could undo what another thread writes.
void touch(std::byte* place) {
  std::atomic_ref byte(*reinterpret_cast<unsigned char*>(place));
  unsigned char held = byte.load(std::memory_order_relaxed);
  while (!byte.compare_exchange_weak(held, held, std::memory_order_relaxed)) {
  }
}

}  // namespace

Extent Segment::pagesOf(const void* address, size_t length) const {
  size_t page = pageBytes();
  auto offset = static_cast<size_t>(static_cast<const std::byte*>(address) - start());
  return {offset / page * page, (offset + length + page - 1) / page * page};
}

bool Segment::isShared(Extent pages) const {
  if (withdrawing && overlap(*withdrawing, pages)) return false;
  return std::ranges::none_of(withdrawn,
                              [&](const Extent& taken) { return overlap(taken, pages); });
}

std::vector<Extent> Segment::sharedParts(Extent pages) const {
  std::vector<Extent> parts;
  size_t from = pages.begin;
  for (const Extent& taken : withdrawn) {
    if (!overlap(taken, {from, pages.end})) continue;
    if (taken.begin > from) parts.push_back({from, taken.begin});
    from = taken.end;
  }
  if (from < pages.end) parts.push_back({from, pages.end});
  return parts;
}

/// A private mapping of the same file in the same place: the kernel changes from one to the other
/// at once for all threads, and copies each page of the file when it is first written to.
bool Segment::takePages(int fd, Extent pages) const {
  std::byte* first = start() + pages.begin;
  void* mapped = mmap(first, pages.end - pages.begin, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_FIXED, fd, static_cast<off_t>(pages.begin));
  if (mapped == MAP_FAILED) return false;
  for (size_t at = pages.begin; at < pages.end; at += pageBytes()) touch(start() + at);
  return true;
}

void Segment::noteWithdrawn(Extent pages) {
  auto after = std::ranges::find_if(withdrawn,
                                    [&](const Extent& taken) { return taken.begin > pages.begin; });
  withdrawn.insert(after, pages);
}

const Segment* Segments::find(const void* address, size_t length) const {
  auto start = reinterpret_cast<uintptr_t>(address);
  auto after = byAddress_.upper_bound(start);
  if (after == byAddress_.begin()) return nullptr;
  auto& [base, segment] = *std::prev(after);
  size_t offset = start - base;
  bool inside = offset <= segment.file.bytes() && length <= segment.file.bytes() - offset;
  return inside ? &segment : nullptr;
}

Segment* Segments::find(const void* address, size_t length) {
  return const_cast<Segment*>(std::as_const(*this).find(address, length));
}

void* Segments::allocate(const Folder& folder, uint64_t incarnation, size_t bytes) {
  if (bytes == 0) {
    errno = EINVAL;
    return nullptr;
  }
  // The place in the table first: a file that found none would stay.
  std::map<uintptr_t, Segment> made;
  Segment& segment = made.try_emplace(0).first->second;
  segment.id = nextId_++;
  segment.path = folder.segmentPath(incarnation, segment.id);
  segment.file = host::SharedFile::create(segment.path, bytes, true);
  if (!segment.file) return nullptr;
  segment.file.closeDescriptor();
  void* memory = segment.file.memory();
  auto place = made.extract(made.begin());
  place.key() = reinterpret_cast<uintptr_t>(memory);
  byAddress_.insert(std::move(place));
  return memory;
}

bool Segments::isWithdrawing(void* memory) const {
  auto found = byAddress_.find(reinterpret_cast<uintptr_t>(memory));
  return found != byAddress_.end() && found->second.withdrawing.has_value();
}

bool Segments::free(void* memory) {
  auto found = byAddress_.find(reinterpret_cast<uintptr_t>(memory));
  if (found == byAddress_.end()) return false;
  unlink(found->second.path.c_str());
  byAddress_.erase(found);
  return true;
}

void Segments::freeAll() {
  for (auto& [base, segment] : byAddress_) unlink(segment.path.c_str());
  byAddress_.clear();
}

}  // namespace verbena::softnic
