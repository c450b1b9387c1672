// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations between two processes, one of which dies or stands still.
#include <sys/wait.h>

#include <cstring>
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
void serve(const Line& line) {
  Node node(2, 202);
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

class FabricProcesses : public ::testing::Test {
 protected:
  FabricProcesses() : target_(serve), node_(1, 101) {
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

TEST_F(FabricProcesses, OperateOnEachOthersMemory) {
  for (uint64_t i = 0; i < 1'000; i++) {
    ASSERT_EQ(node_.run(kLink, request(Operation::fetchAdd, 8, i)), Outcome::done);
    ASSERT_EQ(*reinterpret_cast<uint64_t*>(here_->bytes().data()), i);
  }
  target_.line().tell(true);
  EXPECT_EQ(target_.line().hear<uint64_t>(), 1'000U);
  node_.close(kLink);
}

TEST_F(FabricProcesses, WhatIsOpenWhenTheTargetIsKilledEndsOnce) {
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

}  // namespace
}  // namespace verbena::fabric::testing
