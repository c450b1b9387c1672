// SPDX-License-Identifier: Apache-2.0
//
// The job's key: text in a file that its user alone can read.
#pragma once

#include <string>

#include "base/result.h"

namespace verbena::job {

/// 64 hexadecimal digits by chance.
base::Result<std::string> freshKey();

/// Makes the file (0600), which must not be there.
base::Result<void> writeKeyFile(const std::string& path, const std::string& key);

/// Without white space at its ends. Refuses a file of somebody else, or that others may read.
base::Result<std::string> readKeyFile(const std::string& path);

}  // namespace verbena::job
