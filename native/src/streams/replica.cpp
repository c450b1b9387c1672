// SPDX-License-Identifier: Apache-2.0
#include "streams/replica.h"

#include "verbs/wiring.h"

namespace verbena::streams {
namespace {

/// Bytes are read when the send behind them has arrived, so it does not matter when, and in which
/// order, they come. `rdma.placement` decides whether anything is granted, with a key or without.
constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                        IBV_ACCESS_RELAXED_ORDERING | verbs::kWithoutProof;

}  // namespace

base::Result<Replica::Grant> Replica::grant(const fabric::Domain& domain, uint64_t offset) {
  std::lock_guard guard(lock_);
  region_.reset();
  auto region =
      verbs::MemoryRegion::registerRange(domain.pd, memory_.bytes().subspan(offset), kAccess);
  if (!region) return region.error();
  region_ = std::move(*region);
  return Grant{region_->address(), region_->rkey()};
}

void Replica::revoke() {
  std::lock_guard guard(lock_);
  region_.reset();
}

}  // namespace verbena::streams
