// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations between two processes, one of which dies or stands still.
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <set>

#include "../softnic/processes.h"
#include "memories.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::Child;
using softnic::testing::Line;
using Outcome = Done::Outcome;

constexpr connect::LinkId kLink = 7;
constexpr size_t kBytes = 1 << 20;

/// What the processes tell each other before they are linked.
struct Introduction {
  connect::LinkEnd end;
  RegionKey key;
};

connect::NewLink linkWith(connect::NodeId peer, uint64_t incarnation) {
  return {kLink, peer, kOneSided, nullptr, incarnation};
}

/// The target: shares its memory, and drives nothing until it is told to end.
void serve(const Line& line, bool mapping) {
  Node node(2, 202, {}, mapping);
  std::shared_ptr<Region> region = node.region(kBytes);
  Introduction own{must(node.worker().create(node.memory(), linkWith(1, 101))),
                   must(region->share(0, kBytes, kAllAccess))};
  line.tell(own);
  must(node.worker().connect(kLink, line.hear<connect::LinkEnd>()));
  node.worker().ready(kLink);
  line.tell(true);
  while (!line.heard()) node.worker().progress();
  line.tell(*reinterpret_cast<uint64_t*>(region->bytes().data()));
}

class FabricProcesses : public ::testing::TestWithParam<bool> {
 protected:
  FabricProcesses()
      : target_([](const Line& line) { serve(line, GetParam()); }), node_(1, 101, {}, GetParam()) {
    here_ = node_.region(kBytes);
    auto far = target_.line().hear<Introduction>();
    key_ = far.key;
    target_.line().tell(must(node_.worker().create(node_.memory(), linkWith(2, 202))));
    must(node_.worker().connect(kLink, far.end));
    node_.worker().ready(kLink);
    target_.line().hear<bool>();
  }

  Request request(Operation operation, uint64_t length, uint64_t cookie) const {
    return {.operation = operation,
            .local = here_.get(),
            .key = key_,
            .length = length,
            .operand = 1,
            .cookie = cookie};
  }

  Folders folders_;  // before the processes open their ports
  Child target_;
  Node node_;
  std::shared_ptr<Region> here_;
  RegionKey key_;
};

INSTANTIATE_TEST_SUITE_P(Ways, FabricProcesses, ::testing::Bool(), nameOfWay);

