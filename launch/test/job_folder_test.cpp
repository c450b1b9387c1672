// SPDX-License-Identifier: Apache-2.0
//
// The folder of a job, where others remove folders that nobody uses.
#include "job_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include "guard.h"
#include "job/contract.h"

namespace {

thread_local std::function<void()> beforeLock;
thread_local std::function<void()> afterLock;

void once(std::function<void()>& step) {
  if (auto taken = std::exchange(step, nullptr)) taken();
}

}  // namespace

/// The C library's, with a place to stop on either side of it.
extern "C" int flock(int fd, int operation) noexcept {
  once(beforeLock);
  long status = syscall(SYS_flock, fd, operation);
  if (status == 0) once(afterLock);
  return static_cast<int>(status);
}

namespace verbena::launch {
namespace {

namespace fs = std::filesystem;

class JobFolders : public ::testing::Test {
 protected:
  JobFolders() : parent_(fs::temp_directory_path() / ("vbn-folders-" + std::to_string(getpid()))) {
    fs::create_directory(parent_);
    setenv("VERBENA_RUN_FOLDER", parent_.c_str(), 1);
  }
  ~JobFolders() override {
    unsetenv("VERBENA_RUN_FOLDER");
    fs::remove_all(parent_);
  }

  const fs::path parent_;
};

using JobFoldersNightly = JobFolders;

/// A process that was started as a rank of the job that has this folder.
class Rank {
 public:
  explicit Rank(const std::string& folder) {
    std::string marked = std::string(job::kFolder) + "=" + folder;
    const char* arguments[] = {"sleep", "600", nullptr};
    const char* variables[] = {marked.c_str(), nullptr};
    EXPECT_EQ(posix_spawnp(&pid_, "sleep", nullptr, nullptr, const_cast<char**>(arguments),
                           const_cast<char**>(variables)),
              0);
    // The kernel shows a new program's variables a moment after it has begun.
    std::string environment = "/proc/" + std::to_string(pid_) + "/environ";
    for (std::string shown; pid_ != 0 && shown != marked;) {
      std::ifstream file(environment);
      std::getline(file, shown, '\0');
    }
  }
  ~Rank() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  /// One that was killed ends a moment later.
  bool hasEnded() const {
    constexpr int kLooks = 60'000;
    for (int look = 0; lives() && look < kLooks; look++) usleep(1'000);
    return !lives();
  }
  bool lives() const {
    siginfo_t end = {};
    return waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           end.si_pid == 0;
  }

 private:
  pid_t pid_ = 0;
};

TEST_F(JobFolders, GoWithTheirRanksWhenNobodyUsesThem) {
  std::string used = *newFolderName();
  auto held = makeFolder(used);
  ASSERT_TRUE(held) << held.error().sentence();
  Rank living(used);
  std::string left = *newFolderName();
  ASSERT_TRUE(makeFolder(left));
  Rank leftBehind(left);
  removeUnusedFolders();
  EXPECT_TRUE(fs::exists(used));
  EXPECT_TRUE(living.lives());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(leftBehind.hasEnded());
}

TEST_F(JobFolders, AreTheSameHoweverTheirParentIsSpelled) {
  setenv("VERBENA_RUN_FOLDER", (parent_ / "." / "").c_str(), 1);
  std::string left = *newFolderName();
  ASSERT_TRUE(makeFolder(left));
  Rank leftBehind(left);
  setenv("VERBENA_RUN_FOLDER", parent_.c_str(), 1);
  removeUnusedFolders();
  EXPECT_TRUE(leftBehind.hasEnded());
}

TEST_F(JobFolders, ThatWereLeftHalfMadeGoToo) {
  fs::create_directory(parent_ / ".verbena-job-1.0");
  fs::create_directory(parent_ / ".verbena-job-12.3");
  removeIfUnused(parent_ / "verbena-job-12");
  EXPECT_TRUE(fs::exists(parent_ / ".verbena-job-1.0"));
  EXPECT_FALSE(fs::exists(parent_ / ".verbena-job-12.3"));
  removeUnusedFolders();
  EXPECT_TRUE(fs::is_empty(parent_));
}

/// The owner stops between making its folder and locking it. Another agent locks it, and goes on
/// removing it only when the owner's job runs.
TEST_F(JobFolders, StayThoughAnotherTookThemForUnusedWhileTheyWereMade) {
  std::latch isMade(1);
  std::latch isTaken(1);
  std::latch isRunning(1);
  std::thread other([&] {
    isMade.wait();
    afterLock = [&] {
      isTaken.count_down();
      isRunning.wait();
    };
    removeUnusedFolders();
    if (afterLock) isTaken.count_down();  // it found nothing to take
  });
  beforeLock = [&] {
    isMade.count_down();
    isTaken.wait();
  };
  std::string path = *newFolderName();
  auto held = makeFolder(path);
  std::ofstream(path + "/" + job::kKeyName) << "secret";
  Rank rank(path);
  isRunning.count_down();
  other.join();
  EXPECT_TRUE(held) << held.error().sentence();
  EXPECT_TRUE(fs::exists(path + "/" + job::kKeyName));
  EXPECT_TRUE(rank.lives());
}

TEST_F(JobFolders, AreLeftToWhoUsesThem) {
  std::string path = *newFolderName();
  auto held = makeFolder(path);
  ASSERT_TRUE(held) << held.error().sentence();
  removeIfUnused(path);
  EXPECT_TRUE(fs::exists(path));
  removeFolder(path, std::move(*held));
  EXPECT_FALSE(fs::exists(path));
}

/// Whoever made the folder, and has let it pass because it was held, is not there any more.
TEST_F(JobFolders, ThatAGuardHasTakenForUnusedItRemovesThoughItIsToEnd) {
  fs::path halfMade = parent_ / ".verbena-job-1.0";
  fs::create_directory(halfMade);
  pid_t guard = fork();
  if (guard == 0) {
    afterLock = [] { raise(SIGTERM); };
    guarded([](const Guarded&) { return 0; });
    _exit(afterLock ? 1 : 0);
  }
  int status = -1;
  waitpid(guard, &status, 0);
  EXPECT_EQ(status, 0) << "it was ended, or took nothing";
  EXPECT_FALSE(fs::exists(halfMade));
}

TEST_F(JobFolders, ThatCannotBeMadeAreNamed) {
  setenv("VERBENA_RUN_FOLDER", (parent_ / "no-such").c_str(), 1);
  auto none = makeFolder(*newFolderName());
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().sentence().find("/no-such/verbena-job-"), std::string::npos);
}

/// Hundreds of launches side by side.
TEST_F(JobFoldersNightly, StayWhileOthersRemoveWhatIsUnused) {
  std::atomic<bool> isOver = false;
  std::vector<std::thread> others;
  for (int other = 0; other < 3; other++) {
    others.emplace_back([&] {
      while (!isOver) removeUnusedFolders();
    });
  }
  int lost = 0;
  for (int launch = 0; launch < 1000; launch++) {
    std::string path = *newFolderName();
    auto held = makeFolder(path);
    if (!held) {
      ADD_FAILURE() << held.error().sentence();
      break;
    }
    std::ofstream(path + "/" + job::kKeyName) << "secret";
    usleep(500);  // those that took it for unused have come to their end
    if (!fs::exists(path + "/" + job::kKeyName)) lost++;
    removeFolder(path, std::move(*held));
  }
  isOver = true;
  for (std::thread& other : others) other.join();
  EXPECT_EQ(lost, 0);
  EXPECT_TRUE(fs::is_empty(parent_));
}

}  // namespace
}  // namespace verbena::launch
