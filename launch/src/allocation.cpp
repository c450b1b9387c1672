// SPDX-License-Identifier: Apache-2.0
#include "allocation.h"

#include "job/node_list.h"

namespace verbena::launch {
namespace {

constexpr const char* kNodes = "SLURM_JOB_NODELIST";
/// The first that there is, and that speaks of all nodes: within a step the first speaks of the
/// step's.
constexpr const char* kSlotVariables[] = {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"};

base::Result<std::vector<uint32_t>> slotsFor(size_t nodes, const job::Variables& variables) {
  for (const char* name : kSlotVariables) {
    const char* text = variables(name);
    if (text == nullptr) continue;
    auto slots = job::expandCounts(text);
    if (!slots) return slots.error();
    if (slots->size() == nodes) return slots;
  }
  return std::vector<uint32_t>(nodes, 1);
}

}  // namespace

base::Result<std::vector<Host>> allocatedHosts(const job::Variables& variables) {
  const char* list = variables(kNodes);
  if (list == nullptr || *list == '\0') return std::vector<Host>();
  auto names = job::expandNodeList(list);
  if (!names) return names.error();
  auto slots = slotsFor(names->size(), variables);
  if (!slots) return slots.error();
  std::vector<Host> hosts;
  for (size_t i = 0; i < names->size(); i++) {
    auto host = parseHosts((*names)[i]);
    if (!host) return host.error();
    if ((*slots)[i] > 0) hosts.push_back({host->front().name, (*slots)[i]});
  }
  return hosts;
}

}  // namespace verbena::launch
