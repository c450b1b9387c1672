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

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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
