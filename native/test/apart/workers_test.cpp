// SPDX-License-Identifier: Apache-2.0
//
// Two workers over one domain, each driven by a thread of its own, at both ends of the links: no
// lock is taken by both.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <barrier>
#include <chrono>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "fabric/worker.h"
#include "softnic/device/context.h"
#include "softnic/softnic.h"
#include "verbs/survey.h"
#include "watch.h"

namespace verbena::fabric::testing {
namespace {

constexpr size_t kBytes = 4 << 20;
constexpr size_t kEach = kBytes / 2;       // of the region for each worker
constexpr size_t kLongBytes = 300 * 1024;  // longer than a port's lock is held
constexpr int kRounds = 200;
constexpr std::chrono::seconds kPatience{120};

template <typename T>
T must(base::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().sentence());
  return std::move(result).value();
}
void must(const base::Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().sentence());
}

verbs::Selection softnicPort() {
  std::vector<base::Result<const verbs::Provider*>> providers = {&softnic::provider()};
  return must(verbs::select(verbs::survey(providers), {.device = "softnic"}));
}

/// A folder where the ports of this test alone meet.
class Folder {
 public:
  Folder() {
    path_ = mkdtemp(path_.data());
    setenv("VERBENA_SOFTNIC_DIR", path_.c_str(), 1);
  }
  ~Folder() {
    unsetenv("VERBENA_SOFTNIC_DIR");
    std::filesystem::remove_all(path_);
  }

 private:
  std::string path_ = "/dev/shm/softnic-test-XXXXXX";
};

/// A process's end: one domain, two workers with a face of one-sided memory each, and a region.
struct Side {
  Side(connect::NodeId id, bool mapping, bool ownVectors)
      : owner{id, 100 + id}, domain(must(Domain::open(softnicPort()))) {
    for (uint32_t i = 0; i < 2; i++) {
      workers.push_back(must(Worker::open(domain, {.maxLinks = 4, .vector = ownVectors ? i : 0})));
      memories.push_back(must(OneSided::on(*workers[i], {.links = 4, .mapping = mapping})));
      must(workers[i]->add(*memories[i], 4));
    }
    for (auto& worker : workers) worker->joinOthers(workers);
    region = must(Region::allocate(domain, owner, kBytes));
    key = must(region->share(0, kBytes, kAllAccess));
  }
  ~Side() { workers.clear(); }

  Owner owner;
  std::shared_ptr<const Domain> domain;
  std::vector<std::unique_ptr<OneSided>> memories;
  std::vector<std::unique_ptr<Worker>> workers;
  std::shared_ptr<Region> region;
  RegionKey key;
};

connect::LinkId linkOf(size_t worker) {
  return worker + 1;
}

void link(Side& near, Side& far, size_t worker) {
  connect::LinkId id = linkOf(worker);
  auto create = [&](Side& at, const Side& peer) {
    return must(at.workers[worker]->create(
        *at.memories[worker], {id, peer.owner.node, kOneSided, nullptr, peer.owner.incarnation}));
  };
  connect::LinkEnd nearEnd = create(near, far);
  connect::LinkEnd farEnd = create(far, near);
  must(near.workers[worker]->connect(id, farEnd));
  must(far.workers[worker]->connect(id, nearEnd));
  near.workers[worker]->ready(id);
  far.workers[worker]->ready(id);
}

/// What one thread does: all operations on its worker's link, and the rounds of both ends.
class Driver {
 public:
  Driver(Side& near, Side& far, size_t worker) : near_(near), far_(far), worker_(worker) {}

  void round(int number) {
    bool isLong = number % 16 == 0;
    std::vector<Request> requests{
        operation(Operation::put, 0, isLong ? kLongBytes : 64),
        operation(Operation::get, 64, 64),
        operation(Operation::fetchAdd, 128, 8),
        operation(Operation::put, 192, 8),
        {.operation = Operation::flush},
    };
    requests[3].signals = true;
    std::span<const Request> left(requests);
    size_t done = 0, signals = 0;
    auto end = std::chrono::steady_clock::now() + kPatience;
    while (done < requests.size() || signals < 1) {
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("nothing goes on");
      if (!left.empty()) {
        left = left.subspan(must(near_.memories[worker_]->post(linkOf(worker_), left)));
      }
      near_.workers[worker_]->progress();
      far_.workers[worker_]->progress();
      std::array<Done, 8> told;
      size_t count = near_.memories[worker_]->poll(told);
      for (const Done& each : std::span(told).first(count)) {
        if (each.outcome != Done::Outcome::done) throw std::runtime_error(each.sentence());
      }
      done += count;
      std::array<Signal, 4> heard;
      signals += far_.memories[worker_]->takeSignals(heard);
    }
    // Waiting is part of it.
    near_.workers[worker_]->arm();
    near_.workers[worker_]->wait(std::chrono::nanoseconds(0));
  }

 private:
  Request operation(Operation kind, size_t offset, size_t length) const {
    return {.operation = kind,
            .local = near_.region.get(),
            .localOffset = worker_ * kEach + offset,
            .key = far_.key,
            .offset = worker_ * kEach + offset,
            .length = length,
            .operand = 1};
  }

  Side& near_;
  Side& far_;
  size_t worker_;
};

/// The words that both threads have changed, of two workers that are at work at the same time.
watch::Words changedByBoth(Side& near, Side& far) {
  std::barrier together(2);
  watch::Words changed[2];
  auto drive = [&](size_t worker) {
    Driver driver(near, far, worker);
    for (int i = 0; i < 32; i++) driver.round(i);  // what is found or mapped once is there then
    together.arrive_and_wait();
    watch::begin();
    for (int i = 0; i < kRounds; i++) driver.round(i);
    changed[worker] = watch::end();
    together.arrive_and_wait();
  };
  std::thread other([&] { drive(1); });
  drive(0);
  other.join();
  EXPECT_GT(changed[0].size(), 3U);
  EXPECT_GT(changed[1].size(), 3U);
  watch::Words both;
  for (const auto& each : changed[0]) {
    if (changed[1].contains(each.first)) both.insert(each);
  }
  return both;
}

class Apart : public ::testing::TestWithParam<bool> {
 protected:
  static bool mapping() { return GetParam(); }
  Folder folder_;
};

TEST_P(Apart, TwoWorkersShareNoLock) {
  Side near(1, mapping(), true), far(2, mapping(), true);
  for (size_t worker = 0; worker < 2; worker++) link(near, far, worker);
  for (const auto& [word, from] : changedByBoth(near, far)) {
    ADD_FAILURE() << "both threads have changed " << word << ", first at " << from;
  }
}

/// Shows that this would be seen: on one completion vector they have a port of softnic in common.
TEST_P(Apart, TwoWorkersOfOneVectorShareThePortsLock) {
  Side near(1, mapping(), false), far(2, mapping(), false);
  for (size_t worker = 0; worker < 2; worker++) link(near, far, worker);
  watch::Words both = changedByBoth(near, far);
  EXPECT_TRUE(both.contains(&softnic::contextOf(near.domain->context.get()).lock));
}

INSTANTIATE_TEST_SUITE_P(Workers, Apart, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "Mapped" : "ByDevice"; });

}  // namespace
}  // namespace verbena::fabric::testing
