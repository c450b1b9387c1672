// SPDX-License-Identifier: Apache-2.0
//
// Memory that peers map and an adapter knows: one that is made up, with pages pinned as it were.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

#include "../softnic/processes.h"
#include "fabric/domain.h"
#include "fabric/region.h"
#include "fake_provider.h"
#include "host/borrower.h"
#include "host/segment.h"
#include "verbs/selection.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::Child;
using softnic::testing::Line;
using softnic::testing::must;

constexpr size_t kBytes = 1 << 20;
constexpr size_t kPiece = 8192;

struct Told {
  uint64_t book;
  host::DeskNumber desk;
  RegionKey key;
};

/// A peer that stops in the middle of a piece, and tells whether it counts when it goes on.
void stopInTheMiddle(const Line& line) {
  auto told = line.hear<Told>();
  auto peer = host::Borrower::open(host::Lender::defaultFolder(), told.book, told.desk).value();
  auto piece = peer.borrow({told.key.rkey, kRemotePut, told.key.address, kPiece});
  EXPECT_TRUE(piece);
  std::memset(piece.memory(), 1, kPiece / 2);
  raise(SIGSTOP);
  std::memset(piece.memory(), 2, kPiece);
  line.tell(piece.release());
  line.hear<char>();
}

verbs::Selection portOf(const verbs::testing::FakeProvider& fake) {
  const base::Result<const verbs::Provider*> providers[] = {&fake.provider()};
  return must(verbs::select(verbs::survey(providers), {.device = "mlx5_0"}));
}

class OverAnAdapter : public ::testing::Test {
 protected:
  OverAnAdapter()
      : child_(stopInTheMiddle),
        fake_({{.name = "mlx5_0"}}),
        domain_(must(Domain::open(portOf(fake_)))),
        region_(must(Region::allocate(domain_, {1, 11}, kBytes))) {}

  int64_t calls(const std::string& name) const { return std::ranges::count(fake_.log, name); }

  Child child_;
  verbs::testing::FakeProvider fake_;
  std::shared_ptr<const Domain> domain_;
  std::shared_ptr<Region> region_;
};

TEST_F(OverAnAdapter, AllocatedMemoryCanBeMappedAllTheSame) {
  EXPECT_NE(host::SegmentTable::ofProcess().find(region_->bytes().data(), kBytes), nullptr);
  EXPECT_FALSE(domain_->lending().deviceIsProcess());
  std::byte* memory = region_->bytes().data();
  region_.reset();
  EXPECT_EQ(host::SegmentTable::ofProcess().find(memory, 1), nullptr);
}

/// The adapter has the former pages: what it knows of them is taken from it.
TEST_F(OverAnAdapter, IsToldOfPagesThatWereReplacedUnderAPeerThatHasStopped) {
  RegionKey key = must(region_->share(0, kPiece, kRemotePut));
  must(region_->share(kPiece - 8, 16, kRemoteGet));
  RegionKey apart = must(region_->share(kBytes / 2, 64, kRemoteGet));
  host::Lender& lender = *domain_->lending().lender();
  child_.line().tell(Told{lender.name(), lender.openDesk().value(), key});
  child_.awaitStop();
  EXPECT_EQ(region_->bytes()[0], std::byte{1}) << "it is in the middle";
  uint32_t lkey = region_->lkey();
  ASSERT_EQ(calls("reg_mr"), 4);
  must(region_->revoke(key));
  EXPECT_EQ(calls("reg_mr"), 5);
  EXPECT_EQ(calls("dereg_mr"), 3) << "the key's, that of the part with the same page, and ours";
  EXPECT_NE(region_->lkey(), lkey);
  child_.goOn();
  EXPECT_FALSE(child_.line().hear<bool>());
  EXPECT_EQ(region_->bytes()[0], std::byte{1});
  EXPECT_EQ(region_->bytes()[kPiece - 1], std::byte{0});
  must(region_->revoke(apart));
  EXPECT_EQ(calls("reg_mr"), 5) << "once";
  child_.line().tell('q');
  EXPECT_EQ(child_.wait(), 0);
}

/// Memory that is registered may be a part of allocated memory, which stays when its region goes.
TEST_F(OverAnAdapter, MemoryOfARegionThatGoesIsWrittenByNobodyWhoHasStopped) {
  auto part = must(Region::registerForeign(domain_, {1, 11}, region_->bytes().first(kPiece)));
  RegionKey key = must(part->share(0, kPiece, kRemotePut));
  host::Lender& lender = *domain_->lending().lender();
  child_.line().tell(Told{lender.name(), lender.openDesk().value(), key});
  child_.awaitStop();
  uint32_t lkey = region_->lkey();
  part.reset();
  EXPECT_NE(region_->lkey(), lkey) << "the adapter knows the other region's new pages";
  child_.goOn();
  EXPECT_FALSE(child_.line().hear<bool>());
  EXPECT_EQ(region_->bytes()[kPiece - 1], std::byte{0}) << "what it wrote when it went on";
  child_.line().tell('q');
  EXPECT_EQ(child_.wait(), 0);
}

}  // namespace
}  // namespace verbena::fabric::testing
