// SPDX-License-Identifier: Apache-2.0
//
// Lists as Slurm writes them into its variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace verbena::job {

/// "n[01-03,7],m" is n01, n02, n03, n7 and m; there may be several brackets in a name.
base::Result<std::vector<std::string>> expandNodeList(const std::string& list);

/// "2(x3),1" is 2, 2, 2 and 1.
base::Result<std::vector<uint32_t>> expandCounts(const std::string& list);

}  // namespace verbena::job
