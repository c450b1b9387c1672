// SPDX-License-Identifier: Apache-2.0
//
// Protection domains, memory regions, shareable memory, address handles.
#include <cerrno>
#include <cstring>
#include <new>

#include "base/clock.h"
#include "softnic/control/control.h"
#include "softnic/device/context.h"
#include "softnic/memory/no_memory.h"
#include "softnic/memory/stragglers.h"

namespace verbena::softnic {
namespace {

ProtectionDomain& domain(ibv_pd* pd) {
  return *static_cast<ProtectionDomain*>(pd);
}

/// False if one of them has no memory for it.
bool showToOthers(Context& context, const MemoryRegion& region) {
  bool shown = true;
  context.ports.forEach([&](Context& port) {
    if (&port == &context || !shown) return;
    std::lock_guard guard(port.lock);
    shown =
        orNoMemory(false, [&] { return port.regions.addAs(region, port.segments, port.portFile); });
  });
  return shown;
}

void revokeEverywhere(Context& context, const MemoryRegion& region) {
  uint32_t rkey = region.rkey;
  context.ports.forEach([rkey](Context& port) {
    std::lock_guard guard(port.lock);
    MemoryRegion* own = port.regions.withKey(rkey);
    if (own != nullptr) port.regions.revoke(*own, port.port());
  });
}

/// Returns when no thread and no peer uses the region by way of the port any more. Returns an
/// errno.
int awaitUsers(Context& port, uint32_t rkey, uint64_t sinceNs) {
  std::unique_lock guard(port.lock);
  MemoryRegion* own = port.regions.withKey(rkey);
  if (own == nullptr) return 0;
  while (own->copies != 0) port.waitForCopies(guard);
  return takeBack(port, guard, *own, sinceNs);
}

/// The first port goes last: its place may become another region's then.
void forget(Context& context, MemoryRegion& region) {
  context.ports.forEach([&](Context& port) {
    std::lock_guard guard(port.lock);
    if (&port == &context) {
      port.regions.remove(region);
    } else {
      port.regions.removeAs(region);
    }
  });
  domain(region.pd).users--;
  delete &region;
}

}  // namespace

ibv_pd* allocPd(ibv_context* handle) {
  auto* pd = new (std::nothrow) ProtectionDomain();
  if (pd == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  pd->context = handle;
  pd->handle = contextOf(handle).ports.nextPd++;
  return pd;
}

int deallocPd(ibv_pd* pd) {
  if (domain(pd).users != 0) return EBUSY;
  delete &domain(pd);
  return 0;
}

ibv_mr* regMr(ibv_pd* pd, void* address, size_t length, int access) {
  Context& context = contextOf(pd->context);
  std::lock_guard changing(context.ports.changes);
  MemoryRegion* region = nullptr;
  {
    std::lock_guard guard(context.lock);
    region = orNoMemory<MemoryRegion*>(nullptr, [&] {
      return context.regions.add(domain(pd), address, length, static_cast<uint32_t>(access),
                                 context.segments, context.portFile);
    });
  }
  if (region == nullptr) return nullptr;
  domain(pd).users++;
  if (showToOthers(context, *region)) return region;
  revokeEverywhere(context, *region);  // whose key nobody has
  forget(context, *region);
  errno = ENOMEM;
  return nullptr;
}

int deregMr(ibv_mr* mr) {
  Context& context = contextOf(mr->context);
  auto& region = *static_cast<MemoryRegion*>(mr);
  {
    std::lock_guard changing(context.ports.changes);
    revokeEverywhere(context, region);
  }
  // A port that is opened from here on does not get it.
  int failure = 0;
  uint64_t now = base::monotonicNs();
  context.ports.forEach([&](Context& port) {
    if (int rc = awaitUsers(port, region.rkey, now); rc != 0) failure = rc;
  });
  if (failure != 0) return failure;
  forget(context, region);
  return 0;
}

void* allocShareable(ibv_context* handle, size_t bytes) {
  Context& context = contextOf(handle);
  void* memory = orNoMemory<void*>(nullptr, [&] {
    return context.segments.allocate(context.folder->segments(context.port().incarnation), bytes);
  });
  if (memory == nullptr && errno == ENOENT) errno = ESTALE;  // the folder, in which it is made
  return memory;
}

void freeShareable(ibv_context* handle, void* memory, size_t) {
  Context& context = contextOf(handle);
  if (!context.segments.free(memory)) return;
  context.ports.forEach([](Context& port) {
    std::lock_guard guard(port.lock);
    // release pairs with the acquire in DirectWindow::someFreed(): the name is gone
    port.port().segmentsFreed.fetch_add(1, std::memory_order_release);
    port.links.tellFreed();
  });
}

ibv_ah* createAh(ibv_pd* pd, ibv_ah_attr* attributes) {
  Context& context = contextOf(pd->context);
  bool valid = attributes->is_global != 0 && attributes->port_num == 1 &&
               attributes->grh.sgid_index < context.port().gidCount;
  if (!valid) {
    errno = EINVAL;
    return nullptr;
  }
  auto* handle = new (std::nothrow) AddressHandle();
  if (handle == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  handle->context = pd->context;
  handle->pd = pd;
  handle->attributes = *attributes;
  handle->peerGid = attributes->grh.dgid;
  domain(pd).users++;
  return handle;
}

int destroyAh(ibv_ah* ah) {
  domain(ah->pd).users--;
  delete static_cast<AddressHandle*>(ah);
  return 0;
}

int initAhFromWc(ibv_context* handle, uint8_t port, ibv_wc* completion, ibv_grh* grh,
                 ibv_ah_attr* attributes) {
  const PortMemory& own = contextOf(handle).port();
  bool hasHeader = (completion->wc_flags & IBV_WC_GRH) != 0;
  uint32_t index = 0;
  while (index < own.gidCount && std::memcmp(&own.gids[index], &grh->dgid, sizeof grh->dgid) != 0) {
    index++;
  }
  if (!hasHeader || index == own.gidCount || port != 1) {
    errno = EINVAL;
    return -1;
  }
  *attributes = {};
  attributes->is_global = 1;
  attributes->port_num = port;
  attributes->sl = completion->sl;
  attributes->grh.dgid = grh->sgid;
  attributes->grh.sgid_index = static_cast<uint8_t>(index);
  attributes->grh.hop_limit = 0xff;
  uint32_t words = be32toh(grh->version_tclass_flow);
  attributes->grh.flow_label = words & 0xfffff;
  attributes->grh.traffic_class = static_cast<uint8_t>(words >> 20 & 0xff);
  return 0;
}

}  // namespace verbena::softnic
