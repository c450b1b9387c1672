// SPDX-License-Identifier: Apache-2.0
//
// When a far side may write into this process: on a device that is made up.
#include "fake_provider.h"
#include "sides.h"
#include "verbs/survey.h"

namespace verbena::streams::testing {
namespace {

using verbs::testing::FakeProvider;
using verbs::testing::QpChange;

/// What the queue pair lets the far side do after all changes.
unsigned accessOf(const FakeProvider& fake) {
  unsigned access = 0;
  for (const QpChange& change : fake.qpChanges) {
    if ((change.mask & IBV_QP_ACCESS_FLAGS) != 0) access = change.attributes.qp_access_flags;
  }
  return access;
}

TEST(Grants, AFarSideMayWriteFromItsFirstKeyOn) {
  FakeProvider fake({{.name = "fake0"}});
  std::vector<base::Result<const verbs::Provider*>> providers = {&fake.provider()};
  auto engine = must(Engine::open(must(verbs::select(verbs::survey(providers), {})), small(1)));
  connect::LinkEnd end = must(engine->create({7, 2, kStreams}));
  must(engine->connect(7, end));
  engine->ready(7);
  EXPECT_EQ(accessOf(fake), 0U) << "nothing is granted";
  auto replica = must(engine->allocateReplica(4096));
  must(engine->grant(*replica, 0));
  EXPECT_EQ(accessOf(fake), unsigned{IBV_ACCESS_REMOTE_WRITE});
  EXPECT_EQ(fake.lastQpMask, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS);
  EXPECT_EQ(fake.lastQpAttributes.qp_state, IBV_QPS_RTS);
  size_t changes = fake.qpChanges.size();
  must(engine->grant(*replica, 0));
  EXPECT_EQ(fake.qpChanges.size(), changes) << "it may already";
}

}  // namespace
}  // namespace verbena::streams::testing
