// SPDX-License-Identifier: Apache-2.0
//
// What is lent to whom, and what is not.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <vector>

#include "lending.h"
#include "softnic/memory/memory.h"

namespace verbena::host::testing {
namespace {

class Loans : public ::testing::Test {
 protected:
  bool grants(const Borrower::Wish& asked) { return bool(peer_.borrow(asked)); }

  Folders folders_;
  Owner owner_{folders_.path()};
  Told told_ = owner_.told();
  Borrower peer_ = peerOf(folders_, told_);
};

TEST_F(Loans, ArePlacesInTheOwnersMemory) {
  LentPiece piece = peer_.borrow(wish(told_, 4000, 200));
  ASSERT_TRUE(piece);
  std::memset(piece.memory(), 7, 200);
  EXPECT_TRUE(piece.release());
  EXPECT_EQ(owner_.count(7), 200U);
  EXPECT_EQ(owner_.all()[4000], std::byte{7});
}

TEST_F(Loans, AreGrantedAsTheyAreAndNoFurther) {
  EXPECT_TRUE(grants(wish(told_, 0, kBytes)));
  EXPECT_TRUE(grants(wish(told_, kBytes - 1, 1)));
  EXPECT_FALSE(grants(wish(told_, kBytes - 1, 2)));
  EXPECT_FALSE(grants(wish(told_, UINT64_MAX, 2))) << "before the start";
  EXPECT_FALSE(grants(wish(told_, 8, UINT64_MAX)));
  ASSERT_TRUE(owner_.lender->lend(99, owner_.all().subspan(4096, 4096), kMayRead));
  Borrower::Wish read{99, kMayRead, told_.address + 4096, 4096};
  EXPECT_TRUE(grants(read));
  EXPECT_FALSE(grants({99, kMayWrite, read.address, 1}));
  EXPECT_FALSE(grants({99, kMayRead, read.address - 1, 1}));
  EXPECT_FALSE(grants({99, kMayRead, read.address, 4097}));
  EXPECT_EQ(owner_.lender->takeBack(99).code, 0);
  EXPECT_FALSE(grants(read));
  EXPECT_EQ(owner_.lender->takeBack(99).code, 0) << "it is back";
}

TEST_F(Loans, AreGrantedToNobodyWithAnotherKey) {
  for (uint32_t bit = 0; bit < 32; bit++) {
    Borrower::Wish asked = wish(told_, 0, 8);
    asked.key ^= 1U << bit;
    EXPECT_FALSE(grants(asked)) << bit;
  }
  EXPECT_FALSE(grants({0, kMayWrite, told_.address, 8}));
}

TEST_F(Loans, AreGrantedAtAnOpenDeskAlone) {
  DeskNumber former = told_.desk;
  former.life++;
  Borrower stranger = peerOf(folders_, {told_.book, former, told_.address});
  EXPECT_FALSE(stranger.borrow(wish(told_, 0, 8))) << "of another life";
  owner_.lender->closeDesk(told_.desk);
  EXPECT_FALSE(grants(wish(told_, 0, 8)));
  owner_.lender->giveUpDesk(told_.desk);
  Told next = owner_.told();
  EXPECT_EQ(next.desk.place, told_.desk.place);
  EXPECT_FALSE(grants(wish(told_, 0, 8))) << "it is another one's";
  EXPECT_TRUE(peerOf(folders_, next).borrow(wish(next, 0, 8)));
}

TEST_F(Loans, AreOfMemoryThatPeersCanMap) {
  std::vector<std::byte> own(4096);
  EXPECT_FALSE(owner_.lender->lend(5, own, kAll));
  std::unique_ptr<Lender> other = must(Lender::open(folders_.path()));
  std::shared_ptr<Segment> theirs = other->allocate(4096);
  EXPECT_FALSE(owner_.lender->lend(5, {theirs->start(), 4096}, kAll)) << "of another space";
  EXPECT_TRUE(other->lend(5, {theirs->start(), 4096}, kAll));
  other->end(5);
  theirs->remove();
}

TEST_F(Loans, MayBeSoManyAsThereArePlacesForTheirKeys) {
  std::vector<uint32_t> same;
  for (uint32_t key = 1; same.size() <= kLoanProbes; key++) {
    if (placeOf(key, 0) == placeOf(1, 0)) same.push_back(key);
  }
  for (uint32_t i = 0; i < kLoanProbes; i++) {
    EXPECT_TRUE(owner_.lender->lend(same[i], owner_.all().first(8 * i + 8), kAll));
  }
  EXPECT_FALSE(owner_.lender->lend(same.back(), owner_.all(), kAll)) << "there is no place";
  for (uint32_t i = 0; i < kLoanProbes; i++) {
    EXPECT_TRUE(grants({same[i], kMayWrite, told_.address, 8 * i + 8}));
    EXPECT_FALSE(grants({same[i], kMayWrite, told_.address, 8 * i + 9}));
  }
  owner_.lender->end(same[0]);
  EXPECT_TRUE(grants({same[1], kMayWrite, told_.address, 8})) << "behind a free place";
  EXPECT_TRUE(owner_.lender->lend(same.back(), owner_.all(), kAll));
  for (uint32_t key : same) owner_.lender->end(key);
}

TEST_F(Loans, FindPlacesUntilMostOfTheBookIsFull) {
  std::mt19937 numbers(17);
  uint32_t lent = 0;
  while (owner_.lender->lend(static_cast<uint32_t>(numbers()), owner_.all().first(8), kMayRead))
    lent++;
  EXPECT_GT(lent, kLoans * 7 / 10);
}

TEST_F(Loans, DesksAreFiniteAndComeBack) {
  std::vector<DeskNumber> all;
  while (auto desk = owner_.lender->openDesk()) all.push_back(*desk);
  EXPECT_EQ(all.size(), kDesks - 1);
  owner_.lender->closeDesk(all.back());
  owner_.lender->giveUpDesk(all.back());
  owner_.lender->giveUpDesk(all.back());  // once
  EXPECT_TRUE(owner_.lender->openDesk());
  EXPECT_FALSE(owner_.lender->openDesk());
}

TEST_F(Loans, AreWaitedForWhileSomebodyIsAtWork) {
  std::optional<LentPiece> piece;
  piece.emplace(peer_.borrow(wish(told_, 0, 8)));
  ASSERT_TRUE(*piece);
  std::atomic<bool> back{false};
  std::jthread owner([&] {
    EXPECT_EQ(owner_.lender->takeBack(kKey).code, 0);
    back = true;
  });
  Told other = owner_.told();
  Borrower second = peerOf(folders_, other);
  while (second.borrow(wish(other, 0, 8))) std::this_thread::yield();  // it has begun
  EXPECT_FALSE(back);
  bool kept = piece->release();
  owner.join();
  EXPECT_TRUE(kept || back) << "in time, or taken away";
  EXPECT_TRUE(back);
}

/// By somebody who lends nothing there, as the agent of a job.
TEST(LeftoversOfLenders, GoFromTheFolderOfThisUserAlone) {
  Folders folders;
  auto leave = [&] {
    std::ofstream(folders.path() + "/book-0123456789abcdef") << "of a process that has died";
    std::ofstream(folders.path() + "/seg-1-0123456789abcdef") << "likewise";
  };
  leave();
  std::filesystem::permissions(folders.path(), std::filesystem::perms(0755));
  Lender::removeLeftovers(folders.path());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folders.path()), {}), 2);
  std::filesystem::permissions(folders.path(), std::filesystem::perms(0700));
  Lender::removeLeftovers(folders.path());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folders.path()), {}), 1)
      << "its lock";
  Lender::removeLeftovers(folders.path() + "/none");
  EXPECT_FALSE(std::filesystem::exists(folders.path() + "/none"));
}

