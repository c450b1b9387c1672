// SPDX-License-Identifier: Apache-2.0
//
// Lent memory is taken back from peers that are in the middle of a piece: those that are stopped
// there and go on later, and those that are killed.
#include <chrono>
#include <csignal>

#include "lending.h"

namespace verbena::host::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// A bound against hanging: what is waited for takes kStragglerNs, twice at most.
constexpr std::chrono::seconds kBounded{30};
constexpr size_t kPiece = 100'000;

/// The peer: writes half of a piece, stops, and goes on. It tells whether the piece counts, and
/// whether it gets another one.
void stopInTheMiddle(const Folders& folders, const Line& line) {
  auto told = line.hear<Told>();
  Borrower peer = peerOf(folders, told);
  LentPiece piece = peer.borrow(wish(told, 0, kPiece));
  EXPECT_TRUE(piece);
  std::memset(piece.memory(), 1, kPiece / 2);
  raise(SIGSTOP);
  std::memset(piece.memory(), 2, kPiece);
  line.tell(piece.release());
  line.tell(bool(peer.borrow(wish(told, 0, kPiece))));
  line.hear<char>();
}

class LentToAStraggler : public ::testing::Test {
 protected:
  LentToAStraggler()
      : child_([this](const Line& line) { stopInTheMiddle(folders_, line); }),
        owner_(folders_.path()),
        told_(owner_.told()) {
    child_.line().tell(told_);
    child_.awaitStop();
    EXPECT_EQ(owner_.count(1), kPiece / 2) << "it is in the middle";
  }
  /// The child goes on, in vain.
  void expectLeftBehind() {
    child_.goOn();
    EXPECT_FALSE(child_.line().hear<bool>());
    EXPECT_FALSE(child_.line().hear<bool>());
    child_.line().tell('q');
    EXPECT_EQ(child_.wait(), 0);
    EXPECT_EQ(owner_.count(1), kPiece / 2);
    EXPECT_EQ(owner_.count(2), 0U);
  }

  Folders folders_;
  Child child_;
  Owner owner_;
  Told told_;
};

TEST_F(LentToAStraggler, MemoryIsTakenBackInTimeAndStaysAsItWas) {
  Clock::time_point start = Clock::now();
  Lender::TakenBack back = owner_.lender->takeBack(kKey);
  EXPECT_EQ(back.code, 0);
  EXPECT_TRUE(back.replaced);
  EXPECT_LT(Clock::now() - start, kBounded);
  expectLeftBehind();
}

TEST_F(LentToAStraggler, OtherLoansOfTheSamePagesAreClosedAndThoseOfOthersStay) {
  constexpr size_t kApart = kBytes / 2;
  ASSERT_TRUE(owner_.lender->lend(2, owner_.all().first(8), kAll));
  ASSERT_TRUE(owner_.lender->lend(3, owner_.all().subspan(kApart), kAll));
  // The first was of all pages; so it is lent anew, of those that the child is at.
  Told second = owner_.told();
  Borrower peer = peerOf(folders_, second);
  EXPECT_TRUE(peer.borrow({2, kMayWrite, told_.address, 8}));
  EXPECT_EQ(owner_.lender->takeBack(kKey).code, 0);
  EXPECT_FALSE(peer.borrow({2, kMayWrite, told_.address, 8}));
  EXPECT_FALSE(peer.borrow({3, kMayWrite, told_.address + kApart, 8})) << "of those pages, too";
  EXPECT_EQ(owner_.lender->takeBack(2).code, 0);
  EXPECT_EQ(owner_.lender->takeBack(3).code, 0);
  std::shared_ptr<Segment> fresh = owner_.lender->allocate(4096);
  EXPECT_TRUE(owner_.lender->lend(4, {fresh->start(), 4096}, kAll)) << "new memory is as ever";
  owner_.lender->end(4);
  fresh->remove();
  expectLeftBehind();
}

TEST_F(LentToAStraggler, ADeskIsClosedInTimeAndTheMemoryRemembersIt) {
  Clock::time_point start = Clock::now();
  owner_.lender->closeDesk(told_.desk);
  EXPECT_LT(Clock::now() - start, kBounded);
  owner_.lender->giveUpDesk(told_.desk);
  EXPECT_EQ(owner_.lender->takeBack(kKey).code, 0);
  expectLeftBehind();
}

TEST_F(LentToAStraggler, ShuttingADeskDoesNotWait) {
  owner_.lender->waitForStragglers(UINT64_MAX);
  owner_.lender->shutDesk(told_.desk);
  EXPECT_FALSE(owner_.lender->isLeft(told_.desk)) << "it is in the middle";
  owner_.lender->waitForStragglers(0);
  EXPECT_TRUE(owner_.lender->isLeft(told_.desk)) << "it is left behind";
  owner_.lender->giveUpDesk(told_.desk);
  EXPECT_EQ(owner_.lender->takeBack(kKey).code, 0);
  expectLeftBehind();
}

TEST_F(LentToAStraggler, MemoryThatIsFreedIsNotWrittenTo) {
  owner_.lender->end(kKey);
  owner_.segment->remove();
  owner_.segment = owner_.lender->allocate(kBytes);
  ASSERT_TRUE(owner_.lender->lend(kKey, owner_.all(), kAll)) << "under the same key";
  child_.goOn();
  EXPECT_FALSE(child_.line().hear<bool>());
  child_.line().hear<bool>();
  child_.line().tell('q');
  EXPECT_EQ(child_.wait(), 0);
  EXPECT_EQ(owner_.count(0), kBytes);
}

TEST_F(LentToAStraggler, WhoIsKilledIsNotWaitedForAndCostsNoPages) {
  std::unique_ptr<Lender> guest = must(Lender::open(folders_.path()));
  owner_.lender->seat(told_.desk, guest->name());
  guest.reset();
  child_.kill();
  EXPECT_EQ(owner_.lender->takeBack(kKey).code, 0);
  EXPECT_TRUE(owner_.segment->isShared({0, 4096}));
  EXPECT_TRUE(owner_.lender->lend(kKey, owner_.all(), kAll));
}

}  // namespace
}  // namespace verbena::host::testing
