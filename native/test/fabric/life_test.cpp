// SPDX-License-Identifier: Apache-2.0
//
// Who makes and destroys queue pairs, and what goes on meanwhile: on a device that is made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "../softnic/ends.h"
#include "connect/manager.h"
#include "fabric/service.h"
#include "fabric/worker.h"
#include "fake_provider.h"
#include "verbs/survey.h"

namespace verbena::fabric::testing {
namespace {

using connect::LinkId;
using softnic::testing::kPatience;
using softnic::testing::must;
using verbs::testing::FakeProvider;

constexpr connect::LinkName kPlain{9, 0};

/// Links that carry nothing.
class PlainLink final : public Link {
 public:
  PlainLink(Worker& worker, const Service& service, uint32_t place, verbs::CompletionQueue& queue)
      : Link(worker, service, place), queue_(queue) {}

  base::Result<connect::LinkEnd> make(const connect::NewLink& link) override {
    base::Result<QueuePairEnd> made = makeQueuePair(
        link, {.sendPieces = 1, .arrivals = queue_, .receives = nullptr, .remoteAccess = 0});
    if (!made) return made.error();
    return made->with({});
  }
  base::Result<void> connect(const connect::LinkEnd& far) override {
    base::Result<void> connected = connectTo(must(QueuePairEnd::of(peer(), far)));
    if (connected) listen();
    return connected;
  }
  Pumped pump() override { return Pumped::Done; }

 private:
  void letGo() override {}
  void ended(uint64_t) override {}

  verbs::CompletionQueue& queue_;
};

class Plain final : public Service {
 public:
  explicit Plain(Worker& worker)
      : queue_(must(verbs::CompletionQueue::create(worker.domain().context, 1, worker.channel(),
                                                   nullptr))) {}

  std::unique_ptr<Link> newLink(Worker& worker, uint32_t place) override {
    return std::make_unique<PlainLink>(worker, *this, place, queue_);
  }
  base::Result<void> judge(const connect::NewLink&) const override { return {}; }
  base::Error noPlace(const connect::NewLink&) const override {
    return {"create a link", "", ENOSPC, ""};
  }
  size_t receive() override { return 0; }
  void drain() override {}
  bool armArrivals() override { return true; }
  bool hasArrivals() const override { return false; }

 private:
  verbs::CompletionQueue queue_;
};

std::unique_ptr<Worker> workerOn(const FakeProvider& fake) {
  std::vector<base::Result<const verbs::Provider*>> providers = {&fake.provider()};
  auto port = must(verbs::select(verbs::survey(providers), {}));
  return must(Worker::open(must(Domain::open(port)), {.maxLinks = 4}));
}

/// A node of such links, with a manager.
class PlainNode final : public connect::LinkOwner, connect::Observer {
 public:
  PlainNode(const FakeProvider& fake, connect::NodeId id) : worker_(workerOn(fake)) {
    service_ = std::make_unique<Plain>(*worker_);
    must(worker_->add(*service_, 4));
    connect::ManagerOptions options;
    options.self = id;
    options.incarnation = id;
    options.listen = "127.0.0.1:0";
    manager_ = must(connect::Manager::start(
        options, *this, *this, [this](connect::Manager& made) { worker_->report(made); }));
  }
  ~PlainNode() override {
    manager_->shutDown();
    while (!manager_->isShutDown()) worker_->progress();
    manager_.reset();
    worker_.reset();  // before the service, which has the queue that its links complete in
  }

  connect::Manager& manager() { return *manager_; }
  Worker& worker() { return *worker_; }
  size_t gone() const { return gone_.load(std::memory_order_acquire); }

 private:
  base::Result<connect::LinkEnd> create(const connect::NewLink& link) override {
    return worker_->create(*service_, link);
  }
  base::Result<void> connect(LinkId id, const connect::LinkEnd& far) override {
    return worker_->connect(id, far);
  }
  void ready(LinkId id) override { worker_->ready(id); }
  void close(LinkId id, const std::string&) override { worker_->close(id); }
  void destroy(LinkId id) override { worker_->destroy(id); }

  void up(const connect::LinkUp&) override {}
  void down(LinkId, connect::NodeId, connect::LinkName, const std::string&) override {}
  void gone(LinkId, connect::NodeId) override { gone_.fetch_add(1, std::memory_order_release); }
  void dialFailed(connect::NodeId, connect::LinkName, connect::Refusal,
                  const std::string&) override {}

  std::unique_ptr<Plain> service_;
  std::unique_ptr<Worker> worker_;
  std::atomic<size_t> gone_{0};
  std::unique_ptr<connect::Manager> manager_;
};

/// Which threads have made a call.
class Callers {
 public:
  void note() {
    std::lock_guard guard(lock_);
    threads_.push_back(std::this_thread::get_id());
  }
  size_t count() const {
    std::lock_guard guard(lock_);
    return threads_.size();
  }
  bool includes(std::thread::id thread) const {
    std::lock_guard guard(lock_);
    return std::ranges::find(threads_, thread) != threads_.end();
  }

