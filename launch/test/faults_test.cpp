// SPDX-License-Identifier: Apache-2.0
//
// Whatever is wrong with a job: one sentence of the launcher that names it, a status, nothing left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

#include "launched.h"

namespace verbena::launch {
namespace {

using Words = std::vector<std::string>;

/// What is to be said of a job. The words `SILENT` and `FAILING` are a --rsh.
struct Fault {
  const char* name;
  Words words;
  int status;
  const char* sentence;  ///< of the launcher
  const char* lastLine;  ///< of the rank; empty where there is none
  bool fullDisk = false;
};

const std::string kFabricRank = VERBENA_FABRIC_RANK_PROGRAM;

const Fault kFaults[] = {
    {"HostThatDoesNotAnswer",
     {"-n", "1", "--host", "a", "--rsh", "SILENT", "--start-timeout", "1", "true"},
     125,
     "host a has not answered within 1 s (--start-timeout)",
     ""},
    {"HostThatCannotBeReached",
     {"-n", "2", "--host", "localhost,a", "--rsh", "FAILING", "sleep", "1000"},
     125,
     "host a could not be reached: 'FAILING' ended with status 255",
     ""},
    {"CommandThatIsNotThere",
     {"-n", "2", "no-such-command"},
     127,
     "('no-such-command') could not be started: cannot run 'no-such-command': ENOENT",
     ""},
    {"KeyFileThatOthersMayRead",
     {"-n", "1", "sh", "-c", "chmod 644 $VERBENA_CLUSTER_KEY_FILE; exec " + kRank + " learn"},
     9,
     "rank 0 on localhost ('sh') ended with status 9",
     "its mode is 644; run 'chmod 600 "},
    {"KeyFileThatIsNotThere",
     {"-n", "1", "sh", "-c", "rm $VERBENA_CLUSTER_KEY_FILE; exec " + kRank + " learn"},
     9,
     "rank 0 on localhost ('sh') ended with status 9",
     "ENOENT"},
    {"TwoRanksOfOneNumber",
     {"-n", "2", kRank, "as", "1"},
     9,
     "ended with status 9",
     "rank 1 has published already; once is enough, and no two processes have one number"},
    {"RankThatNeverPublishes",
     {"-n", "2", "--grace", "0", kFabricRank, "silent"},
     9,
     "rank 0 on localhost",
     "cannot learn all addresses: ETIMEDOUT; rank 1 of 2 has not published one"},
    {"RankThatEndsWithoutPublishing",
     {"-n", "2", kFabricRank, "late"},
     9,
     "rank 0 on localhost",
     "cannot learn the address on rank 1: it ended with status 0 before it published one"},
    {"FullDisk",
     {"-n", "2", "sh", "-c", "echo much; exec sleep 1000"},
     125,
     "cannot write output on standard output: ENOSPC",
     "",
     true},
    {"FolderOfTheJobThatCannotBeMade",
     {"-n", "1", "sh", "-c", "true"},
     125,
     "could not be started: cannot make the job's folder",
     ""},
};

std::string scriptOf(const Folder& folder, const std::string& name, const std::string& text) {
  writeTo(folder / name, "#!/bin/sh\n" + text);
  std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  return folder / name;
}

/// Of the launcher.
int sentencesIn(const std::string& text) {
  int count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    count += line.starts_with("verbena-run: ") ? 1 : 0;
  }
  return count;
}

class Faults : public ::testing::TestWithParam<Fault> {
 protected:
  std::string word(const std::string& given) {
    if (given == "SILENT") return scriptOf(folder_, given, "exec sleep 1000\n");
    if (given == "FAILING") return scriptOf(folder_, given, "exit 255\n");
    return given;
  }

  Folder folder_;
};

TEST_P(Faults, EndWithOneSentenceAStatusAndNothingLeft) {
  const Fault& fault = GetParam();
  Words words;
  for (const std::string& each : fault.words) words.push_back(word(each));
  Launch how;
  if (fault.fullDisk) how.outputTo = open("/dev/full", O_WRONLY | O_CLOEXEC);
  std::string nowhere = folder_ / "no-such";
  bool hasNoFolder = std::string(fault.name) == "FolderOfTheJobThatCannotBeMade";
  how.before = [&] {
    if (hasNoFolder) setenv("VERBENA_RUN_FOLDER", nowhere.c_str(), 1);
  };
  Launched run(words, how);
  EXPECT_EQ(run.wait(), fault.status) << run.err();
  EXPECT_EQ(sentencesIn(run.err()), 1) << run.err();
  EXPECT_TRUE(has(run.err(), fault.sentence)) << run.err();
  EXPECT_TRUE(has(run.err(), fault.lastLine)) << run.err();
  EXPECT_TRUE(nothingIsLeft());
  EXPECT_TRUE(run.leftNoFolder());
  if (how.outputTo >= 0) close(how.outputTo);
}

INSTANTIATE_TEST_SUITE_P(All, Faults, ::testing::ValuesIn(kFaults),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(Strangers, AtTheAddressOfARankLearnAndChangeNothing) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Launch how;
  how.inputFrom = ends[0];
  Launched run({"-n", "4", "--input", "all", kFabricRank, "besieged", "3"}, how);
  Words said;
  ASSERT_TRUE(eventually([&] {
    std::istringstream lines(run.out());
    said.assign(std::istream_iterator<std::string>(lines), {});
    return said.size() == 8;
  })) << run.err();
  Launch alone;
  alone.program = kFabricRank;
  Launched stranger({"stranger", said[0], said[1]}, alone);
  EXPECT_EQ(stranger.wait(), 0) << stranger.out() << stranger.err();
  ASSERT_EQ(write(ends[1], "go\n", 3), 3);
  close(ends[1]);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_TRUE(has(run.out(), "around the ring: 18\n")) << run.out();
  close(ends[0]);
}

}  // namespace
}  // namespace verbena::launch
