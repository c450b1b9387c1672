// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/stragglers.h"

#include <cerrno>

#include "base/clock.h"
#include "host/pace.h"
#include "host/segment.h"
#include "softnic/device/context.h"
#include "softnic/memory/no_memory.h"

namespace verbena::softnic {
namespace {

using Guard = std::unique_lock<host::Lock>;

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

/// Waits for the marks on the queue pairs [first, end) with keys that match. Of who has been at
/// work since `start` nobody waits for more than stragglerNs.
template <typename Matches>
void waitForMarks(Context& context, Guard& guard, uint32_t first, uint32_t end, uint64_t start,
                  Matches matches) {
  host::Pace pace;
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
    if (!waits) continue;
    guard.unlock();
    pace.rest();
    guard.lock();
  }
}

template <typename Matches>
void waitForMarks(Context& context, Guard& guard, uint64_t start, Matches matches) {
  // relaxed: it only grows, and what is behind it no peer uses yet
  uint32_t used = context.port().qpsUsed.load(std::memory_order_relaxed);
  waitForMarks(context, guard, 0, used, start, matches);
}

/// Whether peers reach pages of the segment by way of the region.
bool reaches(const MemoryRegion& region, const host::Segment& segment, host::Extent pages) {
  const auto* start = static_cast<const std::byte*>(region.addr);
  bool inside = start >= segment.start() && start < segment.start() + segment.bytes();
  return inside && segment.pagesOf(region.addr, region.length).overlaps(pages);
}

}  // namespace

void letInitiatorsLeave(Context& context, Guard& guard, uint32_t qpIndex, uint64_t sinceNs) {
  waitForMarks(context, guard, qpIndex, qpIndex + 1, sinceNs, [](uint32_t) { return true; });
}

int takeBack(Context& context, Guard& guard, MemoryRegion& region, uint64_t sinceNs) {
  waitForMarks(context, guard, sinceNs, [&](uint32_t key) { return key == region.rkey; });
  if (!region.straggler) return 0;
  std::shared_ptr<host::Segment> segment = context.segments.find(region.addr, region.length);
  if (segment == nullptr) return 0;  // no peer could map it, or not any more
  host::Extent pages = segment->pagesOf(region.addr, region.length);
  guard.unlock();
  int rc =
      orNoMemory(ENOMEM, [&] { return host::SegmentTable::ofProcess().withdraw(segment, pages); });
  guard.lock();
  return rc;
}

void Context::closePages(const host::Segment& segment, host::Extent pages) {
  std::unique_lock guard(lock);
  regions.forEach([&](const MemoryRegion& region) {
    if (reaches(region, segment, pages)) RegionTable::unmap(region, port());
  });
  waitForMarks(*this, guard, base::monotonicNs(), [&](uint32_t key) {
    const MemoryRegion* region = regions.withKey(key);
    return region != nullptr && reaches(*region, segment, pages);
  });
}

}  // namespace verbena::softnic
