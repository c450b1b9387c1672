// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "shmem.h"
#include "teams.h"
#include "world.h"

/// A part of a program's communication, in which PEs have their numbers of a team. Its memory is
/// never given back, so that what has gone can be told: its handle names the life, too, in the bits
/// that are free as it lies at a multiple of 64.
struct alignas(64) shmem_ctx {
  std::atomic<uint64_t> life{0};  ///< odd: it is there
  shmem_team_t handle = SHMEM_TEAM_INVALID;
  const shmem_team* team = nullptr;
};

namespace verbena::shmem {

/// That of a handle, but the default one's; ends the process if it is none.
inline shmem_ctx& contextOf(shmem_ctx_t handle) {
  constexpr uintptr_t kLife = alignof(shmem_ctx) - 1;
  if (handle == SHMEM_CTX_INVALID) refuse("the context is SHMEM_CTX_INVALID");
  auto bits = reinterpret_cast<uintptr_t>(handle);
  auto& found = *reinterpret_cast<shmem_ctx*>(bits & ~kLife);
  if ((found.life.load(std::memory_order_relaxed) & kLife) != (bits & kLife))
    refuse("the context was destroyed, or its team");
  return found;
}

/// The PE of the world that a number means in a context.
inline int worldPe(shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  return worldPe(*contextOf(ctx).team, pe);
}

}  // namespace verbena::shmem
