// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shmem.h"
#include "teams.h"
#include "world.h"

/// What a program has made for a part of its communication. PEs have their numbers of its team.
struct shmem_ctx {
  long options;
  shmem_team_t handle;
  const shmem_team* team;
};

namespace verbena::shmem {

/// The PE of the world that a number means in a context.
inline int worldPe(shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  if (ctx == SHMEM_CTX_INVALID) refuse("the context is SHMEM_CTX_INVALID");
  return worldPe(*ctx->team, pe);
}

}  // namespace verbena::shmem
