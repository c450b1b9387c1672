// SPDX-License-Identifier: Apache-2.0
//
// Hosts that are cut off without their connection ending: a process that stands still is as silent.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "launched.h"

namespace verbena::launch {
namespace {

using namespace std::chrono_literals;

class CutOff : public ::testing::Test {
 protected:
  CutOff() : run_(words()) {
    EXPECT_TRUE(eventually([&] { return lines() == 2; })) << run_.err();
  }
  std::vector<std::string> words() {
    return {"--host", "a,b",   "--lost-after",
            "1",      "--rsh", localShell(folder_),
            "sh",     "-c",    "echo up; trap : CONT; while :; do sleep 0.01; done"};
  }
  long lines() {
    std::string out = run_.out();
    return std::count(out.begin(), out.end(), '\n');
  }
  /// With the rank of a host, so many processes.
  pid_t agentOf(size_t host) {
    std::vector<pid_t> guards = childrenOf(run_.pid());
    return guards.size() > host ? childrenOf(guards[host])[0] : -1;
  }

  Folder folder_;
  Launched run_;
};

TEST_F(CutOff, HostIsLostAfterTheTimeAndEndsWhenItGoesOn) {
  pid_t agent = agentOf(1);
  ASSERT_GT(agent, 0);
  kill(agent, SIGSTOP);
  EXPECT_EQ(run_.wait(), 125);
  EXPECT_NE(run_.err().find("is lost: nothing was heard of it for 1 s (--lost-after)"),
            std::string::npos)
      << run_.err();
  kill(agent, SIGCONT);
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(CutOff, HostEndsItsRanksItself) {
  pid_t agents[] = {agentOf(0), agentOf(1)};
  kill(run_.pid(), SIGSTOP);
  for (pid_t agent : agents) {
    ASSERT_GT(agent, 0);
    EXPECT_TRUE(eventually([&] { return childrenOf(agent).empty(); }));
  }
  kill(run_.pid(), SIGCONT);
  EXPECT_EQ(run_.wait(), 125);
  EXPECT_NE(run_.err().find("has heard nothing of the launcher for 1 s (--lost-after)"),
            std::string::npos)
      << run_.err();
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(CutOff, HostWaitsForALauncherThatItsUserHasStopped) {
  kill(run_.pid(), SIGTSTP);
  EXPECT_TRUE(eventually([&] {
    int status = 0;
    return waitpid(run_.pid(), &status, WUNTRACED | WNOHANG) == run_.pid() && WIFSTOPPED(status);
  }));
  std::this_thread::sleep_for(3s);
  kill(run_.pid(), SIGCONT);
  kill(run_.pid(), SIGTERM);
  EXPECT_EQ(run_.wait(), 128 + SIGTERM) << run_.err();
  EXPECT_TRUE(nothingIsLeft());
}

}  // namespace
}  // namespace verbena::launch
