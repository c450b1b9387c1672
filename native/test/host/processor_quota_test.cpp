// SPDX-License-Identifier: Apache-2.0
#include "host/processor_quota.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace verbena::host {
namespace {

class ProcessorQuota : public ::testing::Test {
 protected:
  ProcessorQuota() { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~ProcessorQuota() override { std::filesystem::remove_all(folder_); }
  void file(const std::string& name, const std::string& text) const {
    std::filesystem::path path = folder_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  size_t of(const std::string& groups) const { return processorQuota(groups, folder_); }

  std::string folder_ = "/tmp/quota-test-XXXXXX";
};

TEST_F(ProcessorQuota, IsThatOfTheGroupRoundedUp) {
  file("job/step/cpu.max", "150000 100000");
  EXPECT_EQ(of("0::/job/step\n"), 2U);
}

TEST_F(ProcessorQuota, IsTheLeastOfTheGroupsAround) {
  file("cpu.max", "800000 100000");
  file("job/cpu.max", "300000 100000");
  file("job/step/cpu.max", "max 100000");
  EXPECT_EQ(of("0::/job/step\n"), 3U);
  EXPECT_EQ(of("0::/\n"), 8U);
}

TEST_F(ProcessorQuota, OfVersionOneHasAFileForEach) {
  file("cpu/job/cpu.cfs_quota_us", "20000");
  file("cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(of("5:memory:/other\n4:cpuacct,cpu:/job\n0::/\n"), 1U);
}

TEST_F(ProcessorQuota, NeedNotBe) {
  file("job/cpu.max", "max 100000");
  file("cpu/job/cpu.cfs_quota_us", "-1");
  file("cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(of("4:cpu:/job\n0::/job\n"), SIZE_MAX);
  EXPECT_EQ(of("0::/gone\nnonsense\n:::\n0:cpu:\n"), SIZE_MAX);
  EXPECT_GE(processorQuota(), 1U);
}

}  // namespace
}  // namespace verbena::host
