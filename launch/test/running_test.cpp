// SPDX-License-Identifier: Apache-2.0
//
// What ranks are started with: numbers, folders, variables, input, signals.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <thread>

#include "launched.h"

namespace verbena::launch {
namespace {

std::multiset<std::string> linesOf(const std::string& text) {
  std::istringstream stream(text);
  std::multiset<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

using Lines = std::multiset<std::string>;

TEST(Ranks, KnowTheirNumbers) {
  Launched run({"-n", "3", "--", "sh", "-c",
                "echo $VERBENA_JOB_RANK $VERBENA_JOB_SIZE $VERBENA_JOB_LOCAL_RANK "
                "$VERBENA_JOB_LOCAL_SIZE"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(linesOf(run.out()), (Lines{"0 3 0 3", "1 3 1 3", "2 3 2 3"}));
  EXPECT_EQ(run.err(), "");
}

TEST(Ranks, OfOneJobHaveOneNameAndOneKeyAndOfTwoJobsOthers) {
  const char* script = "echo $VERBENA_JOB_ID; cat $VERBENA_CLUSTER_KEY_FILE; echo";
  std::set<std::string> seen;
  for (int job = 0; job < 2; job++) {
    Launched run({"-n", "2", "sh", "-c", script});
    EXPECT_EQ(run.wait(), 0) << run.err();
    Lines lines = linesOf(run.out());
    EXPECT_EQ(lines.size(), 4U);
    seen.insert(lines.begin(), lines.end());
  }
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Ranks, KeyIsInAFileOfTheUserAloneAndNowhereElse) {
  Launched run({"-n", "1", "sh", "-c",
                "stat -c %a $VERBENA_CLUSTER_KEY_FILE $VERBENA_JOB_FOLDER\n"
                // of any process, so of all of the job, too
                "cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n' |\n"
                "  grep -c -f $VERBENA_CLUSTER_KEY_FILE"});
  run.wait();
  EXPECT_EQ(run.out(), "600\n700\n0\n");
}

TEST(Ranks, MoreThanProcessorsAreToldSo) {
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::string fitting = std::to_string(CPU_COUNT(&set));
  std::string more = std::to_string(CPU_COUNT(&set) + 1);
  for (auto [ranks, told] : {std::pair{fitting, "0"}, std::pair{more, "1"}}) {
    Launched run({"-n", ranks, "sh", "-c", "echo $VERBENA_JOB_OVERSUBSCRIBED"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    EXPECT_EQ(linesOf(run.out()).count(told), std::stoul(ranks));
  }
}

TEST(Ranks, OfSeveralCommandsAreNumberedThrough) {
  Launched run({"-n", "1", "sh", "-c", "echo a $VERBENA_JOB_RANK", ":", "-n", "2", "--env",
                "WORD=b", "--wdir", "/", "sh", "-c", "echo $WORD $VERBENA_JOB_RANK $PWD"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(linesOf(run.out()), (Lines{"a 0", "b 1 /", "b 2 /"}));
}

TEST(Ranks, StartInTheFolderOfTheLauncherWithItsVariables) {
  Launch how;
  how.before = [] {
    if (chdir("/usr") == 0) setenv("OF_THE_LAUNCHER", "seen", 1);
  };
  Launched run({"-n", "1", "sh", "-c", "pwd; echo $OF_THE_LAUNCHER"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "/usr\nseen\n");
}

TEST(Ranks, HaveACoreOfTheirOwnWhenBound) {
  Launched run(
      {"-n", "2", "--bind", "core", "sh", "-c", "grep Cpus_allowed_list /proc/self/status"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  // Where all processors are threads of one core both have that one.
  Lines lines = linesOf(run.out());
  Launched siblings({"-n", "1", "sh", "-c",
                     "sort -u /sys/devices/system/cpu/cpu*/topology/thread_siblings_list | wc -l"});
  EXPECT_EQ(siblings.wait(), 0);
  if (siblings.out() == "1\n") GTEST_SKIP() << "this machine has one core";
  EXPECT_NE(*lines.begin(), *lines.rbegin());
}

TEST(Ranks, MayBeMoreThanTheFilesThatMayBeOpen) {
  Launch how;
  how.before = [] {
    rlimit few{};
    getrlimit(RLIMIT_NOFILE, &few);
    few.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &few);
  };
  Launched run({"-n", "100", "sh", "-c", "ulimit -Sn"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  std::string expected;
  for (int rank = 0; rank < 100; rank++) expected += "64\n";
  EXPECT_EQ(run.out(), expected) << "as it was before";
}

TEST(Ranks, HaveNoDescriptorsOfTheLauncher) {
  Launch how;
  how.before = [] { close_range(3, ~0U, 0); };
  Launched run({"-n", "1", "ls", "/proc/self/fd"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "0\n1\n2\n3\n");  // the last is the folder that it reads
}

TEST(Ranks, RunThoughStandardDescriptorsAreClosed) {
  Launch how;
  how.before = [] {
    close(0);
    close(2);
  };
  Launched run({"-n", "1", "sh", "-c", "cat; echo seen; echo lost >&2"}, how);
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.out(), "seen\n");
}

TEST(Input, GoesToRank0Alone) {
  Launch how;
  how.input = "one\ntwo\n";
  Launched run({"-n", "2", "--output", "tagged", "cat"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "[0] one\n[0] two\n");
}

TEST(Input, GoesToAllWhenAsked) {
  Launch how;
  for (int i = 0; i < 200'000; i++) how.input += std::to_string(i) + "\n";
  Folder folder;
  Launched run({"-n", "4", "--host", "localhost:2,b:2", "--rsh", localShell(folder), "--input",
                "all", "sh", "-c",
                // One reads late, and one nothing at all.
                "[ $VERBENA_JOB_RANK = 1 ] && sleep 0.2; [ $VERBENA_JOB_RANK = 2 ] || cat > " +
                    (folder / "") + "$VERBENA_JOB_RANK"},
               how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  for (const char* rank : {"0", "1", "3"}) {
    EXPECT_TRUE(contentOf(folder / rank) == how.input) << rank;
  }
}

TEST(Input, IsLeftToOthersWhenAsked) {
  Launch how;
  how.input = "one\ntwo\n";
  Launched run({"-n", "2", "--input", "none", "sh", "-c", "cat"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "");
  // In a loop that reads lines, each of them gets its turn.
  Launched loop({"-n", "1", "--", "sh", "-c",
                 "while read line; do " + std::string(VERBENA_RUN) +
                     " -n 1 --input none cat; echo $line; done"},
                how);
  EXPECT_EQ(loop.wait(), 0) << loop.err();
  EXPECT_EQ(loop.out(), "one\ntwo\n");
}

/// A job that was started in the background, and is brought to the front by `fg`: as shells do,
/// without a signal.
TEST(Input, OfATerminalIsReadOnceThatIsGivenToTheJob) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_TRUE(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  Folder folder;
  std::string give = folder / "give";
  Launch how;
  how.inputFrom = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(how.inputFrom, 0);
  how.before = [&] {
    setsid();
    ioctl(STDIN_FILENO, TIOCSCTTY, 0);
    pid_t job = getpgrp();
    if (fork() == 0) {  // has the terminal until then
      signal(SIGTTOU, SIG_IGN);
      setpgid(0, 0);
      tcsetpgrp(STDIN_FILENO, getpgrp());
      while (access(give.c_str(), F_OK) != 0) usleep(1'000);
      tcsetpgrp(STDIN_FILENO, job);
      _exit(0);
    }
    while (tcgetpgrp(STDIN_FILENO) == job) usleep(1'000);
  };
  Launched run({"-n", "1", "sh", "-c", "touch " + (folder / "up") + "; exec cat"}, how);
  close(how.inputFrom);
  ASSERT_EQ(write(master, "hello\n", 6), 6);
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(folder / "up"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // it has seen whose the terminal is
  EXPECT_EQ(run.out(), "");
  writeTo(give, "");
  EXPECT_TRUE(eventually([&] { return run.out() == "hello\n"; }));
  ASSERT_EQ(write(master, "\4", 1), 1);
  EXPECT_EQ(run.wait(), 0) << run.err();
  close(master);
}

TEST(Input, OfAnyLengthArrivesAsItIs) {
  Launch how;
  for (int i = 0; i < 300'000; i++) how.input += std::to_string(i) + (i % 7 == 0 ? "\n" : " ");
  Launched run({"-n", "1", "--", "cat"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_TRUE(run.out() == how.input);
}

TEST(Input, ThatNobodyReadsIsNoFault) {
  Launch how;
  how.input.assign(2'000'000, 'x');
  Launched run({"-n", "2", "true"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
}

TEST(Input, ThatRank0HasClosedDoesNotHoldItUp) {
  Launch how;
  how.input.assign(2'000'000, 'x');
  Launched run({"-n", "1", "sh", "-c", "exec <&-; echo done"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "done\n");
}

TEST(Input, IsHeldUpWhileRank0DoesNotRead) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  Launch how;
  how.inputFrom = ends[0];
  Launched run({"-n", "1", "sh", "-c", "echo up; sleep 1000"}, how);
  ASSERT_TRUE(eventually([&] { return run.says("up"); }));
  std::string piece(4096, 'x');
  size_t taken = 0;
  // Half a second after the last piece was taken no more of them will be.
  for (int idle = 0; idle < 100 && taken < (16U << 20);) {
    ssize_t written = write(ends[1], piece.data(), piece.size());
    if (written > 0) {
      taken += static_cast<size_t>(written);
      idle = 0;
    } else {
      idle++;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  EXPECT_LT(taken, 2U << 20);
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM);
  close(ends[0]);
  close(ends[1]);
}

TEST(Input, ThatStaysOpenDoesNotKeepTheJobFromEnding) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Launch how;
  how.inputFrom = ends[0];
  Launched run({"-n", "2", "true"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  close(ends[0]);
  close(ends[1]);
}

class PassedSignals : public ::testing::TestWithParam<int> {};

TEST_P(PassedSignals, GoToEachRankAndWhatItHasStarted) {
  std::string name = sigabbrev_np(GetParam());
  // A shell looks at its own signal when what it waits for has ended.
  Launched run({"-n", "2", "sh", "-c",
                "trap 'echo got; exit 0' " + name + "\nsh -c \"trap 'echo got below; exit 0' " +
                    name + "; echo up; while :; do sleep 0.01; done\""});
  ASSERT_TRUE(eventually([&] { return linesOf(run.out()).count("up") == 2; })) << run.err();
  kill(run.pid(), GetParam());
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(linesOf(run.out()).count("got"), 2U) << run.out();
  EXPECT_EQ(linesOf(run.out()).count("got below"), 2U) << run.out();
}

INSTANTIATE_TEST_SUITE_P(All, PassedSignals,
                         ::testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2),
                         [](const auto& made) { return sigabbrev_np(made.param); });

TEST(Signals, OfWhichTwoEndKillTheSecondTime) {
  Launched run(
      {"-n", "2", "sh", "-c", "trap 'echo no' INT; echo up; while :; do sleep 0.01; done"});
  ASSERT_TRUE(eventually([&] { return linesOf(run.out()).count("up") == 2; }));
  kill(run.pid(), SIGINT);
  ASSERT_TRUE(eventually([&] { return linesOf(run.out()).count("no") == 2; }));
  kill(run.pid(), SIGINT);
  EXPECT_EQ(run.wait(), 128 + SIGINT);
  EXPECT_NE(run.err().find("SIGINT for the second time"), std::string::npos) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Signals, IgnoredByWhoStartsTheLauncherStayIgnored) {
  Launch how;
  how.before = [] { signal(SIGHUP, SIG_IGN); };
  Launched run({"-n", "1", "sh", "-c", "echo up; sleep 0.2; kill -HUP $$; echo alive"}, how);
  ASSERT_TRUE(eventually([&] { return run.says("up"); }));
  kill(run.pid(), SIGHUP);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_TRUE(run.says("alive"));
}

TEST(Signals, ToStopAndToGoOnReachTheRanks) {
  // A shell that is about to start something waits for that, and does not look stopped then.
  Launched run({"-n", "1", "sh", "-c", "echo $$; exec sleep 1000"});
  ASSERT_TRUE(eventually([&] { return run.says("\n"); }));
  std::string rank = run.out().substr(0, run.out().find('\n'));
  auto isStopped = [](const std::string& pid) {
    std::string stat = contentOf("/proc/" + pid + "/stat");
    return stat.find(") T") != std::string::npos;
  };
  kill(run.pid(), SIGTSTP);
  EXPECT_TRUE(eventually([&] { return isStopped(rank); }));
  EXPECT_TRUE(eventually([&] { return isStopped(std::to_string(run.pid())); }));
  kill(run.pid(), SIGCONT);
  EXPECT_TRUE(eventually([&] { return !isStopped(rank); }));
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.err();
}

}  // namespace
}  // namespace verbena::launch
