// SPDX-License-Identifier: Apache-2.0
//
// Ranks with a fabric: one-sided memory and channels by rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "launched.h"

namespace verbena::launch {
namespace {

using Words = std::vector<std::string>;

Words sorted(const std::string& lines) {
  std::istringstream in(lines);
  Words all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  std::sort(all.begin(), all.end());
  return all;
}

Words rank(Words options, const Words& mode) {
  options.push_back(VERBENA_FABRIC_RANK_PROGRAM);
  options.insert(options.end(), mode.begin(), mode.end());
  return options;
}

const Words kExchanged = {"around the ring: 600", "rank 0 was written to: 9",
                          "rank 1 was written to: 8", "rank 2 was written to: 7",
                          "rank 3 was written to: 6"};

TEST(FabricOfRanks, WriteIntoEachOthersMemoryAndPassMessagesAround) {
  Launched run(rank({"-n", "4"}, {"exchange", "100"}));
  EXPECT_EQ(run.wait(), 0) << run.err() << run.out();
  EXPECT_EQ(sorted(run.out()), kExchanged);
}

TEST(FabricOfRanks, OfSeveralHostsDoTheSame) {
  Folder folder;
  Words hosts = {"--host", "a:2,b:2", "--interface", "lo", "--rsh", localShell(folder)};
  Launched run(rank(hosts, {"exchange", "100"}));
  EXPECT_EQ(run.wait(), 0) << run.err() << run.out();
  EXPECT_EQ(sorted(run.out()), kExchanged);
}

TEST(FabricOfRanks, AloneIsOfOneRank) {
  Launch how;
  how.program = VERBENA_FABRIC_RANK_PROGRAM;
  Launched run({"exchange", "1"}, how);
  EXPECT_EQ(run.wait(), 0) << run.out();
}

class Mourning : public ::testing::TestWithParam<const char*> {};

TEST_P(Mourning, ReadersAndWritersOfAKilledRankAreToldByTheJob) {
  Launched run(rank({"-n", "4", "--go-on"}, {"mourn", GetParam()}));
  EXPECT_EQ(run.wait(), 128 + SIGKILL) << run.err() << run.out();
  // The node itself would have taken it for dead after 1000 s.
  Words lines = sorted(run.out());
  ASSERT_EQ(lines.size(), 3U) << run.out();
  for (size_t rank = 0; rank < lines.size(); rank++) {
    std::string lost = "rank " + std::to_string(rank) + " has lost it: ";
    EXPECT_EQ(lines[rank], lost + "rank 3 was ended by signal 9 (SIGKILL)");
  }
}

TEST(FabricOfRanks, LeaveNoMemoryBehindThoughTheyAreKilled) {
  Folder folder;
  Launch how;
  how.before = [&] { setenv("VERBENA_MEMORY_DIR", (folder / "memory").c_str(), 1); };
  Launched run(rank({"-n", "2", "--go-on"}, {"mourn", "READ"}), how);
  EXPECT_EQ(run.wait(), 128 + SIGKILL) << run.err() << run.out();
  std::vector<std::string> left;
  for (const auto& file : std::filesystem::directory_iterator(folder / "memory")) {
    left.push_back(file.path().filename());
  }
  EXPECT_EQ(left, std::vector<std::string>{"lock"});
}

INSTANTIATE_TEST_SUITE_P(All, Mourning, ::testing::Values("READ", "WRITE"),
                         [](const auto& made) { return std::string(made.param); });

TEST(FabricOfRanks, FailsWhereARankHasNone) {
  Launched run(rank({"-n", "2", "--go-on"}, {"late"}));
  EXPECT_EQ(run.wait(), 9);
  EXPECT_EQ(run.out(),
            "cannot learn the address on rank 1: it ended with status 0 before it published one\n");
}

}  // namespace
}  // namespace verbena::launch
