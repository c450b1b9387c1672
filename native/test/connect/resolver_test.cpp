// SPDX-License-Identifier: Apache-2.0
//
// Look-ups of host names: by a system of paper, in which names can hang.
#include "connect/resolver.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <thread>

#include "connect/job_thread.h"
#include "fake_owner.h"
#include "live_node.h"

namespace verbena::connect::testing {
namespace {

/// Knows every host under 127.0.0.1, unless it hangs. Outlives the threads that ask it: they hold
/// it.
class Names {
 public:
  Resolver::Answer lookUp(const std::string& host) {
    std::unique_lock held(lock_);
    asked_[host]++;
    changed_.notify_all();
    changed_.wait(held, [&] { return !hanging_.contains(host); });
    return {{*Address::numeric({"127.0.0.1", 1})}, ""};
  }
  void hang(const std::string& host) {
    std::lock_guard held(lock_);
    hanging_.insert(host);
  }
  void letGo() {
    std::lock_guard held(lock_);
    hanging_.clear();
    changed_.notify_all();
  }
  int asked(const std::string& host) {
    std::lock_guard held(lock_);
    return asked_[host];
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::set<std::string> hanging_;
  std::map<std::string, int> asked_;
};

class LookUps : public ::testing::Test {
 protected:
  ~LookUps() override { names->letGo(); }

  Resolver::LookUp ofNames() {
    return [held = names](const std::string& host, int) { return held->lookUp(host); };
  }
  Resolver::Found remember() {
    return [this](NodeId peer, const HostAndPort& name, const Resolver::Answer& answer) {
      EXPECT_EQ(answer.addresses.at(0).port, name.port);
      std::lock_guard held(lock);
      found[peer].push_back(name.host);
    };
  }
  std::vector<std::string> foundOf(NodeId peer) {
    std::lock_guard held(lock);
    return found[peer];
  }
  bool underWay(const std::string& host) {
    return eventually([&] { return names->asked(host) == 1; });
  }

