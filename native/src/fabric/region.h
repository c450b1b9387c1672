// SPDX-License-Identifier: Apache-2.0
//
// Memory that one-sided operations work on: at their own end as it is, at the far end as far as
// keys of it have been shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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

/// Any thread.
class Region {
 public:
  /// Zeroed memory that peers of this host can map, where the device has such.
  static base::Result<std::shared_ptr<Region>> allocate(std::shared_ptr<const Domain> domain,
                                                        const Owner& owner, size_t bytes);
  /// The caller's own memory, which stays valid as long as the region.
  static base::Result<std::shared_ptr<Region>> registerForeign(std::shared_ptr<const Domain> domain,
                                                               const Owner& owner,
                                                               std::span<std::byte> memory);

  std::span<std::byte> bytes() const { return bytes_; }
  uint32_t lkey() const { return local_.lkey(); }
  const Domain& domain() const { return *domain_; }

  /// Lets others operate on a part of it, until that is revoked. Each share is a registration of
  /// its own: its key reaches what was shared and nothing else.
  base::Result<RegionKey> share(uint64_t offset, uint64_t length, uint8_t access);
  /// When it succeeds nothing can be read or written through the key any more, also by a peer that
  /// was stopped in the middle: softnic waits for such a one for a second, and then gives the
  /// region pages of its own. If it fails a peer may still be at work: call it again. ENOENT: it is
  /// no key of this region. EBUSY: another thread is revoking it.
  base::Result<void> revoke(const RegionKey& key);

 private:
  Region(std::shared_ptr<const Domain> domain, const Owner& owner,
         std::optional<verbs::ShareableMemory> memory, std::span<std::byte> bytes,
         verbs::MemoryRegion local);
  static base::Result<std::shared_ptr<Region>> make(std::shared_ptr<const Domain> domain,
                                                    const Owner& owner,
                                                    std::optional<verbs::ShareableMemory> memory,
                                                    std::span<std::byte> bytes);

  const std::shared_ptr<const Domain> domain_;
  const Owner owner_;
  const std::optional<verbs::ShareableMemory> memory_;  // nothing: the caller's own
  const std::span<std::byte> bytes_;
  const verbs::MemoryRegion local_;
  std::mutex lock_;
  struct Share {
    verbs::MemoryRegion registration;
    bool ending = false;  // a thread is at it, without the lock
  };
  std::map<uint32_t, Share> shares_;  // by rkey
};

}  // namespace verbena::fabric
