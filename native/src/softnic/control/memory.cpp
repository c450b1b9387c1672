// SPDX-License-Identifier: Apache-2.0
//
// Protection domains, memory regions, shareable memory, address handles.
#include <cerrno>
#include <cstring>
#include <new>

#include "softnic/control/control.h"
#include "softnic/device/context.h"
#include "softnic/memory/no_memory.h"
#include "softnic/memory/stragglers.h"

namespace verbena::softnic {
namespace {

ProtectionDomain& domain(ibv_pd* pd) {
  return *static_cast<ProtectionDomain*>(pd);
}

}  // namespace

ibv_pd* allocPd(ibv_context* handle) {
  Context& context = contextOf(handle);
  std::lock_guard guard(context.lock);
  auto* pd = new (std::nothrow) ProtectionDomain();
  if (pd == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  pd->context = handle;
  pd->handle = context.nextPd++;
  return pd;
}

int deallocPd(ibv_pd* pd) {
  std::lock_guard guard(contextOf(pd->context).lock);
  if (domain(pd).users != 0) return EBUSY;
  delete &domain(pd);
  return 0;
}

ibv_mr* regMr(ibv_pd* pd, void* address, size_t length, int access) {
  Context& context = contextOf(pd->context);
  std::lock_guard guard(context.lock);
  auto* region = orNoMemory<MemoryRegion*>(nullptr, [&] {
    return context.regions.add(domain(pd), address, length, static_cast<uint32_t>(access),
                               context.segments, context.portFile);
  });
  if (region != nullptr) domain(pd).users++;
  return region;
}

int deregMr(ibv_mr* mr) {
  Context& context = contextOf(mr->context);
  auto& region = *static_cast<MemoryRegion*>(mr);
  std::unique_lock guard(context.lock);
  context.regions.revoke(region, context.port());
  while (region.copies != 0) context.waitForCopies(guard);
  if (int rc = takeBack(context, guard, region); rc != 0) return rc;
  context.regions.remove(region);
  domain(region.pd).users--;
  delete &region;
  return 0;
}

void* allocShareable(ibv_context* handle, size_t bytes) {
  Context& context = contextOf(handle);
  std::lock_guard guard(context.lock);
  return orNoMemory<void*>(nullptr, [&] {
    return context.segments.allocate(context.folder->segments(context.port().incarnation), bytes);
  });
}

void freeShareable(ibv_context* handle, void* memory, size_t) {
  Context& context = contextOf(handle);
  std::lock_guard guard(context.lock);
  if (!context.segments.free(memory)) return;
  // release pairs with the acquire in DirectWindow::someFreed(): the name is gone
  context.port().segmentsFreed.fetch_add(1, std::memory_order_release);
  context.links.tellFreed();
}

ibv_ah* createAh(ibv_pd* pd, ibv_ah_attr* attributes) {
  Context& context = contextOf(pd->context);
  std::lock_guard guard(context.lock);
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
  std::lock_guard guard(contextOf(ah->context).lock);
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
