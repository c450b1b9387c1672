// SPDX-License-Identifier: Apache-2.0
//
// All verbs providers of this library.
#pragma once

#include <vector>

#include "base/result.h"
#include "verbs/provider.h"

namespace verbena::devices {

/// In the order of preference: devices of the kernel, then softnic. One that cannot be loaded has
/// its error in its place.
std::vector<base::Result<const verbs::Provider*>> providers();

}  // namespace verbena::devices
