// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/stragglers.h"

#include <fcntl.h>

#include <cerrno>
#include <thread>

#include "base/clock.h"
#include "base/descriptor.h"
#include "host/futex.h"
#include "softnic/device/context.h"
#include "softnic/memory/no_memory.h"

namespace verbena::softnic {
namespace {

using Guard = std::unique_lock<host::Lock>;

/// Paces looks at something that another process changes: most are gone in a moment.
class Pace {
 public:
  /// Gives the lock up for a while, longer and longer.
  void rest(Guard& guard) {
    guard.unlock();
    if (looks_++ < kShortLooks) {
      for (int i = 0; i < kPauses; i++) host::pause();
    } else {
      std::this_thread::sleep_for(kLongRest);
    }
    guard.lock();
  }
  bool rested() const { return looks_ > kShortLooks; }

 private:
  static constexpr int kShortLooks = 200;
  static constexpr int kPauses = 32;
  static constexpr std::chrono::microseconds kLongRest{500};
  int looks_ = 0;
};

/// Takes a mark from who has ended or has stayed too long. False if neither.
bool dismiss(Context& context, std::atomic<uint64_t>& place, uint64_t mark, bool late, bool ask) {
  uint32_t slot = slotOf(qpnOfMark(mark));
  bool ended = ask && orNoMemory(false, [&] { return context.links.portEnded(slot); });
  if (!ended && !late) return false;
  // acquire pairs with the release in DirectAccess::release(), which may just have come
  bool taken = place.compare_exchange_strong(mark, 0, std::memory_order_acq_rel);
  if (!taken || ended) return true;
  MemoryRegion* region = context.regions.withKey(keyOfMark(mark));
  if (region != nullptr) region->straggler = true;
  return true;
}

/// Waits for the marks on the queue pairs [first, end) with keys that match.
template <typename Matches>
void waitForMarks(Context& context, Guard& guard, uint32_t first, uint32_t end, Matches matches) {
  Pace pace;
  uint64_t start = base::monotonicNs();
  for (bool waits = true; waits;) {
    bool late = base::monotonicNs() - start >= context.stragglerNs;
    waits = false;
    for (uint32_t index = first; index < end; index++) {
      std::atomic<uint64_t>& place = context.port().qps[index].mark;
      // seq_cst pairs with the mark in DirectWindow::access(), acquire with DirectAccess::release()
      uint64_t mark = place.load(std::memory_order_seq_cst);
      if (mark == 0 || !matches(keyOfMark(mark))) continue;
      waits |= !dismiss(context, place, mark, late, pace.rested());
    }
    if (waits) pace.rest(guard);
  }
}

template <typename Matches>
void waitForMarks(Context& context, Guard& guard, Matches matches) {
  // relaxed: it only grows, and what is behind it no peer uses yet
  waitForMarks(context, guard, 0, context.port().qpsUsed.load(std::memory_order_relaxed), matches);
}

/// Whether peers reach pages of the segment by way of the region.
bool reaches(const MemoryRegion& region, const Segment& segment, Extent pages) {
  const auto* start = static_cast<const std::byte*>(region.addr);
  bool inside = start >= segment.start() && start < segment.start() + segment.file.bytes();
  if (!inside) return false;
  Extent own = segment.pagesOf(region.addr, region.length);
  return own.begin < pages.end && pages.begin < own.end;
}

/// No peer begins anything in these pages any more, and all that had begun are gone or left behind.
void closePages(Context& context, Guard& guard, const Segment& segment, Extent pages) {
  context.regions.forEach([&](const MemoryRegion& region) {
    if (reaches(region, segment, pages)) RegionTable::unmap(region, context.port());
  });
  waitForMarks(context, guard, [&](uint32_t key) {
    const MemoryRegion* region = context.regions.withKey(key);
    return region != nullptr && reaches(*region, segment, pages);
  });
}

/// The process alone has the pages from here on.
int withdraw(Context& context, Guard& guard, Segment& segment, Extent pages) {
  base::FileDescriptor file(open(segment.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return errno;
  std::vector<Extent> parts = segment.sharedParts(pages);
  segment.withdrawn.reserve(segment.withdrawn.size() + parts.size());
  segment.withdrawing = pages;
  closePages(context, guard, segment, pages);
  int failure = 0;
  for (const Extent& part : parts) {
    guard.unlock();
    if (!segment.takePages(file.get(), part)) failure = errno;
    guard.lock();
    if (failure != 0) break;
    segment.noteWithdrawn(part);
  }
  segment.withdrawing.reset();
  context.copyEnded();
  return failure;
}

}  // namespace

void letInitiatorsLeave(Context& context, Guard& guard, uint32_t qpIndex) {
  waitForMarks(context, guard, qpIndex, qpIndex + 1, [](uint32_t) { return true; });
}

int takeBack(Context& context, Guard& guard, MemoryRegion& region) {
  waitForMarks(context, guard, [&](uint32_t key) { return key == region.rkey; });
  if (!region.straggler) return 0;
  Segment* segment = context.segments.find(region.addr, region.length);
  while (segment != nullptr && segment->withdrawing) {
    context.waitForCopies(guard);
    segment = context.segments.find(region.addr, region.length);
  }
  if (segment == nullptr) return 0;  // no peer could map it, or not any more
  Extent pages = segment->pagesOf(region.addr, region.length);
  return orNoMemory(ENOMEM, [&] { return withdraw(context, guard, *segment, pages); });
}

}  // namespace verbena::softnic
