// SPDX-License-Identifier: Apache-2.0
#include "engine/replica.h"

namespace verbena::engine {

verbs::Result<Replica::Grant> Replica::grant(const OpenPort& port, uint64_t offset) {
  std::lock_guard guard(lock_);
  region_.reset();
  auto region = verbs::MemoryRegion::registerRange(
      port.pd, memory_.bytes().subspan(offset), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  if (!region) return region.error();
  region_ = std::move(*region);
  return Grant{region_->address(), region_->rkey()};
}

void Replica::revoke() {
  std::lock_guard guard(lock_);
  region_.reset();
}

}  // namespace verbena::engine