TEST_P(FabricProcesses, OperateOnEachOthersMemory) {
  for (uint64_t i = 0; i < 1'000; i++) {
    ASSERT_EQ(node_.run(kLink, request(Operation::fetchAdd, 8, i)), Outcome::done);
    ASSERT_EQ(*reinterpret_cast<uint64_t*>(here_->bytes().data()), i);
  }
  target_.line().tell(true);
  EXPECT_EQ(target_.line().hear<uint64_t>(), 1'000U);
  node_.close(kLink);
}

TEST_P(FabricProcesses, WhatIsOpenWhenTheTargetIsKilledEndsOnce) {
  std::set<uint64_t> open;
  uint64_t next = 0;
  std::array<Done, 64> done;
  auto poll = [&] {
    node_.worker().progress();
    size_t count = node_.memory().poll(done);
    for (const Done& each : std::span(done).first(count)) {
      EXPECT_EQ(open.erase(each.cookie), 1U) << "told of twice, or never posted";
    }
    return count;
  };
  while (node_.failureOf(kLink).empty()) {
    Request put = request(Operation::put, next % 2 == 0 ? 8 : 300'000, next);
    open.insert(next);  // before: it may be told of at once
    auto posted = node_.memory().post(kLink, std::span(&put, 1));
    if (!posted || *posted == 0) {
      open.erase(next);
    } else {
      next++;
    }
    if (next == 1'000) target_.kill();
    poll();
  }
  EXPECT_GE(next, 1'000U);
  node_.close(kLink);
  while (poll() != 0) {
  }
  EXPECT_TRUE(open.empty()) << open.size() << " operations were never told of";
  Request put = request(Operation::put, 8, next);
  EXPECT_EQ(node_.memory().post(kLink, std::span(&put, 1)).error().code, ENOTCONN);
}

// ------------------------------------------------------------------ writers that stop or die

constexpr size_t kLarge = 8 << 20;  // as much as the kernel's soft-RoCE moves at a time

/// The peer: puts 0xff through the key it is told as long as that goes, and tells how it ended.
void putForEver(const Line& line, bool mapping) {
  Node node(1, 101, {}, mapping);
  std::shared_ptr<Region> region = node.region(kLarge);
  std::memset(region->bytes().data(), 0xff, kLarge);
  line.tell(must(node.worker().create(node.memory(), linkWith(2, 202))));
  auto far = line.hear<Introduction>();
  must(node.worker().connect(kLink, far.end));
  node.worker().ready(kLink);
  line.tell(node.way(kLink).mapped);
  Request put{.local = region.get(), .key = far.key, .length = kLarge};
  Outcome outcome = Outcome::done;
  while (outcome == Outcome::done) outcome = node.run(kLink, put);
  line.tell(outcome);
  line.hear<char>();
}

/// The writer goes on meanwhile; nothing orders this look with what it places.
__attribute__((no_sanitize_thread)) bool isWritten(const std::byte* at) {
  return *at != std::byte{0};
}

class FabricWriters : public ::testing::TestWithParam<bool> {
 protected:
  FabricWriters()
      : writer_([](const Line& line) { putForEver(line, GetParam()); }),
        node_(2, 202, {}, GetParam()),
        region_(node_.region(kLarge)),
        key_(must(region_->share(0, kLarge, kRemotePut))) {
    auto far = writer_.line().hear<connect::LinkEnd>();
    writer_.line().tell(
        Introduction{must(node_.worker().create(node_.memory(), linkWith(1, 101))), key_});
    must(node_.worker().connect(kLink, far));
    node_.worker().ready(kLink);
    EXPECT_EQ(writer_.line().hear<bool>(), GetParam());
    while (!isWritten(&region_->bytes()[kLarge - 1])) node_.worker().progress();
  }
  bool isZero() const {
    return std::ranges::all_of(region_->bytes(), [](std::byte b) { return b == std::byte{0}; });
  }

  Folders folders_;
  Child writer_;
  Node node_;
  std::shared_ptr<Region> region_;
  RegionKey key_;
};

INSTANTIATE_TEST_SUITE_P(Ways, FabricWriters, ::testing::Bool(), nameOfWay);

/// It is stopped wherever it is; most of the time that is in the middle of a piece.
TEST_P(FabricWriters, OneThatIsStoppedAnywhereWritesNothingAfterItsKeyIsRevoked) {
  writer_.stop();
  must(region_->revoke(key_));
  std::memset(region_->bytes().data(), 0, kLarge);
  writer_.goOn();
  while (!writer_.line().heard()) node_.worker().progress();
  EXPECT_NE(writer_.line().hear<Outcome>(), Outcome::done);
  EXPECT_TRUE(isZero());
  node_.close(kLink);
  writer_.line().tell('q');
  EXPECT_EQ(writer_.wait(), 0);
}

/// Whoever closes links answers all peers' questions whether this node lives. With many links to
/// processes that are stopped at once it would stand still once for each.
TEST_P(FabricWriters, OneThatIsStoppedIsNotWaitedForByWhoClosesItsLink) {
  host::Lender* lender = node_.worker().domain().lending().lender();
  if (lender != nullptr) lender->waitForStragglers(UINT64_MAX);
  writer_.stop();
  std::future<void> begun = std::async(std::launch::async, [&] { node_.worker().close(kLink); });
  EXPECT_EQ(begun.wait_for(kPatience), std::future_status::ready);
  if (lender != nullptr) lender->waitForStragglers(0);
  node_.close(kLink);
  std::memset(region_->bytes().data(), 0, kLarge);
  must(region_->revoke(key_));
  writer_.goOn();
  while (!writer_.line().heard()) node_.worker().progress();
  EXPECT_NE(writer_.line().hear<Outcome>(), Outcome::done);
  EXPECT_TRUE(isZero());
  writer_.line().tell('q');
  EXPECT_EQ(writer_.wait(), 0);
}

TEST_P(FabricWriters, OneThatIsKilledIsNotInTheWay) {
  writer_.kill();
  must(region_->revoke(key_));
  std::memset(region_->bytes().data(), 0, kLarge);
  EXPECT_TRUE(isZero());
  node_.close(kLink);
}

}  // namespace
}  // namespace verbena::fabric::testing
