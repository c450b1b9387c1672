// SPDX-License-Identifier: Apache-2.0
//
// An end goes where there is no memory left: its process goes on, the far end hears of it, and
// nothing stays behind.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <tuple>

#include "../softnic/scarce_memory.h"
#include "base/survive.h"
#include "channels.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::piecesLeft;
using softnic::testing::piecesLeftToAll;

/// Whether the ends share memory, and how many pieces of it are left.
using Scarcity = std::tuple<bool, int>;

class NoMemory : public softnic::testing::OfScarceMemory<::testing::TestWithParam<Scarcity>> {
 protected:
  NoMemory() { one_.knows(two_); }

  static int pieces() { return std::get<int>(GetParam()); }
  std::string rings() const { return folders_.path() + "/rings"; }
  Place place() const { return {.share = std::get<bool>(GetParam()), .folder = rings()}; }

  void open() {
    reader_ = must(two_.channels().openReader(kNumber, kCapacity));
    writer_ = must(one_.channels().openWriter(2, kNumber, kPatience));
    ASSERT_EQ(writer_->push(bytesOf("the last word"), kPatience), Outcome::done);
    ASSERT_EQ(writer_->flush(kPatience), Outcome::done);
  }
  /// This thread has no memory for that.
  template <typename End>
  static void letGo(std::unique_ptr<End>& end) {
    piecesLeft = pieces();
    end.reset();
    piecesLeft = -1;
  }
  template <typename Holds>
  bool eventually(Holds holds) {
    for (auto end = Channels::Clock::now() + kPatience; Channels::Clock::now() < end;) {
      base::survive([&] { one_.channels().drive(); });
      base::survive([&] { two_.channels().drive(); });
      if (holds()) return true;
      std::this_thread::yield();
    }
    return false;
  }
  bool leavesNothing() {
    return eventually([&] { return filesIn(rings(), "ring-") == 0; });
  }
  bool areLinked() {
    return one_.node().manager().find(2, {kChannels, kNumber}) != 0 ||
           two_.node().manager().find(1, {kChannels, kNumber}) != 0;
  }

  Folders folders_;
  ChannelNode one_{1, place()};
  ChannelNode two_{2, place()};
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;
};

INSTANTIATE_TEST_SUITE_P(AfterPieces, NoMemory,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(0, 1, 2, 3, 5)),
                         [](const auto& scarcity) {
                           return std::string(std::get<bool>(scarcity.param) ? "Shared"
                                                                             : "Device") +
                                  std::to_string(std::get<int>(scarcity.param));
                         });

TEST_P(NoMemory, AReaderHearsThatItsWriterHasGone) {
  open();
  letGo(writer_);
  std::span<const std::byte> message;
  ASSERT_EQ(reader_->peek(message, kPatience), Outcome::done);
  EXPECT_EQ(textOf(message), "the last word");
  reader_->release();
  EXPECT_TRUE(eventually([&] { return reader_->peek(message) == Outcome::lost; }));
  EXPECT_NE(reader_->lostBecause().find("node 1 closed: "), std::string::npos)
      << reader_->lostBecause();
  reader_.reset();
  EXPECT_TRUE(leavesNothing());
}

TEST_P(NoMemory, AWriterHearsThatItsReaderHasGone) {
  open();
  letGo(reader_);
  std::byte* at = nullptr;
  EXPECT_TRUE(eventually([&] { return writer_->claim(1, at) == Outcome::lost; }));
  EXPECT_NE(writer_->lostBecause().find("node 2 closed: "), std::string::npos)
      << writer_->lostBecause();
  writer_.reset();
  EXPECT_TRUE(leavesNothing());
}

TEST_P(NoMemory, AReaderThatNobodyHasFoundGoes) {
  reader_ = must(two_.channels().openReader(kNumber, kCapacity));
  letGo(reader_);
  EXPECT_TRUE(leavesNothing());
}

/// Neither this thread nor those which end the links have any.
TEST_P(NoMemory, BothEndsGoAndLeaveNothing) {
  open();
  piecesLeftToAll = pieces();
  writer_.reset();
  reader_.reset();
  bool haveEnded = eventually([&] { return !areLinked(); });
  piecesLeftToAll = -1;
  EXPECT_TRUE(haveEnded);
  EXPECT_TRUE(leavesNothing());
}

}  // namespace
}  // namespace verbena::fifo::testing
