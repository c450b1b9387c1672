// SPDX-License-Identifier: Apache-2.0
#include "host/processor_quota.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace verbena::host {
namespace {

size_t processors(double quota, double period) {
  if (quota <= 0 || period <= 0) return SIZE_MAX;
  return std::max<size_t>(static_cast<size_t>((quota + period - 1) / period), 1);
}

/// Version 2: "QUOTA PERIOD", of which the first may be "max". Version 1: a file for each.
size_t quotaOf(const std::string& group) {
  double quota = 0;
  double period = 0;
  if (std::ifstream(group + "/cpu.max") >> quota >> period) return processors(quota, period);
  std::ifstream(group + "/cpu.cfs_quota_us") >> quota;
  std::ifstream(group + "/cpu.cfs_period_us") >> period;
  return processors(quota, period);
}

/// Of a group and those that it is in: each may have a limit.
size_t quotaUpwards(const std::string& folder, std::string path) {
  size_t least = quotaOf(folder);
  for (; path.size() > 1; path.resize(path.rfind('/'))) {
    least = std::min(least, quotaOf(folder + path));
  }
  return least;
}

}  // namespace

size_t processorQuota(const std::string& groups, const std::string& folder) {
  size_t least = SIZE_MAX;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {  // NUMBER:CONTROLLERS:PATH
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (second == std::string::npos || second + 1 >= line.size() || line[second + 1] != '/')
      continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, quotaUpwards(folder, path));
    if (controllers.find(",cpu,") == std::string::npos) continue;
    least = std::min(least, quotaUpwards(folder + "/cpu", path));
  }
  return least;
}

size_t processorQuota() {
  std::ifstream file("/proc/self/cgroup");
  std::stringstream groups;
  groups << file.rdbuf();
  return processorQuota(groups.str(), "/sys/fs/cgroup");
}

}  // namespace verbena::host
