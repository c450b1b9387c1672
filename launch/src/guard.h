// SPDX-License-Identifier: Apache-2.0
//
// Two processes watch over the ranks of a host: the agent, whose children they are, and the guard,
// whose child the agent is. Whichever of them is killed, the other one ends all that is left. The
// launcher is watched by the agent: its stream ends with it.
#pragma once

#include <functional>
#include <string>

#include "base/descriptor.h"

namespace verbena::launch {

/// What the agent is started with.
struct Guarded {
  base::FileDescriptor guard;  ///< readable once the guard is gone
  std::string folder;          ///< to be made; the guard removes it
};

/// Makes this process the guard of a child that runs `agent`, and returns its exit status when
/// nothing is left of the job.
int guarded(const std::function<int(Guarded)>& agent);

}  // namespace verbena::launch
