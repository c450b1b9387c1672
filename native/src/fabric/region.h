// SPDX-License-Identifier: Apache-2.0
//
// Memory that one-sided operations work on: at their own end as it is, at the far end as far as
// keys of it have been shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "base/result.h"
#include "fabric/domain.h"
#include "fabric/region_key.h"

namespace verbena::fabric {

/// Which life of which node shares a region.
struct Owner {
  connect::NodeId node = 0;
  uint64_t incarnation = 0;
};

/// Whether what is shared is also lent to processes of this host.
enum class Lends : bool { no, yes };

/// Any thread.
class Region final : host::SegmentUser {
 public:
  /// All its keys are dead then.
  ~Region() override;
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// Zeroed memory that peers of this host can map, whatever the device; where the host has no more
  /// of that, memory that suits the device.
  static base::Result<std::shared_ptr<Region>> allocate(std::shared_ptr<const Domain> domain,
                                                        const Owner& owner, size_t bytes,
                                                        Lends lends = Lends::yes);
  /// The caller's own memory, which stays valid as long as the region.
  static base::Result<std::shared_ptr<Region>> registerForeign(std::shared_ptr<const Domain> domain,
                                                               const Owner& owner,
                                                               std::span<std::byte> memory,
                                                               Lends lends = Lends::yes);

  std::span<std::byte> bytes() const { return memory_.bytes; }
  uint32_t lkey() const { return lkey_.load(std::memory_order_relaxed); }
  const Domain& domain() const { return *domain_; }

  /// Lets others operate on a part of it, until that is revoked. Each share is a registration of
  /// its own: its key reaches what was shared and nothing else.
  base::Result<RegionKey> share(uint64_t offset, uint64_t length, uint32_t access);
  /// When it succeeds nothing can be read or written through the key any more, also by a peer that
  /// was stopped in the middle: such a one is waited for for a second, and then the region gets
  /// pages of its own, of which an adapter has to be told: then other keys of the same pages
  /// are dead, too, and what it has under way with the region fails, and with every other region
  /// of these pages. If it fails a peer may still be at work: call it again. ENOENT: it is no key
  /// of this region. EBUSY: another thread is revoking it.
  base::Result<void> revoke(const RegionKey& key);

 private:
  Region(std::shared_ptr<const Domain> domain, const Owner& owner, Lends lends, KeptMemory memory,
         verbs::MemoryRegion local);
  static base::Result<std::shared_ptr<Region>> make(std::shared_ptr<const Domain> domain,
                                                    const Owner& owner, Lends lends,
                                                    KeptMemory memory);

  struct Share {
    verbs::MemoryRegion registration;
    std::span<std::byte> part;
    bool isLent = false;
    bool ending = false;  // a thread is at it, without the lock
  };
  bool lend(const RegionKey& key, std::span<const std::byte> part) const;
  base::Result<void> takeBack(Share& share, uint32_t rkey);

  // Of an adapter, which has the pages that were there when it was told of the memory.
  bool knowsPages() const { return lender_ != nullptr && !domain_->lending().deviceIsProcess(); }
  void closePages(const host::Segment& segment, host::Extent pages) override;
  void pagesTaken(const host::Segment& segment, host::Extent pages) override;
  void closeShares(std::span<const std::byte> replaced);
  base::Result<void> renew();

  const std::shared_ptr<const Domain> domain_;
  const Owner owner_;
  host::Lender* const lender_;  // the domain's; null: nothing is lent
  const KeptMemory memory_;     // without a keeper: the caller's own
  verbs::MemoryRegion local_;
  std::atomic<uint32_t> lkey_;  // of it
  std::mutex lock_;
  std::map<uint32_t, Share> shares_;  // by rkey
  bool isStale_ = false;              // the adapter knows nothing of the memory, for now
};

}  // namespace verbena::fabric
