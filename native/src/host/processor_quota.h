// SPDX-License-Identifier: Apache-2.0
//
// How much processor time a control group leaves to this process, as containers and batch systems
// limit it.
#pragma once

#include <cstddef>
#include <string>

namespace verbena::host {

/// In processors, rounded up; SIZE_MAX where there is no limit.
size_t processorQuota();
/// The same of a process whose /proc/self/cgroup reads so, with the file systems of control groups
/// in a folder.
size_t processorQuota(const std::string& groups, const std::string& folder);

}  // namespace verbena::host
