// SPDX-License-Identifier: Apache-2.0
//
// Whoever of the launcher, the guard and the agent is killed, and whenever: nothing of the job is
// left, down to what ranks have started and disowned.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "launched.h"

namespace verbena::launch {
namespace {

using namespace std::chrono_literals;

const char* const kFamily =
    "setsid sleep 1000 & (setsid sleep 1000 & sleep 1000) & echo up; exec sleep 1000";

enum class Victim { launcher, guard, agent };

const char* nameOf(Victim victim) {
  switch (victim) {
    case Victim::launcher: return "Launcher";
    case Victim::guard: return "Guard";
    case Victim::agent: return "Agent";
  }
  return "";
}

/// Kills those of the victims that are there already.
void killNow(const Launched& run, Victim victim) {
  if (victim == Victim::launcher) {
    kill(run.pid(), SIGKILL);
    return;
  }
  for (pid_t guard : childrenOf(run.pid())) {
    std::vector<pid_t> agents = childrenOf(guard);
    if (victim == Victim::guard) kill(guard, SIGKILL);
    if (victim == Victim::agent) {
      for (pid_t agent : agents) kill(agent, SIGKILL);
    }
  }
}

std::vector<std::string> words(bool remote, const Folder& folder) {
  if (!remote) return {"-n", "3", "sh", "-c", kFamily};
  return {"-n", "3", "--host", "a:2,b", "--rsh", localShell(folder), "sh", "-c", kFamily};
}

class Killed : public ::testing::TestWithParam<std::tuple<Victim, bool>> {
 protected:
  static Victim victim() { return std::get<0>(GetParam()); }
  static bool remote() { return std::get<1>(GetParam()); }
  Folder folder_;
};

TEST_P(Killed, WhileRanksRunLeavesNothing) {
  Launched run(words(remote(), folder_));
  ASSERT_TRUE(eventually([&] { return run.out() == "up\nup\nup\n"; })) << run.err();
  killNow(run, victim());
  EXPECT_EQ(run.wait(), victim() == Victim::launcher ? 128 + SIGKILL : 125) << run.err();
  if (victim() != Victim::launcher) {
    EXPECT_NE(run.err().find(" is lost"), std::string::npos) << run.err();
  }
  EXPECT_TRUE(nothingIsLeft());
  EXPECT_TRUE(run.leftNoFolder());
}

TEST_P(Killed, AtAnyStepOfStartingLeavesNothing) {
  // Ranks are up after some milliseconds; the steps are finer than what each of them takes, and go
  // on until all ranks were up before.
  auto step = 400us;
  bool wereUp = false;
  for (auto delay = 0us; delay < 20ms || !wereUp; delay += step) {
    ASSERT_LT(delay, kPatience) << "ranks never come up";
    if (delay > 20ms) step = 10ms;  // this machine is slow, or busy
    Launched run(words(remote(), folder_));
    std::this_thread::sleep_for(delay);
    wereUp = wereUp || run.out() == "up\nup\nup\n";
    killNow(run, victim());
    if (victim() != Victim::launcher) kill(run.pid(), SIGTERM);  // there was nobody yet, perhaps
    ASSERT_GE(run.wait(), 0) << run.err();
    ASSERT_TRUE(nothingIsLeft()) << delay.count() << " us";
    ASSERT_TRUE(run.leftNoFolder()) << delay.count() << " us: " << run.folders();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Killed,
                         ::testing::Combine(::testing::Values(Victim::launcher, Victim::guard,
                                                              Victim::agent),
                                            ::testing::Bool()),
                         [](const auto& made) {
                           return std::string(nameOf(std::get<0>(made.param))) +
                                  (std::get<1>(made.param) ? "OfSeveralHosts" : "");
                         });

/// A job on this host with one guard and one agent.
struct Watchers {
  explicit Watchers(const Launched& run) {
    std::vector<pid_t> guards = childrenOf(run.pid());
    if (guards.size() == 1) guard = guards[0];
    std::vector<pid_t> agents = childrenOf(guard);
    if (agents.size() == 1) agent = agents[0];
  }
  bool areKnown() const { return guard > 0 && agent > 0; }

  /// None of them has the time to do anything about the other one's end.
  void killAtOneBlow() const {
    kill(guard, SIGSTOP);
    kill(agent, SIGKILL);
    kill(guard, SIGKILL);
  }

  pid_t guard = -1;
  pid_t agent = -1;
};

std::string nameOf(pid_t pid) {
  return contentOf("/proc/" + std::to_string(pid) + "/comm");
}

TEST(KilledTogether, GuardAndAgentOfThisHostLeaveNothingOfTheLaunchers) {
  Launched run({"-n", "3", "sh", "-c", kFamily});
  ASSERT_TRUE(eventually([&] { return run.out() == "up\nup\nup\n"; })) << run.err();
  Watchers watchers(run);
  ASSERT_TRUE(watchers.areKnown());
  watchers.killAtOneBlow();
  EXPECT_EQ(run.wait(), 125);
  EXPECT_TRUE(nothingIsLeft());
}

TEST(KilledTogether, WithTheLauncherTheyLeaveNothingOfTheNextJobs) {
  std::string family = std::string("echo $VERBENA_JOB_FOLDER; ") + kFamily;
  Launched run({"-n", "2", "sh", "-c", family});
  std::string first;
  ASSERT_TRUE(eventually([&] {
    first = run.out();
    return std::count(first.begin(), first.end(), '\n') == 4;  // of both the folder, and "up"
  }));
  size_t at = first.find('/');
  std::string folder = first.substr(at, first.find('\n', at) - at);
  Watchers watchers(run);
  ASSERT_TRUE(watchers.areKnown());
  kill(run.pid(), SIGSTOP);
  watchers.killAtOneBlow();
  kill(run.pid(), SIGKILL);
  EXPECT_EQ(run.wait(), 128 + SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(folder));
  Launch how;
  std::string parent = std::filesystem::path(folder).parent_path();
  how.before = [&] { setenv("VERBENA_RUN_FOLDER", parent.c_str(), 1); };
  // Who was killed may take a moment to let go of the folder.
  EXPECT_TRUE(eventually([&] {
    Launched next({"-n", "1", "true"}, how);
    EXPECT_EQ(next.wait(), 0);
    return !std::filesystem::exists(folder);
  }));
  EXPECT_TRUE(nothingIsLeft());
}

/// The kernel keeps it: a tracer that nobody asks has not taken note of its end.
TEST(Unkillable, ARankIsLeftBehindAndNamed) {
  // The first signal ends none of them: a rank that it ended would be what ends the job.
  Launched run({"-n", "2", "sh", "-c", "trap '' INT; exec sleep 1000"});
  Watchers watchers(run);
  std::vector<pid_t> ranks;
  ASSERT_TRUE(eventually([&] {
    watchers = Watchers(run);
    ranks = childrenOf(watchers.agent);
    return watchers.areKnown() && ranks.size() == 2 && nameOf(ranks[0]) == "sleep\n" &&
           nameOf(ranks[1]) == "sleep\n";
  }));
  if (ptrace(PTRACE_SEIZE, ranks[0], nullptr, nullptr) != 0) {
    kill(run.pid(), SIGTERM);
    run.wait();
    GTEST_SKIP() << "no process may be traced here";
  }
  kill(run.pid(), SIGINT);
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.err();
  std::string named = "process " + std::to_string(ranks[0]) + " ('sleep', state Z) was killed";
  EXPECT_NE(run.err().find(named), std::string::npos) << run.err();
  EXPECT_TRUE(run.leftNoFolder());
  waitpid(ranks[0], nullptr, __WALL);
}

TEST(KilledTogether, NotByASignalToAGroupASessionOrAName) {
  Launched run({"-n", "1", "sleep", "1000"});
  Watchers watchers(run);
  ASSERT_TRUE(eventually([&] {
    watchers = Watchers(run);
    return watchers.areKnown() && childrenOf(watchers.agent).size() == 1;
  }));
  EXPECT_NE(getpgid(watchers.guard), getpgid(watchers.agent));
  EXPECT_NE(getsid(watchers.guard), getsid(watchers.agent));
  EXPECT_EQ(nameOf(watchers.agent), "verbena-run\n");
  EXPECT_EQ(nameOf(watchers.guard), "verbena-guard\n");
  kill(run.pid(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM);
}

}  // namespace
}  // namespace verbena::launch
