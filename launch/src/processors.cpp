// SPDX-License-Identifier: Apache-2.0
#include "processors.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "host/processor_quota.h"

namespace verbena::launch {
namespace {

cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

/// What the threads of a core have in common; a core of its own where the system does not say.
std::string coreOf(int processor) {
  std::string path =
      "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list";
  std::ifstream file(path);
  std::string siblings;
  return std::getline(file, siblings) ? siblings : std::to_string(processor);
}

}  // namespace

size_t processorCount() {
  cpu_set_t set = allowed();
  return std::min(static_cast<size_t>(std::max(CPU_COUNT(&set), 1)), host::processorQuota());
}

std::vector<cpu_set_t> cores() {
  cpu_set_t set = allowed();
  std::vector<cpu_set_t> found;
  std::map<std::string, size_t> known;
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &set)) continue;
    auto [core, isNew] = known.try_emplace(coreOf(processor), found.size());
    if (isNew) CPU_ZERO(&found.emplace_back());
    CPU_SET(processor, &found[core->second]);
  }
  return found;
}

}  // namespace verbena::launch