TEST(TwofoldSegments, AreClosedByEitherUser) {
  Folders folders;
  softnic::testing::End end;
  std::string folder = folders.path() + "/lent";  // each owner of segments has one
  std::unique_ptr<Lender> lender = must(Lender::open(folder));
  std::span<std::byte> memory = end.buffer;
  ASSERT_TRUE(lender->lend(7, memory, kAll));
  Told told{lender->name(), lender->openDesk().value(), reinterpret_cast<uintptr_t>(memory.data())};
  Borrower peer = Borrower::open(folder, told.book, told.desk).value();
  EXPECT_TRUE(peer.borrow({7, kMayWrite, told.address, 8}));
  static_cast<softnic::MemoryRegion*>(end.region->get())->straggler = true;
  end.region.reset();  // softnic takes its pages back
  EXPECT_FALSE(peer.borrow({7, kMayWrite, told.address, 8}));
  EXPECT_FALSE(lender->lend(8, memory, kAll)) << "it is not shared any more";
  lender->end(7);
}

TEST(Books, OfTheDeadAreSweptAway) {
  Folders folders;
  Child child([&](const Line& line) {
    Owner owner(folders.path());
    line.tell(owner.told());
    line.hear<char>();
  });
  auto told = child.line().hear<Told>();
  Borrower peer = peerOf(folders, told);
  EXPECT_FALSE(peer.ownerGone());
  auto files = [&] {
    auto all = std::filesystem::directory_iterator(folders.path());
    return std::count_if(begin(all), end(all),
                         [](auto& entry) { return entry.path().filename() != "lock"; });
  };
  EXPECT_EQ(files(), 2) << "a book and a segment";
  child.kill();
  EXPECT_TRUE(peer.ownerGone());
  EXPECT_FALSE(Borrower::open(folders.path(), told.book, told.desk));
  EXPECT_EQ(errno, EOWNERDEAD);
  std::unique_ptr<Lender> next = must(Lender::open(folders.path()));
  EXPECT_EQ(files(), 1);
  next.reset();
  EXPECT_EQ(files(), 0);
}

TEST(Books, InAFolderThatOthersSeeAreRefused) {
  Folders folders;
  std::filesystem::permissions(folders.path(), std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  auto refused = Lender::open(folders.path());
  EXPECT_EQ(refused.error().code, EPERM);
}

}  // namespace
}  // namespace verbena::host::testing
