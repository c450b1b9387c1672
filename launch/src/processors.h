// SPDX-License-Identifier: Apache-2.0
//
// The processors that this process may use, by core: the threads of a core belong together.
#pragma once

#include <sched.h>

#include <cstddef>
#include <vector>

namespace verbena::launch {

/// No more than a control group leaves time for.
size_t processorCount();

/// The cores of the allowed processors, in the order of their numbers.
std::vector<cpu_set_t> cores();

}  // namespace verbena::launch