 private:
  mutable std::mutex lock_;
  std::vector<std::thread::id> threads_;
};

template <typename Condition>
bool turnUntil(std::initializer_list<Worker*> workers, Condition condition) {
  for (auto end = std::chrono::steady_clock::now() + kPatience; !condition();) {
    for (Worker* worker : workers) worker->progress();
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

TEST(QueuePairs, AreMadeAndDestroyedByAnotherThreadThanTheOneThatPolls) {
  Callers makers, destroyers;
  FakeProvider fake({{.name = "fake0"}});
  fake.before = [&](const std::string& call) {
    if (call == "create_qp") makers.note();
    if (call == "destroy_qp") destroyers.note();
  };
  {
    PlainNode one(fake, 1), two(fake, 2);
    one.manager().addPeer(2, two.manager().address());
    for (size_t life = 1; life <= 3; life++) {
      LinkId link = must(one.manager().get(2, kPlain, kPatience));
      one.manager().close(link, "enough");
      ASSERT_TRUE(turnUntil({&one.worker(), &two.worker()},
                            [&] { return one.gone() == life && two.gone() == life; }));
    }
    EXPECT_EQ(makers.count(), 6U);
    EXPECT_EQ(destroyers.count(), 6U);
  }
  EXPECT_FALSE(makers.includes(std::this_thread::get_id()));
  EXPECT_FALSE(destroyers.includes(std::this_thread::get_id()));
}

/// Devices have no time-out for receivers that are not ready but by their number.
TEST(QueuePairs, AreToldToTryAgainSoonAndWithoutEndWhereAReceiveIsMissing) {
  FakeProvider fake({{.name = "fake0"}});
  std::unique_ptr<Plain> service;
  std::unique_ptr<Worker> worker = workerOn(fake);
  service = std::make_unique<Plain>(*worker);
  must(worker->add(*service, 4));
  connect::LinkEnd end = must(worker->create(*service, {1, 2, kPlain}));
  must(worker->connect(1, end));
  std::optional<uint8_t> timer, retries;
  for (const verbs::testing::QpChange& change : fake.qpChanges) {
    if ((change.mask & IBV_QP_MIN_RNR_TIMER) != 0) timer = change.attributes.min_rnr_timer;
    if ((change.mask & IBV_QP_RNR_RETRY) != 0) retries = change.attributes.rnr_retry;
  }
  constexpr uint8_t kOneMs = 13;  // 0.96 ms in the specification's table
  constexpr uint8_t kWithoutEnd = 7;
  ASSERT_TRUE(timer && retries);
  EXPECT_GE(*timer, 1) << "0 is the longest";
  EXPECT_LE(*timer, kOneMs);
  EXPECT_EQ(*retries, kWithoutEnd);
  worker.reset();
}

class Ends final : public connect::Lifecycle {
 public:
  void failed(LinkId, const std::string&) override {}
  void closed(LinkId id) override { last_.store(id, std::memory_order_release); }
  LinkId last() const { return last_.load(std::memory_order_acquire); }

 private:
  std::atomic<LinkId> last_{0};
};

/// A device may take long to make a queue pair. What ends meanwhile does not wait for that.
TEST(QueuePairs, OthersEndWhileOneIsMade) {
  FakeProvider fake({{.name = "fake0"}});
  std::unique_ptr<Plain> service;
  std::unique_ptr<Worker> worker = workerOn(fake);
  service = std::make_unique<Plain>(*worker);
  must(worker->add(*service, 4));
  Ends ends;
  worker->report(ends);
  must(worker->create(*service, {1, 2, kPlain}));
  std::atomic<bool> begun{false};
  bool endedMeanwhile = false;
  fake.before = [&](const std::string& call) {
    if (call != "create_qp") return;
    begun.store(true, std::memory_order_release);
    auto end = std::chrono::steady_clock::now() + kPatience;
    while (ends.last() != 1 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    endedMeanwhile = ends.last() == 1;
  };
  std::atomic<bool> made{false};
  std::jthread maker([&] {
    must(worker->create(*service, {2, 2, kPlain}));
    made.store(true, std::memory_order_release);
  });
  while (!begun.load(std::memory_order_acquire)) std::this_thread::yield();
  worker->close(1);
  EXPECT_TRUE(turnUntil({worker.get()}, [&] { return made.load(std::memory_order_acquire); }));
  EXPECT_TRUE(endedMeanwhile);
  worker->close(2);
  EXPECT_TRUE(turnUntil({worker.get()}, [&] { return ends.last() == 2; }));
  worker.reset();
}

/// A device that fails while a link is made has told everybody else.
TEST(QueuePairs, ALinkThatWasMadeWhileTheDeviceFailedHasFailed) {
  class Failed final : public connect::Lifecycle {
   public:
    void failed(LinkId id, const std::string& why) override {
      link = id;
      reason = why;
    }
    void closed(LinkId) override { isClosed = true; }
    LinkId link = 0;
    std::string reason;
    bool isClosed = false;
  } heard;
  FakeProvider fake({{.name = "fake0"}});
  std::unique_ptr<Plain> service;
  std::unique_ptr<Worker> worker = workerOn(fake);
  service = std::make_unique<Plain>(*worker);
  must(worker->add(*service, 4));
  worker->report(heard);
  fake.before = [&](const std::string& call) {
    if (call == "create_qp") worker->deviceFailed("it is unplugged");
  };
  must(worker->create(*service, {7, 2, kPlain}));
  EXPECT_EQ(heard.link, 7U);
  EXPECT_NE(heard.reason.find("unplugged"), std::string::npos) << heard.reason;
  worker->close(7);
  EXPECT_TRUE(turnUntil({worker.get()}, [&] { return heard.isClosed; }));
  worker.reset();
}

}  // namespace
}  // namespace verbena::fabric::testing
