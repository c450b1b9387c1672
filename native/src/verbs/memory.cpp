// SPDX-License-Identifier: Apache-2.0
#include "verbs/memory.h"

#include <cerrno>

#include "verbs/advice.h"

namespace verbena::verbs {
namespace {

constexpr int kNeedsLocalWrite = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;

/// Ends a registration unless that was done before; then lets go of what it was made from.
struct Deregistration {
  int (*deregister)(ibv_mr*);
  std::shared_ptr<ibv_pd> pd;
  std::shared_ptr<std::byte> memory;
  bool done = false;

  void operator()(ibv_mr* region) const {
    if (!done) noteDestruction(deregister(region));
  }
};

/// Registers, and keeps `memory` (which may be null) as long as the region.
base::Result<std::shared_ptr<ibv_mr>> registerBytes(const ProtectionDomain& pd,
                                                    std::span<std::byte> range, int access,
                                                    std::shared_ptr<std::byte> memory) {
  std::string operation = "register " + std::to_string(range.size()) + " bytes";
  if ((access & kNeedsLocalWrite) != 0 && (access & IBV_ACCESS_LOCAL_WRITE) == 0) {
    return base::Error{operation, pd.device()->name, EINVAL,
                       "remote write and remote atomic access need local write access"};
  }
  ibv_mr* raw = pd.provider().reg_mr(pd.get(), range.data(), range.size(), access);
  if (raw == nullptr) return creationError(*pd.device(), operation, errno, range.size());
  return std::shared_ptr<ibv_mr>(
      raw, Deregistration{pd.provider().dereg_mr, pd.share(), std::move(memory)});
}

}  // namespace

base::Result<ProtectionDomain> ProtectionDomain::allocate(const Context& context) {
  ibv_pd* raw = context.provider().alloc_pd(context.get());
  if (raw == nullptr) {
    return creationError(*context.device(), "allocate a protection domain", errno);
  }
  return ProtectionDomain(context.device(),
                          own(raw, context.provider().dealloc_pd, context.share()));
}

base::Result<ShareableMemory> ShareableMemory::allocate(const Context& context, size_t bytes) {
  const Provider& provider = context.provider();
  void* raw = provider.alloc_shareable(context.get(), bytes);
  if (raw == nullptr) {
    return creationError(*context.device(), "allocate " + std::to_string(bytes) + " bytes", errno);
  }
  std::shared_ptr<std::byte> memory(
      static_cast<std::byte*>(raw),
      [device = context.share(), free = provider.free_shareable, bytes](std::byte* address) {
        free(device.get(), address, bytes);
      });
  return ShareableMemory(std::move(memory), bytes);
}

base::Result<MemoryRegion> MemoryRegion::registerRange(const ProtectionDomain& pd,
                                                       std::span<std::byte> range, int access) {
  base::Result<std::shared_ptr<ibv_mr>> region = registerBytes(pd, range, access, nullptr);
  if (!region) return region.error();
  return MemoryRegion(pd.device(), std::move(region).value());
}

base::Result<MemoryRegion> MemoryRegion::registerRange(const ProtectionDomain& pd,
                                                       const ShareableMemory& memory, int access) {
  base::Result<std::shared_ptr<ibv_mr>> region =
      registerBytes(pd, memory.bytes(), access, memory.share());
  if (!region) return region.error();
  return MemoryRegion(pd.device(), std::move(region).value());
}

base::Result<void> MemoryRegion::deregister() {
  auto* ending = std::get_deleter<Deregistration>(share());
  if (ending->done) return {};
  uint64_t bytes = get()->length;
  if (int code = ending->deregister(get()); code != 0) {
    return base::Error{"take back the registration of " + std::to_string(bytes) + " bytes",
                       device()->name, code, "no key of it works any more; try again"};
  }
  ending->done = true;
  return {};
}

}  // namespace verbena::verbs
