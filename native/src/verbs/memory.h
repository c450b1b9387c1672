// SPDX-License-Identifier: Apache-2.0
//
// Memory a device may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "verbs/device.h"

namespace verbena::verbs {

class ProtectionDomain : public Handle<ibv_pd> {
 public:
  static base::Result<ProtectionDomain> allocate(const Context& context);

 private:
  using Handle::Handle;
};

/// Zeroed, page-aligned memory that suits the device best (Provider::alloc_shareable).
class ShareableMemory {
 public:
  static base::Result<ShareableMemory> allocate(const Context& context, size_t bytes);

  std::span<std::byte> bytes() const { return {memory_.get(), size_}; }
  const std::shared_ptr<std::byte>& share() const { return memory_; }

 private:
  ShareableMemory(std::shared_ptr<std::byte> memory, size_t size)
      : memory_(std::move(memory)), size_(size) {}

  std::shared_ptr<std::byte> memory_;
  size_t size_;
};

/// A registered range. Whoever registered foreign memory keeps it valid for as long as the region
/// lives.
class MemoryRegion : public Handle<ibv_mr> {
 public:
  /// `access` is a combination of ibv_access_flags. Remote write or atomic access without local
  /// write is refused, as the specification demands.
  static base::Result<MemoryRegion> registerRange(const ProtectionDomain& pd,
                                                  std::span<std::byte> range, int access);
  /// As above; the region keeps the memory.
  static base::Result<MemoryRegion> registerRange(const ProtectionDomain& pd,
                                                  const ShareableMemory& memory, int access);

  /// Takes the registration back before this object goes: when it succeeds nothing reaches the
  /// memory by its keys any more. If it fails the keys are dead all the same, and it may be called
  /// again.
  base::Result<void> deregister();

  uint32_t lkey() const { return get()->lkey; }
  uint32_t rkey() const { return get()->rkey; }
  uint64_t address() const { return reinterpret_cast<uintptr_t>(get()->addr); }

 private:
  using Handle::Handle;
};

}  // namespace verbena::verbs
