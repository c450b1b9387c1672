// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "verbs/wiring.h"

namespace verbena::softnic {
namespace {

constexpr uint32_t kKnownAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                  IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
                                  IBV_ACCESS_HUGETLB | IBV_ACCESS_RELAXED_ORDERING |
                                  verbs::kWithoutProof;

bool allowedAccess(uint32_t access) {
  // The specification lets nobody far write where nobody near may.
  bool farWrites = (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0;
  bool nearWrites = (access & IBV_ACCESS_LOCAL_WRITE) != 0;
  return (access & ~kKnownAccess) == 0 && (!farWrites || nearWrites);
}

/// Takes the pages of a table entry, and shows peers that it may be read.
bool backRegion(host::SharedFile& portFile, uint32_t index) {
  auto* port = portFile.as<PortMemory>();
  uint32_t used = port->regionsUsed.load(std::memory_order_relaxed);
  if (index < used) return true;
  size_t offset = offsetof(PortMemory, regions) + used * sizeof(PublishedRegion);
  if (!portFile.back(offset, (index + 1 - used) * sizeof(PublishedRegion))) return false;
  port->regionsUsed.store(index + 1,
                          std::memory_order_release);  // pairs with DirectWindow::locate()
  return true;
}

void publish(PublishedRegion& entry, const MemoryRegion& region, const Segments& segments) {
  std::shared_ptr<host::Segment> segment = segments.find(region.addr, region.length);
  bool mappable =
      segment != nullptr && segment->isShared(segment->pagesOf(region.addr, region.length));
  auto address = reinterpret_cast<uint64_t>(region.addr);
  uint64_t base = segment ? reinterpret_cast<uint64_t>(segment->start()) : address;
  entry.address.store(address, std::memory_order_relaxed);
  entry.lengthBytes.store(region.length, std::memory_order_relaxed);
  entry.segmentOffset.store(address - base, std::memory_order_relaxed);
  entry.segment.store(mappable ? segment->number() : 0, std::memory_order_relaxed);
  entry.pd.store(region.pd->handle, std::memory_order_relaxed);
  uint64_t word = static_cast<uint64_t>(region.access) << 32 | region.lkey;
  // release pairs with the look at the key in DirectWindow::locate(): the fields belong to it
  entry.keyAndAccess.store(word, std::memory_order_release);
}

}  // namespace

MemoryRegion* RegionTable::add(ProtectionDomain& pd, void* address, size_t length, uint32_t access,
                               const Segments& segments, host::SharedFile& portFile) {
  if (!allowedAccess(access)) {
    errno = EINVAL;
    return nullptr;
  }
  if (length == 0 || !isMapped(address, length)) {
    errno = length == 0 ? EINVAL : EFAULT;
    return nullptr;
  }
  auto region = std::make_unique<MemoryRegion>();
  uint32_t index = takeIndex();
  if (index == kRegionsPerPort || !backRegion(portFile, index)) {
    if (index != kRegionsPerPort) freeIndices_.push_back(index);
    errno = ENOMEM;
    return nullptr;
  }
  region->context = pd.context;
  region->pd = &pd;
  region->addr = address;
  region->length = length;
  region->handle = index;
  region->lkey = newKey(index);
  region->rkey = region->lkey;
  region->access = access;
  regions_[index] = region.get();
  count_++;
  publish(portFile.as<PortMemory>()->regions[index], *region, segments);
  return region.release();
}

bool RegionTable::addAs(const MemoryRegion& other, const Segments& segments,
                        host::SharedFile& portFile) {
  uint32_t index = other.handle;
  auto region = std::make_unique<MemoryRegion>(other);
  region->copies = 0;
  region->straggler = false;
  if (index >= regions_.size()) regions_.resize(index + 1);
  if (!backRegion(portFile, index)) {
    errno = ENOMEM;
    return false;
  }
  count_++;
  publish(portFile.as<PortMemory>()->regions[index], *region, segments);
  regions_[index] = region.release();
  return true;
}

void RegionTable::revoke(MemoryRegion& region, PortMemory& port) {
  // seq_cst pairs with the mark of DirectWindow::access(): either the peer sees the key gone, or we
  // see that it is at work
  port.regions[region.handle].keyAndAccess.store(0, std::memory_order_seq_cst);
  region.lkey = 0;  // which is nobody's: no look-up finds it
}

void RegionTable::remove(const MemoryRegion& region) {
  regions_[region.handle] = nullptr;
  freeIndices_.insert(freeIndices_.begin(), region.handle);
  count_--;
}

void RegionTable::removeAs(const MemoryRegion& other) {
  MemoryRegion* own = withKey(other.rkey);
  if (own == nullptr) return;
  regions_[own->handle] = nullptr;
  count_--;
  delete own;
}

void RegionTable::unmap(const MemoryRegion& region, PortMemory& port) {
  // seq_cst as in revoke(), for the look at the segment
  port.regions[region.handle].segment.store(0, std::memory_order_seq_cst);
}

/// Index 0 is never used, so that no key is 0 by chance of its tag.
uint32_t RegionTable::takeIndex() {
  bool isFull = regions_.size() == kRegionsPerPort;
  if (freeIndices_.size() > kResting || (isFull && !freeIndices_.empty())) {
    uint32_t index = freeIndices_.back();
    freeIndices_.pop_back();
    return index;
  }
  if (regions_.empty()) regions_.push_back(nullptr);
  if (isFull) return kRegionsPerPort;
  uses_.resize(regions_.size() + 1);
  regions_.push_back(nullptr);
  freeIndices_.reserve(regions_.capacity());  // giving one back never fails
  return static_cast<uint32_t>(regions_.size() - 1);
}

uint32_t RegionTable::newKey(uint32_t index) {
  return index << kKeyTagBits | tags_.of(index, uses_[index]++);
}

bool isMapped(const void* address, size_t length) {
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t start = reinterpret_cast<uintptr_t>(address) & ~(page - 1);
  uintptr_t end = reinterpret_cast<uintptr_t>(address) + length;
  if (end < start) return false;
  unsigned char resident[1024];
  while (start < end) {
    size_t bytes = std::min<size_t>(end - start, page * sizeof resident);
    if (mincore(reinterpret_cast<void*>(start), bytes, resident) != 0) return false;
    start += bytes;
  }
  return true;
}

}  // namespace verbena::softnic
