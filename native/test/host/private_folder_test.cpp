// SPDX-License-Identifier: Apache-2.0
//
// Who waits for the lock of a folder, and for how long.
#include "host/private_folder.h"

#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>
#include <vector>

#include "../softnic/processes.h"

namespace verbena::host::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Child;
using softnic::testing::Folders;
using softnic::testing::Line;
using Time = TurnPatience::Clock::time_point;

TEST(NamesOfFiles, AreOursWhereTheyHaveOurForm) {
  EXPECT_TRUE(isOfForm("port-0", "port-#"));
  EXPECT_TRUE(isOfForm("port-4095", "port-#"));
  EXPECT_TRUE(isOfForm("seg-12-0123456789abcdef", "seg-#-$"));
  EXPECT_TRUE(isOfForm("ring-1-22-0123456789abcdef-fedcba9876543210", "ring-#-#-$-$"));
  for (const char* name : {"", "port-", "port-x", "port-1x", "xport-1", "port", "port-1-"}) {
    EXPECT_FALSE(isOfForm(name, "port-#")) << name;
  }
  for (const char* name : {"seg-notes.txt", "seg-1-0123456789abcde", "seg-1-0123456789abcdef0",
                           "seg-1-0123456789ABCDEF", "seg--0123456789abcdef"}) {
    EXPECT_FALSE(isOfForm(name, "seg-#-$")) << name;
  }
}

TEST(Turns, AreWaitedForAsLongAsTheyGoRound) {
  TurnPatience patience(5s);
  Time start = TurnPatience::Clock::now();
  for (unsigned turn = 0; turn < 100; turn++) {
    EXPECT_FALSE(patience.isOver(turn, start + turn * 4s));
    EXPECT_FALSE(patience.isOver(turn, start + turn * 4s + 3s));
  }
  EXPECT_FALSE(patience.isOver(99, start + 99 * 4s + 4s));
  EXPECT_TRUE(patience.isOver(99, start + 99 * 4s + 5s));
}

TEST(LockOfAFolder, IsWaitedForByAllWhoComeAtOnce) {
  Folders folders;
  constexpr int kProcesses = 8;
  constexpr auto kEach = 900ms;  // more than its patience in all
  std::vector<std::unique_ptr<Child>> children;
  for (int i = 0; i < kProcesses; i++) {
    children.push_back(std::make_unique<Child>([&](const Line& line) {
      line.hear<bool>();
      FolderLock lock(folders.path());
      EXPECT_TRUE(lock);
      std::this_thread::sleep_for(kEach);
    }));
  }
  for (const auto& each : children) each->line().tell(true);
  for (const auto& each : children) EXPECT_EQ(each->wait(), 0);
}

TEST(LockOfAFolder, IsHeldThoughThereIsNoRoomInIt) {
  Folders folders;
  Child child([&](const Line&) {
    rlimit none{};  // a write would end this process
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
    EXPECT_TRUE(FolderLock(folders.path()));
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST(LockOfAFolder, IsNotWaitedForIfWhoHasItStandsStill) {
  Folders folders;
  Child child([&](const Line& line) {
    FolderLock lock(folders.path());
    line.tell(static_cast<bool>(lock));
    line.hear<bool>();
  });
  ASSERT_TRUE(child.line().hear<bool>());
  FolderLock lock(folders.path());
  ASSERT_FALSE(lock);
  EXPECT_EQ(errno, ETIMEDOUT);
  EXPECT_NE(whyNotLocked(folders.path()), "");
  child.kill();
  EXPECT_TRUE(FolderLock(folders.path()));
}

}  // namespace
}  // namespace verbena::host::testing
