// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

#include <algorithm>
#include <numeric>

#include "job/contract.h"

namespace verbena::launch {
namespace {

/// The hosts in the order in which ranks come to them, each as often as it has slots.
std::vector<size_t> turns(const std::vector<Host>& hosts, Mapping mapping) {
  std::vector<size_t> all;
  uint32_t most = 0;
  for (size_t host = 0; host < hosts.size(); host++) {
    most = std::max(most, hosts[host].slots);
    if (mapping == Mapping::bySlot) all.insert(all.end(), hosts[host].slots, host);
  }
  if (mapping == Mapping::bySlot) return all;
  for (uint32_t round = 0; round < most; round++) {
    for (size_t host = 0; host < hosts.size(); host++) {
      if (round < hosts[host].slots) all.push_back(host);
    }
  }
  return all;
}

}  // namespace

base::Result<std::vector<Placed>> place(const Options& options) {
  std::vector<Host> hosts = options.hosts.empty() ? thisHost() : options.hosts;
  std::vector<size_t> order = turns(hosts, options.mapping);
  std::vector<Placed> placed;
  for (const Host& host : hosts) placed.push_back({host, {}});
  uint32_t rank = 0;
  for (uint32_t command = 0; command < options.segments.size(); command++) {
    uint32_t count = options.segments[command].ranks.value_or(static_cast<uint32_t>(order.size()));
    if (count > job::kMostRanks - rank) {
      return base::Error{"place the ranks", "", 0,
                         "a job has at most " + std::to_string(job::kMostRanks)};
    }
    for (; count > 0; count--, rank++) {
      placed[order[rank % order.size()]].ranks.push_back({rank, command});
    }
  }
  std::erase_if(placed, [](const Placed& each) { return each.ranks.empty(); });
  return placed;
}

}  // namespace verbena::launch
