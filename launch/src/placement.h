// SPDX-License-Identifier: Apache-2.0
//
// Which rank runs on which host.
#pragma once

#include <cstdint>
#include <vector>

#include "options.h"

namespace verbena::launch {

/// Of one host.
struct Placed {
  Host host;
  std::vector<RankOrder> ranks;
};

/// Hosts without ranks are left out.
base::Result<std::vector<Placed>> place(const Options& options);

}  // namespace verbena::launch
