// SPDX-License-Identifier: Apache-2.0
//
// How jobs end, and what is said of it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>

#include "launched.h"

namespace verbena::launch {
namespace {

TEST(Ending, OfTheFirstRankThatFailsEndsTheOthersAndIsNamed) {
  Launched run(
      {"-n", "3", "sh", "-c",
       "if [ $VERBENA_JOB_RANK = 1 ]; then echo first >&2; echo last; exit 7; fi; sleep 1000"});
  EXPECT_EQ(run.wait(), 7);
  EXPECT_TRUE(has(run.err(), "rank 1 on localhost ('sh') ended with status 7; its last lines:\n"))
      << run.err();
  EXPECT_TRUE(has(run.err(), "  | first\n")) << run.err();
  EXPECT_TRUE(has(run.err(), "  | last\n")) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, BySignalIs128AndItsNumber) {
  Launched run({"-n", "2", "sh", "-c", "[ $VERBENA_JOB_RANK = 1 ] || kill -SEGV $$; sleep 1000"});
  EXPECT_EQ(run.wait(), 128 + SIGSEGV);
  EXPECT_TRUE(has(run.err(), "rank 0 on localhost ('sh') was ended by signal 11 (SIGSEGV)"))
      << run.err();
}

TEST(Ending, GivesTheOthersTimeToTidyUp) {
  Launched run({"-n", "2", "sh", "-c",
                "if [ $VERBENA_JOB_RANK = 1 ]; then exit 3; fi\n"
                "trap 'echo tidy; exit 0' TERM; while :; do sleep 0.01; done"});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_TRUE(run.out().empty() || run.out() == "tidy\n")
      << run.out();  // it may not have set it yet
}

TEST(Ending, KillsWhoDoesNotEndWithinTheGrace) {
  Folder folder;
  Launched run({"-n", "2", "--grace", "1", "sh", "-c",
                "trap 'echo no' TERM\n"
                "if [ $VERBENA_JOB_RANK = 1 ]; then until [ -e " +
                    (folder / "go") +
                    " ]; do sleep 0.01; done; exit 3; fi\n"
                    "touch " +
                    (folder / "go") + "; while :; do sleep 0.01; done"});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_EQ(run.out(), "no\n");
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, BySignalKillsWhoDoesNotEndWithinTheGrace) {
  Folder folder;
  Launched run({"-n", "2", "--grace", "1", "sh", "-c",
                "trap '' TERM; touch " + (folder / "up") +
                    "$VERBENA_JOB_RANK; while :; do sleep 0.01; done"});
  EXPECT_TRUE(eventually([&] {
    return std::filesystem::exists(folder / "up0") && std::filesystem::exists(folder / "up1");
  }));
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.err();
  EXPECT_TRUE(has(run.err(), "interrupted by SIGTERM; ranks that had not ended within 1 s"))
      << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

/// A program that takes its time to save what it has, as what a rank's script runs: the script
/// itself ends at once. `folder` has "up" when it may be ended, and "saved" when it has saved.
std::string savingProgram(const Folder& folder) {
  writeTo(folder / "slow.sh", "trap 'sleep 0.5; touch " + (folder / "saved") +
                                  "; exit 0' TERM\ntouch " + (folder / "up") +
                                  "; while :; do sleep 0.01; done\n");
  return "sh " + (folder / "slow.sh") + "; true";
}

TEST(Ending, GivesTimeToWhatARanksScriptHasStarted) {
  Folder folder;
  Launched run({"-n", "2", "--grace", "60", "sh", "-c",
                "if [ $VERBENA_JOB_RANK = 1 ]; then until [ -e " + (folder / "up") +
                    " ]; do sleep 0.01; done; exit 3; fi; " + savingProgram(folder)});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_TRUE(std::filesystem::exists(folder / "saved"));
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, BySignalGivesTimeToWhatARanksScriptHasStarted) {
  Folder folder;
  Launched run({"-n", "1", "--grace", "60", "sh", "-c", savingProgram(folder)});
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(folder / "up"); }));
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM);
  EXPECT_TRUE(std::filesystem::exists(folder / "saved"));
  EXPECT_TRUE(nothingIsLeft());
}

