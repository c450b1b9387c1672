// SPDX-License-Identifier: Apache-2.0
#include "allocation.h"

#include <gtest/gtest.h>

#include <map>

namespace verbena::launch {
namespace {

using Hosts = std::vector<Host>;
using Named = std::map<std::string, std::string>;

base::Result<Hosts> hostsOf(const Named& named) {
  return allocatedHosts([&](const char* name) {
    auto found = named.find(name);
    return found == named.end() ? nullptr : found->second.c_str();
  });
}

TEST(Allocation, HasHostsWithItsTasksAsSlots) {
  auto hosts = hostsOf({{"SLURM_JOB_NODELIST", "n[01-03,7]"}, {"SLURM_TASKS_PER_NODE", "2(x3),1"}});
  ASSERT_TRUE(hosts) << hosts.error().sentence();
  EXPECT_EQ(*hosts, (Hosts{{"n01", 2}, {"n02", 2}, {"n03", 2}, {"n7", 1}}));
}

TEST(Allocation, OfWhichAStepHasAPartHasProcessorsAsSlots) {
  EXPECT_EQ(hostsOf({{"SLURM_JOB_NODELIST", "n[1-2]"},
                     {"SLURM_TASKS_PER_NODE", "1"},
                     {"SLURM_JOB_CPUS_PER_NODE", "8,4"}})
                .value(),
            (Hosts{{"n1", 8}, {"n2", 4}}));
  EXPECT_EQ(hostsOf({{"SLURM_JOB_NODELIST", "n[1-2]"}}).value(), (Hosts{{"n1", 1}, {"n2", 1}}));
}

TEST(Allocation, IsNoneOutsideOfSlurm) {
  EXPECT_TRUE(hostsOf({}).value().empty());
  EXPECT_TRUE(hostsOf({{"SLURM_TASKS_PER_NODE", "2"}}).value().empty());
}

TEST(Allocation, ThatCannotBeReadIsRefused) {
  for (const char* list : {"n[1", "-oProxyCommand=x", "n1;x"}) {
    EXPECT_FALSE(hostsOf({{"SLURM_JOB_NODELIST", list}})) << list;
  }
  EXPECT_FALSE(hostsOf({{"SLURM_JOB_NODELIST", "n1"}, {"SLURM_TASKS_PER_NODE", "x"}}));
}

}  // namespace
}  // namespace verbena::launch
