// SPDX-License-Identifier: Apache-2.0
//
// The cluster's key: what a file has that its user alone can read.
#pragma once

#include <string>
#include <vector>

namespace verbena::mtcl {

/// What stands against it, for people; empty if `key` is it.
std::string readKeyFile(const std::string& path, std::vector<char>& key);

}  // namespace verbena::mtcl