  std::shared_ptr<Names> names = std::make_shared<Names>();
  std::mutex lock;
  std::map<NodeId, std::vector<std::string>> found;
};

TEST_F(LookUps, ANameThatHangsDelaysNoOther) {
  names->hang("dead");
  Resolver resolver(AF_INET, remember(), ofNames());
  ASSERT_TRUE(resolver.ask(1, {"dead", 7}));
  ASSERT_TRUE(underWay("dead"));
  ASSERT_TRUE(resolver.ask(2, {"alive", 7}));
  EXPECT_TRUE(eventually([&] { return foundOf(2).size() == 1; }));
  EXPECT_TRUE(foundOf(1).empty());
}

TEST_F(LookUps, OneThatThrowsFoundNothingAndTheNextIsMade) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  std::vector<Resolver::Answer> answers;  // guarded by lock
  auto count = [&] {
    std::lock_guard held(lock);
    return answers.size();
  };
  Resolver resolver(
      AF_INET,
      [&](NodeId, const HostAndPort&, const Resolver::Answer& answer) {
        std::lock_guard held(lock);
        answers.push_back(answer);
      },
      [=](const std::string&, int) -> Resolver::Answer {
        if ((*calls)++ == 0) throw std::bad_alloc();
        return {{*Address::numeric({"127.0.0.1", 1})}, ""};
      });
  ASSERT_TRUE(resolver.ask(1, {"host", 7}));
  ASSERT_TRUE(eventually([&] { return count() == 1; }));
  ASSERT_TRUE(resolver.ask(2, {"host", 7}));
  ASSERT_TRUE(eventually([&] { return count() == 2; }));
  EXPECT_TRUE(answers[0].addresses.empty());
  EXPECT_EQ(answers[0].error, "out of memory");
  EXPECT_EQ(answers[1].addresses.size(), 1U);
}

TEST_F(LookUps, OneHostOfManyNodesKeepsUpOneThreadAndIsAskedForOnce) {
  names->hang("dead");
  Resolver resolver(AF_INET, remember(), ofNames());
  for (NodeId peer = 1; peer <= 2 * Resolver::kMostThreads; peer++) {
    ASSERT_TRUE(resolver.ask(peer, {"dead", static_cast<uint16_t>(7000 + peer)}));
  }
  ASSERT_TRUE(resolver.ask(99, {"alive", 7}));
  EXPECT_TRUE(eventually([&] { return foundOf(99).size() == 1; }));
  names->letGo();
  for (NodeId peer = 1; peer <= 2 * Resolver::kMostThreads; peer++) {
    EXPECT_TRUE(eventually([&] { return foundOf(peer).size() == 1; })) << peer;
  }
  EXPECT_EQ(names->asked("dead"), 1);
}

TEST_F(LookUps, AsManyAsThereAreThreadsHangBeforeAnotherHasToWait) {
  Resolver resolver(AF_INET, remember(), ofNames());
  for (NodeId peer = 0; peer < Resolver::kMostThreads; peer++) {
    std::string host = "dead" + std::to_string(peer);
    names->hang(host);
    ASSERT_TRUE(resolver.ask(peer, {host, 7}));
    EXPECT_TRUE(underWay(host));
  }
  ASSERT_TRUE(resolver.ask(9, {"alive", 7}));
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(names->asked("alive"), 0) << "more threads than are allowed";
  names->letGo();
  EXPECT_TRUE(eventually([&] { return foundOf(9).size() == 1; }));
}

TEST_F(LookUps, APeerThatIsLookedUpIsNotLookedUpAgainMeanwhile) {
  names->hang("slow");
  Resolver resolver(AF_INET, remember(), ofNames());
  ASSERT_TRUE(resolver.ask(1, {"slow", 7}));
  ASSERT_TRUE(underWay("slow"));
  ASSERT_TRUE(resolver.ask(1, {"slow", 7}));
  ASSERT_TRUE(resolver.ask(2, {"other", 7}));
  ASSERT_TRUE(eventually([&] { return foundOf(2).size() == 1; }));
  names->letGo();
  ASSERT_TRUE(eventually([&] { return foundOf(1).size() == 1; }));
  EXPECT_EQ(names->asked("slow"), 1);
  ASSERT_TRUE(resolver.ask(1, {"slow", 7}));
  EXPECT_TRUE(eventually([&] { return foundOf(1).size() == 2; })) << "later it is asked again";
}

TEST_F(LookUps, AnotherNameOfAPeerDoesNotWaitForTheFirst) {
  names->hang("old");
  Resolver resolver(AF_INET, remember(), ofNames());
  ASSERT_TRUE(resolver.ask(1, {"old", 7}));
  ASSERT_TRUE(underWay("old"));
  ASSERT_TRUE(resolver.ask(1, {"new", 7}));
  EXPECT_TRUE(eventually([&] { return foundOf(1) == std::vector<std::string>{"new"}; }));
}

TEST_F(LookUps, NothingIsToldOnceItIsGone) {
  names->hang("slow");
  {
    Resolver resolver(AF_INET, remember(), ofNames());
    ASSERT_TRUE(resolver.ask(1, {"slow", 7}));
    ASSERT_TRUE(underWay("slow"));
  }
  names->letGo();
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(foundOf(1).empty());
}

class Deaf final : public Observer {
  void up(const LinkUp&) override {}
  void down(LinkId, NodeId, LinkName, const std::string&) override {}
  void dialFailed(NodeId, LinkName, Refusal, const std::string&) override {}
};

/// As vbn_endpoint_dial does.
TEST_F(LookUps, ADialAsksOnceHoweverFastTheAnswer) {
  FakeOwner owner;
  Deaf observer;
  ManagerOptions options;
  options.self = 1;
  options.incarnation = 1;
  options.listen = "127.0.0.1:0";
  auto job = JobThread::open(options, owner, observer, ofNames());
  ASSERT_TRUE(job) << job.error().sentence();
  ASSERT_TRUE((*job)->start());
  for (NodeId peer = 10; peer < 40; peer++) {
    std::string host = "host" + std::to_string(peer);
    (*job)->addPeer(peer, host + ":7");
    if (peer % 2 == 0) std::this_thread::sleep_for(2ms);  // the answer comes before the dial
    (*job)->dial(peer, kMain, 1s);
    ASSERT_TRUE(eventually([&] { return names->asked(host) > 0; }));
  }
  std::this_thread::sleep_for(50ms);
  for (NodeId peer = 10; peer < 40; peer++) {
    EXPECT_EQ(names->asked("host" + std::to_string(peer)), 1) << peer;
  }
}

}  // namespace
}  // namespace verbena::connect::testing