/// As batch systems end a job: all its processes get the signal, the launcher's own as well.
TEST(Ending, BySignalToEveryProcessGivesTime) {
  Folder folder;
  Launched run({"-n", "1", "--grace", "60", "sh", "-c", "exec " + savingProgram(folder)});
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(folder / "up"); }));
  std::vector<pid_t> all{run.pid()};
  for (size_t i = 0; i < all.size(); i++) {
    for (pid_t child : childrenOf(all[i])) all.push_back(child);
  }
  ASSERT_GE(all.size(), 4U) << "launcher, guard, agent, rank";
  for (pid_t each : all) kill(each, SIGTERM);
  int status = run.wait();
  EXPECT_TRUE(status == 0 || status == 128 + SIGTERM) << status << ": " << run.err();
  EXPECT_TRUE(std::filesystem::exists(folder / "saved"));
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, BySecondInterruptWaitsForNoAgent) {
  Folder folder;
  Launched run({"-n", "2", "sh", "-c",
                "trap '' INT TERM; touch " + (folder / "up") + "$VERBENA_JOB_RANK; sleep 1000"});
  EXPECT_TRUE(eventually([&] {
    return std::filesystem::exists(folder / "up0") && std::filesystem::exists(folder / "up1");
  }));
  pid_t guard = childrenOf(run.pid()).at(0);
  kill(childrenOf(guard).at(0), SIGSTOP);  // as one that waits for a disk
  kill(run.pid(), SIGINT);
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, OfARankIsSaidAtOnceThoughTheJobGoesOn) {
  Folder folder;
  Launched run({"-n", "3", "--go-on", "sh", "-c",
                "case $VERBENA_JOB_RANK in 1) exit 7;; 2) exit 8;; esac; until [ -e " +
                    (folder / "go") + " ]; do sleep 0.01; done"});
  EXPECT_TRUE(eventually([&] {
    return has(run.err(), "rank 1 on localhost ('sh') ended with status 7; the job goes on") &&
           has(run.err(), "rank 2 on localhost ('sh') ended with status 8; the job goes on");
  })) << run.err();
  writeTo(folder / "go", "");
  EXPECT_NE(run.wait(), 0);
}

TEST(Ending, WithWhatRanksHaveLeftBehind) {
  Launched run({"-n", "2", "sh", "-c", "(sleep 1000 & sleep 1000) & setsid sleep 1000 & exit 0"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, ByTimeoutIs124) {
  Launched run({"-n", "2", "--timeout", "1", "--grace", "0", "sleep", "1000"});
  EXPECT_EQ(run.wait(), 124);
  EXPECT_TRUE(has(run.err(), "has not ended within 1 s")) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, WithoutTheCommandIs127) {
  Launched run({"-n", "2", "no-such-command"});
  EXPECT_EQ(run.wait(), 127);
  EXPECT_TRUE(has(run.err(), "cannot run 'no-such-command': ENOENT; there is no such command"))
      << run.err();
}

TEST(Ending, WithACommandThatCannotBeRunIs126) {
  Folder folder;
  writeTo(folder / "text", "no program");
  Launched run({"-n", "1", folder / "text"});
  EXPECT_EQ(run.wait(), 126);
  EXPECT_TRUE(has(run.err(), "EACCES")) << run.err();
}

TEST(Ending, WithoutTheFolderIs126) {
  Launched run({"-n", "1", "--wdir", "/no/such", "true"});
  EXPECT_EQ(run.wait(), 126);
  EXPECT_TRUE(has(run.err(), "cannot change to the folder '/no/such': ENOENT")) << run.err();
}

TEST(Ending, OfACommandThatIsNotThereEndsThoseThatAre) {
  Launched run({"-n", "1", "sleep", "1000", ":", "-n", "1", "no-such-command"});
  EXPECT_EQ(run.wait(), 127);
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Ending, LeavesNoFolder) {
  Launched run({"-n", "2", "sh", "-c", "echo $VERBENA_JOB_FOLDER"});
  EXPECT_EQ(run.wait(), 0);
  std::string folder = run.out().substr(0, run.out().find('\n'));
  struct stat status;
  EXPECT_EQ(folder.find("/"), 0U);
  EXPECT_NE(stat(folder.c_str(), &status), 0);
}

TEST(Ending, WithTheOthersGoingOnWhenAsked) {
  Launched run({"-n", "2", "--go-on", "sh", "-c",
                "if [ $VERBENA_JOB_RANK = 1 ]; then exit 5; fi; sleep 0.3; echo went on"});
  EXPECT_EQ(run.wait(), 5);
  EXPECT_EQ(run.out(), "went on\n");
  EXPECT_TRUE(has(run.err(), "rank 1 on localhost ('sh') ended with status 5")) << run.err();
}

TEST(Ending, LeavesChildrenAloneThatAreNotOfTheJob) {
  // A shell that has started something becomes the launcher: its children are ours then.
  Launch how;
  how.program = "/bin/sh";
  Launched run({"-c", "sleep 1000 & echo $!; exec " VERBENA_RUN " -n 1 true"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  pid_t other = std::stoi(run.out());
  EXPECT_EQ(kill(other, 0), 0);
  kill(other, SIGKILL);
  EXPECT_TRUE(nothingIsLeft());
}

TEST(CommandLine, ThatIsWrongIs2AndSaysWhy) {
  for (const auto& [words, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "there is no command"},
           {{"-n", "0", "true"}, "'0' is not between 1 and 65536"},
           {{"--no-such", "true"}, "there is no such option"},
           {{"--hosts", "/no/such", "true"}, "cannot read hosts on /no/such: ENOENT"}}) {
    Launched run(words);
    EXPECT_EQ(run.wait(), 2);
    EXPECT_TRUE(has(run.err(), why)) << run.err();
  }
}

TEST(CommandLine, IsToldByHelp) {
  Launched run({"--help"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.out().find("usage: verbena-run"), 0U);
  for (const char* name : {"--hosts", "--rsh", "--grace", "124", "125"}) {
    EXPECT_TRUE(has(run.out(), name)) << name;
  }
}

}  // namespace
}  // namespace verbena::launch
