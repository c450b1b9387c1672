// SPDX-License-Identifier: Apache-2.0
//
// Jobs on several hosts: names of this one, reached by a --rsh that runs a command here.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>

#include "../../native/test/job/random_frames.h"
#include "launched.h"

namespace verbena::launch {
namespace {

constexpr uint64_t kSeeds = 15;

class Hosts : public ::testing::Test {
 protected:
  std::string script(const std::string& name, const std::string& text) {
    std::string path = folder_ / name;
    writeTo(path, "#!/bin/sh\n" + text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  Folder folder_;
  std::string shell_ = localShell(folder_);
};

TEST_F(Hosts, AreFilledOneAfterTheOtherOrInTurn) {
  for (auto [map, expected] : {std::pair{"by-slot", "0 0\n1 1\n2 0\n3 1\n"},
                               std::pair{"by-host", "0 0\n1 0\n2 1\n3 1\n"}}) {
    Launched run({"-n", "4", "--host", "a:2,b:2", "--map", map, "--rsh", shell_, "sh", "-c",
                  "echo $VERBENA_JOB_RANK $VERBENA_JOB_LOCAL_RANK > " + (folder_ / "") +
                      "$VERBENA_JOB_RANK"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    std::string all;
    for (int rank = 0; rank < 4; rank++) all += contentOf(folder_ / std::to_string(rank));
    EXPECT_EQ(all, expected) << map;
  }
}

TEST_F(Hosts, ComeFromAFile) {
  writeTo(folder_ / "hosts", "# two of them\na slots=2\n\nb:1 # one\n");
  Launched run(
      {"--hosts", folder_ / "hosts", "--rsh", shell_, "sh", "-c", "echo $VERBENA_JOB_LOCAL_SIZE"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out().size(), 6U) << run.out();  // three ranks
}

/// What an agent says of a rank of another host is not believed.
TEST_F(Hosts, SpeakOfTheirOwnRanksAlone) {
  // By the launcher's protocol: a greeting, and a frame of output (kind 7) of rank 0 with 13 bytes:
  // standard output, a text of five.
  std::string forged = "\001verbena-agent 3\n";
  const uint32_t words[] = {13, 7, 0, 1, 5};
  forged.append(reinterpret_cast<const char*>(words), sizeof words);
  writeTo(folder_ / "forged", forged + "lies\n");
  std::string rsh = script("rsh", "[ $1 = liar ] && cat " + (folder_ / "forged") +
                                      " && exec sleep 1\neval \"exec $2\"\n");
  Launched run({"-n", "2", "--host", "a:1,liar:1", "--rsh", rsh, "sh", "-c", "sleep 1000"});
  EXPECT_EQ(run.wait(), 125) << run.out();
  EXPECT_NE(run.err().find("host liar is lost"), std::string::npos) << run.err();
  EXPECT_EQ(run.out(), "");
}

/// An agent that is broken, or worse.
TEST_F(Hosts, ThatSayAnythingEndTheJobAndNothingElse) {
  std::string rsh =
      script("rsh", "[ $1 = liar ] && exec cat " + (folder_ / "forged") + "\neval \"exec $2\"\n");
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    writeTo(folder_ / "forged", "\001verbena-agent 3\n" + job::testing::randomFrames(seed, 2));
    Launched run({"-n", "2", "--host", "a:1,liar:1", "--rsh", rsh, "sleep", "1000"});
    int status = run.wait();
    EXPECT_GT(status, 0);
    EXPECT_LT(status, 128) << run.err();
    EXPECT_NE(run.err(), "");
    EXPECT_TRUE(run.leftNoFolder());
  }
  EXPECT_TRUE(nothingIsLeft());
}

/// A launcher likewise.
TEST_F(Hosts, WhoseLauncherSaysAnythingAreDoneWithIt) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Launch how;
    how.input = job::testing::randomFrames(seed, 2);
    Launched run({"--agent"}, how);
    EXPECT_LT(run.wait(), 128) << run.err();
    EXPECT_TRUE(run.leftNoFolder());
  }
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, AreReachedByAVariablesShell) {
  Launch how;
  how.before = [this] { setenv("VERBENA_RUN_RSH", shell_.c_str(), 1); };
  Launched run({"-n", "1", "--host", "a", "echo", "ran"}, how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "ran\n");
}

TEST_F(Hosts, GetTheKeyByTheStreamAlone) {
  Launched run({"-n", "2", "--host", "a,b", "--rsh", shell_, "sh", "-c",
                "stat -c %a $VERBENA_CLUSTER_KEY_FILE\n"
                "cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n' |\n"
                "  grep -c -f $VERBENA_CLUSTER_KEY_FILE || true"});
  run.wait();
  std::istringstream words(run.out());
  std::multiset<std::string> said{std::istream_iterator<std::string>(words), {}};
  EXPECT_EQ(said, (std::multiset<std::string>{"600", "600", "0", "0"}));
}

TEST_F(Hosts, GetVariablesOfVerbenaAndThoseThatAreNamed) {
  std::string bare = script("bare", "exec env -i PATH=\"$PATH\" sh -c \"$2\"\n");
  Launch how;
  how.before = [] {
    setenv("VERBENA_TRANSPORT", "tcp", 1);
    setenv("NAMED", "yes", 1);
    setenv("OTHER", "no", 1);
  };
  Launched run({"-n", "1", "--host", "a", "--rsh", bare, "--env", "NAMED", "sh", "-c",
                "echo $VERBENA_TRANSPORT $NAMED $OTHER"},
               how);
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "tcp yes\n");
}

TEST_F(Hosts, DoNotGetAKeyOfTheUsers) {
  Launch how;
  how.before = [] { setenv("VERBENA_CLUSTER_KEY", "a key of the user's own, of some length", 1); };
  for (const char* host : {"localhost", "a"}) {
    Launched run({"-n", "1", "--host", host, "--rsh", shell_, "sh", "-c",
                  "echo ${VERBENA_CLUSTER_KEY-none}"},
                 how);
    EXPECT_EQ(run.wait(), 0) << run.err();
    EXPECT_EQ(run.out(), "none\n") << host;
  }
}

TEST_F(Hosts, ThatDoNotAnswerKeepNothingOfWhatWasToReachThem) {
  Launched run({"-n", "1", "--host", "a", "--start-timeout", "1", "--rsh",
                script("wrapper", "sleep 1000\n"), "true"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, WhatALoginShellSaysIsNoHarm) {
  std::string chatty = script("chatty", "echo 'welcome to' $1; exec sh -c \"$2\"\n");
  Launched run({"-n", "1", "--host", "a", "--rsh", chatty, "echo", "ran"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "ran\n");
  EXPECT_NE(run.err().find("host a said at login: welcome to a"), std::string::npos) << run.err();
}

TEST_F(Hosts, KeepWhatTheirLoginShellsHaveStarted) {
  // It is a child of the guard then, as the ranks' processes are once the agent is gone.
  std::string busy =
      script("busy", "sleep 1000 & echo $! > " + (folder_ / "pid") + "\neval \"exec $2\"\n");
  Launched run({"-n", "1", "--host", "a", "--rsh", busy, "true"});
  EXPECT_EQ(run.wait(), 0) << run.err();
  pid_t other = std::stoi(contentOf(folder_ / "pid"));
  EXPECT_EQ(kill(other, 0), 0);
  kill(other, SIGKILL);
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, WithoutEndOfWordsAtLoginAreGivenUp) {
  std::string endless = script("endless", "exec yes\n");
  Launched run({"-n", "1", "--host", "a", "--rsh", endless, "echo", "ran"});
  EXPECT_EQ(run.wait(), 125) << run.err();
  EXPECT_NE(run.err().find("host a could not be reached"), std::string::npos) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, ThatCannotBeReachedAreNamedWithTheirStatus) {
  std::string failing = script("failing", "[ $1 = b ] && exit 255; exec sh -c \"$2\"\n");
  Launched run({"-n", "2", "--host", "a,b", "--rsh", failing, "sleep", "1000"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("host b could not be reached: 'failing' ended with status 255"),
            std::string::npos)
      << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, ThatDoNotAnswerAreNamedWhenTheTimeIsOver) {
  std::string silent = script("silent", "[ $1 = b ] && exec sleep 1000; exec sh -c \"$2\"\n");
  Launched run(
      {"-n", "2", "--host", "a,b", "--rsh", silent, "--start-timeout", "1", "sleep", "1000"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("host b has not answered within 1 s"), std::string::npos) << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, ThatTakeLongAreWaitedForAndThatIsTold) {
  std::string slow = script("slow", "sleep 4; exec sh -c \"$2\"\n");
  Launched run({"-n", "1", "--host", "a", "--rsh", slow, "echo", "ran"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.out(), "ran\n");
  EXPECT_NE(run.err().find("0 of 1 hosts have answered; waiting for a"), std::string::npos)
      << run.err();
}

TEST_F(Hosts, WithoutTheShellCannotBeReached) {
  Launched run({"-n", "1", "--host", "a", "--rsh", "/no/such/shell", "true"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("cannot run '/no/such/shell': ENOENT"), std::string::npos) << run.err();
}

TEST_F(Hosts, WithoutTheProgramAreNamedWithTheStatus) {
  Launched run(
      {"-n", "1", "--host", "a", "--rsh", shell_, "--remote-program", "/no/such run", "true"});
  EXPECT_EQ(run.wait(), 125);
  EXPECT_NE(run.err().find("host a could not be reached: 'shell' ended with status 127"),
            std::string::npos)
      << run.err();
}

TEST_F(Hosts, ThatFailAreNamedWithTheRank) {
  Launched run({"-n", "2", "--host", "a,b", "--rsh", shell_, "sh", "-c",
                "[ $VERBENA_JOB_RANK = 0 ] || exit 4; sleep 1000"});
  EXPECT_EQ(run.wait(), 4);
  EXPECT_NE(run.err().find("rank 1 on b ('sh') ended with status 4"), std::string::npos)
      << run.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, AreInterruptedWhileTheyStart) {
  std::string silent = script("silent", "exec sleep 1000");
  Launched run({"-n", "1", "--host", "a", "--rsh", silent, "true"});
  ASSERT_TRUE(eventually([&] { return !childrenOf(run.pid()).empty(); }));
  kill(run.pid(), SIGINT);
  EXPECT_EQ(run.wait(), 128 + SIGINT);
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Hosts, ListenWhereTheOthersReachThem) {
  Launched one({"-n", "1", "sh", "-c", "echo $VERBENA_JOB_HOST_ADDRESS"});
  EXPECT_EQ(one.wait(), 0);
  EXPECT_EQ(one.out(), "127.0.0.1\n");
  std::string viaSsh =
      script("via", "SSH_CONNECTION='10.9.9.1 22 10.9.9.7 22' exec sh -c \"$2\"\n");
  Launched several(
      {"-n", "2", "--host", "a,b", "--rsh", viaSsh, "sh", "-c", "echo $VERBENA_JOB_HOST_ADDRESS"});
  EXPECT_EQ(several.wait(), 0) << several.err();
  EXPECT_EQ(several.out(), "10.9.9.7\n10.9.9.7\n");
  Launched chosen(
      {"-n", "1", "--interface", "127.0.0.0/8", "sh", "-c", "echo $VERBENA_JOB_HOST_ADDRESS"});
  EXPECT_EQ(chosen.wait(), 0) << chosen.err();
  EXPECT_EQ(chosen.out(), "127.0.0.1\n");
  Launched wrong({"-n", "1", "--interface", "no-such", "true"});
  EXPECT_EQ(wrong.wait(), 125);
  EXPECT_NE(wrong.err().find("cannot choose an address to listen at on no-such"), std::string::npos)
      << wrong.err();
}

}  // namespace
}  // namespace verbena::launch
