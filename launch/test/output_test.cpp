// SPDX-License-Identifier: Apache-2.0
//
// Output of ranks: whole lines, tags, files, and places that take no more.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <sstream>
#include <thread>

#include "launched.h"

namespace verbena::launch {
namespace {

TEST(Output, OfManyRanksComesByWholeLines) {
  Launched run({"-n", "4", "sh", "-c",
                "i=0; while [ $i -lt 2000 ]; do printf %s $VERBENA_JOB_RANK:; "
                "printf %s\\\\n $VERBENA_JOB_RANK; i=$((i+1)); done"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  std::istringstream lines(run.out());
  int count = 0;
  for (std::string line; std::getline(lines, line); count++) {
    ASSERT_EQ(line.size(), 3U) << line;
    ASSERT_EQ(line[0], line[2]) << line;
  }
  EXPECT_EQ(count, 8000);
}

TEST(Output, TaggedHasTheRankBeforeEachLine) {
  Launched run({"-n", "1", "--output=tagged", "sh", "-c", "echo a; echo; printf end; echo e >&2"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.out(), "[0] a\n[0] \n[0] end\n");
  EXPECT_EQ(run.err(), "[0] e\n");
}

TEST(Output, OfOneRankIsSeenThoughItsLineHasNotEnded) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Launch how;
  how.inputFrom = ends[0];
  Launched run({"-n", "1", "sh", "-c", "printf 'name: '; read name; echo $name"}, how);
  EXPECT_TRUE(eventually([&] { return run.out() == "name: "; }));
  ASSERT_EQ(write(ends[1], "me\n", 3), 3);
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.out(), "name: me\n");
  close(ends[0]);
  close(ends[1]);
}

TEST(Output, OfOneRankThatIsTaggedIsOfWholeLines) {
  Launched run({"-n", "1", "--output", "tagged", "sh", "-c", "printf a; sleep 0.2; echo b"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "[0] ab\n");
}

TEST(Output, ToFilesIsOfThisJobAlone) {
  Folder folder;
  std::string files = "--output=files=" + (folder / "out");
  EXPECT_EQ(Launched({"-n", "2", files, "sh", "-c", "echo old >&2"}).wait(), 0);
  EXPECT_EQ(contentOf(folder / "out/rank.1.err"), "old\n");
  EXPECT_EQ(Launched({"-n", "2", files, "true"}).wait(), 0);
  EXPECT_EQ(contentOf(folder / "out/rank.1.err"), "");
}

TEST(Output, OfAnyBytesIsPassedOnAsItIs) {
  Folder folder;
  ASSERT_EQ(system(("head -c 5000000 /dev/urandom > " + (folder / "bytes")).c_str()), 0);
  Launched run({"-n", "1", "cat", folder / "bytes"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_TRUE(run.out() == contentOf(folder / "bytes"));
}

TEST(Output, ToFilesGoesToOneForEachRankAndStream) {
  Folder folder;
  Launched run({"-n", "2", "--output", "files=" + (folder / "new"), "sh", "-c",
                "echo out $VERBENA_JOB_RANK; echo err $VERBENA_JOB_RANK >&2"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "");
  EXPECT_EQ(contentOf(folder / "new/rank.0.out"), "out 0\n");
  EXPECT_EQ(contentOf(folder / "new/rank.1.out"), "out 1\n");
  EXPECT_EQ(contentOf(folder / "new/rank.1.err"), "err 1\n");
}

TEST(Output, ToFilesMayBeAnyLength) {
  Folder folder;
  Launched run(
      {"-n", "2", "--output", "files=" + (folder / "new"), "head", "-c", "3000000", "/dev/zero"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(contentOf(folder / "new/rank.1.out").size(), 3'000'000U);
}

TEST(Output, ToAFolderThatCannotBeMadeIs125) {
  Launched run({"-n", "1", "--output", "files=/proc/no/such", "true"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("cannot make the folder of outputs on /proc/no/such"), std::string::npos)
      << run.err();
}

TEST(Output, ThatAFullDiskDoesNotTakeEndsTheJobAndSaysSo) {
  Launch how;
  how.outputTo = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(how.outputTo, 0);
  Launched run({"-n", "2", "sh", "-c", "echo much; sleep 1000"}, how);
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("cannot write output on standard output: ENOSPC"), std::string::npos)
      << run.err();
  close(how.outputTo);
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Output, ToFilesOnAFullDiskEndsTheJobAndSaysSo) {
  Folder folder;
  ASSERT_EQ(symlink("/dev/full", (folder / "rank.0.out").c_str()), 0);
  Launched run(
      {"-n", "1", "--output", "files=" + (folder / ""), "sh", "-c", "echo much; sleep 1000"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("rank.0.out: ENOSPC"), std::string::npos) << run.err();
}

/// All have ended well when what they wrote last turns out not to be there.
TEST(Output, OfRanksThatHaveEndedIsNotLostInSilence) {
  Launch how;
  how.outputTo = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(how.outputTo, 0);
  Launched run({"-n", "2", "echo", "result"}, how);
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("cannot write output on standard output: ENOSPC"), std::string::npos)
      << run.err();
  close(how.outputTo);
}

TEST(Output, ThatNobodyReadsAnyMoreEndsTheJob) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  Launch how;
  how.outputTo = ends[1];
  Launched run({"-n", "1", "sh", "-c", "echo much; sleep 1000"}, how);
  EXPECT_EQ(run.wait(), 125);
  close(ends[1]);
  EXPECT_TRUE(nothingIsLeft());
}

/// In memory, of a process and all below it.
size_t residentBytes(pid_t process) {
  std::string statm = contentOf("/proc/" + std::to_string(process) + "/statm");
  size_t pages = 0;
  std::istringstream words(statm);
  words >> pages >> pages;
  size_t bytes = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (pid_t child : childrenOf(process)) bytes += residentBytes(child);
  return bytes;
}

/// Whether a command of this name runs below a process.
bool isRunning(const std::string& name, pid_t above) {
  for (pid_t child : childrenOf(above)) {
    bool isIt = contentOf("/proc/" + std::to_string(child) + "/comm") == name + "\n";
    if (isIt || isRunning(name, child)) return true;
  }
  return false;
}

struct Flood {
  const char* name;
  const char* script;
  /// Standard error is the same pipe.
  bool isOfBoth;
  /// What the pipe has before. Three bytes fill it in the middle of a page, where both outputs are
  /// ready for what only one of them can write.
  const char* before;
};

class Unread : public ::testing::TestWithParam<Flood> {};

TEST_P(Unread, OutputHoldsUpNoSecondInterrupt) {
  const Flood& flood = GetParam();
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_GE(write(ends[1], flood.before, strlen(flood.before)), 0);
  Launch how;
  how.outputTo = ends[1];
  how.before = [isOfBoth = flood.isOfBoth] {
    if (isOfBoth) dup2(STDOUT_FILENO, STDERR_FILENO);
  };
  Launched run({"-n", "2", "sh", "-c", flood.script}, how);
  close(ends[1]);
  // The pipe is as full as a write of a page can make it.
  EXPECT_TRUE(eventually([&] {
    int bytes = 0;
    return ioctl(ends[0], FIONREAD, &bytes) == 0 && bytes > 60'000;
  }));
  kill(run.pid(), SIGINT);
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.err();
  EXPECT_TRUE(nothingIsLeft());
  EXPECT_TRUE(run.leftNoFolder());
  close(ends[0]);
}

constexpr const char* kOneStream = "trap '' INT TERM; yes; sleep 1000";
constexpr const char* kBothStreams = "trap '' INT TERM; yes & yes >&2 & wait; sleep 1000";

INSTANTIATE_TEST_SUITE_P(All, Unread,
                         ::testing::Values(Flood{"Alone", kOneStream, false, ""},
                                           Flood{"WithErrors", kOneStream, true, ""},
                                           Flood{"OfBothInOnePipe", kBothStreams, true, "odd"}),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(Output, ToATerminalThatShowsNothingHoldsUpNoInterrupt) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_TRUE(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  Launch how;
  how.outputTo = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(how.outputTo, 0);
  Folder folder;
  Launched run(
      {"-n", "2", "sh", "-c",
       "trap '' INT TERM; touch " + (folder / "up") + "$VERBENA_JOB_RANK; yes; sleep 1000"},
      how);
  close(how.outputTo);
  EXPECT_TRUE(eventually([&] {
    return std::filesystem::exists(folder / "up0") && std::filesystem::exists(folder / "up1");
  }));
  int bytes = 0;  // until it takes no more
  EXPECT_TRUE(eventually([&] {
    int before = bytes;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return ioctl(master, FIONREAD, &bytes) == 0 && bytes > 0 && bytes == before;
  }));
  kill(run.pid(), SIGINT);
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.err();
  EXPECT_TRUE(nothingIsLeft());
  close(master);
}

TEST(Output, ThatIsLongerThanAFileMayBeIsAnError) {
  Launch how;
  how.before = [] {
    rlimit limit{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  Launched run({"-n", "1", "sh", "-c", "yes | head -c 3000000"}, how);
  EXPECT_EQ(run.wait(), 125) << run.err();
  EXPECT_NE(run.err().find("1048576 bytes; raise that with 'ulimit -f'"), std::string::npos)
      << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST(Output, ThatIsNotReadHoldsUpTheWriterAndNothingElse) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Launch how;
  how.outputTo = ends[1];
  Folder folder;
  // One rank writes for ever, the other one fails once that was held up for a while.
  Launched run({"-n", "2", "--grace", "0", "sh", "-c",
                "[ $VERBENA_JOB_RANK = 1 ] || exec yes\n"
                "until [ -e " +
                    (folder / "go") + " ]; do sleep 0.01; done; exit 9"},
               how);
  close(ends[1]);
  // In this time it would write hundreds of megabytes. What the launcher takes itself depends on
  // the sanitizer.
  ASSERT_TRUE(eventually([&] { return isRunning("yes", run.pid()); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto before = static_cast<int64_t>(residentBytes(run.pid()));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(static_cast<int64_t>(residentBytes(run.pid())) - before, 16 << 20);
  writeTo(folder / "go", "");
  // The rank's end is known though nothing is read, and so the writer is ended.
  EXPECT_TRUE(eventually([&] { return !isRunning("yes", run.pid()); }));
  std::string said(1 << 20, ' ');
  while (read(ends[0], said.data(), said.size()) > 0) {
  }
  EXPECT_EQ(run.wait(), 9) << run.err();
  close(ends[0]);
  EXPECT_TRUE(nothingIsLeft());
}

}  // namespace
}  // namespace verbena::launch
