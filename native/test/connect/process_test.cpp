// SPDX-License-Identifier: Apache-2.0
//
// Peers in processes of their own, which are stopped and killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "live_node.h"

extern char** environ;

namespace verbena::connect::testing {
namespace {

/// What a busy machine may add to a time that is promised.
constexpr auto kSlack = 15s;

/// This program again, running DISABLED_Child: node 2, which dials node 1 if it is told to.
class PeerProcess {
 public:
  PeerProcess(const std::string& dials) {
    std::array<int, 2> ends;
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    setenv("VERBENA_CONNECT_DIALS", dials.c_str(), 1);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3);
    std::string filter = "--gtest_filter=PeerProcess.DISABLED_Child";
    std::string disabled = "--gtest_also_run_disabled_tests";
    std::string program = "connect-test";
    std::array<char*, 4> arguments{program.data(), filter.data(), disabled.data(), nullptr};
    int failed = posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed != 0) throw std::runtime_error("no process");
    std::array<char, 128> text{};
    ssize_t length = read(ends[0], text.data(), text.size() - 1);
    ::close(ends[0]);
    if (length > 0) address_ = text.data();
  }
  ~PeerProcess() {
    signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  const std::string& address() const { return address_; }
  void signal(int number) const { ::kill(pid_, number); }

 private:
  pid_t pid_ = -1;
  std::string address_;
};

TEST(PeerProcess, DISABLED_Child) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  LiveNode node(2);
  std::string dials = std::getenv("VERBENA_CONNECT_DIALS");
  std::string address = node.manager->address();
  ASSERT_EQ(write(3, address.data(), address.size()), static_cast<ssize_t>(address.size()));
  ::close(3);
  if (!dials.empty()) {
    node.manager->addPeer(1, dials);
    ASSERT_TRUE(node.manager->get(1, kMain, kPatience));
  }
  sleep(600);  // longer than any test
}

class Peers : public ::testing::TestWithParam<bool> {
 protected:
  /// The peer process dials, or this one.
  std::unique_ptr<PeerProcess> connect(LiveNode& node) {
    bool dialled = GetParam();
    auto peer = std::make_unique<PeerProcess>(dialled ? node.manager->address() : "");
    node.manager->addPeer(2, peer->address());
    EXPECT_TRUE(dialled || node.manager->get(2, kMain, kPatience).ok());
    EXPECT_TRUE(eventually([&] { return node.manager->find(2, kMain) != 0; }));
    return peer;
  }
};

TEST_P(Peers, DeathIsNoticedInTimeByWhoeverIsLeft) {
  LiveNode node(1);
  auto peer = connect(node);
  std::this_thread::sleep_for(700ms);
  auto killedAt = std::chrono::steady_clock::now();
  peer->signal(SIGKILL);
  ASSERT_TRUE(eventually([&] { return node.manager->find(2, kMain) == 0; }));
  EXPECT_LT(std::chrono::steady_clock::now() - killedAt, ManagerOptions().deadAfter + kSlack);
  EXPECT_NE(node.downReasons()[0].find("nothing heard of node 2"), std::string::npos);
}

TEST_P(Peers, AStoppedProcessIsLostAndFoundAgain) {
  LiveNode node(1);
  auto peer = connect(node);
  peer->signal(SIGSTOP);
  ASSERT_TRUE(eventually([&] { return node.manager->find(2, kMain) == 0; }));
  peer->signal(SIGCONT);
  auto id = node.manager->get(2, kMain, kPatience);
  ASSERT_TRUE(id) << id.error().sentence();
}

TEST_P(Peers, AKilledProcessIsReplacedAtOnceByItsNextLife) {
  LiveNode node(1);
  auto peer = connect(node);
  LinkId before = node.manager->find(2, kMain);
  peer->signal(SIGKILL);
  PeerProcess next(node.manager->address());  // at another port
  EXPECT_TRUE(eventually([&] {
    LinkId now = node.manager->find(2, kMain);
    return now != 0 && now != before;
  }));
}

INSTANTIATE_TEST_SUITE_P(Process, Peers, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "Dialled" : "Dialling"; });

}  // namespace
}  // namespace verbena::connect::testing
