// SPDX-License-Identifier: Apache-2.0
//
// Ranks by PMIx, with a libpmix that is made up. With that of a system: launch/test/mpirun.sh.
#include "job/pmix.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "fake/fake_pmix.h"
#include "job/contract.h"
#include "job/job.h"
#include "job/key_file.h"
#include "named_variables.h"

namespace verbena::job {
namespace {

using namespace std::chrono_literals;

class Pmix : public ::testing::Test {
 protected:
  Pmix() {
    void* library = dlopen(VERBENA_FAKE_PMIX, RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    be_ = reinterpret_cast<FakePmixBe>(dlsym(library, "fake_pmix_be"));
    fake_ = &reinterpret_cast<FakePmixReset>(dlsym(library, "fake_pmix_reset"))();
    fake_->size = 3;
    fake_->localSize = 3;
    be_(0);
  }

  std::string refusal() {
    auto job = Job::open(variables(named_));
    return job ? "" : job.error().sentence();
  }

  /// Rank `rank` of a job of threads, which publish and learn. Returns its key, or what went wrong.
  std::string run(uint32_t rank, const Named& named) {
    be_(rank);
    auto job = Job::open(variables(named));
    if (!job) return job.error().sentence();
    EXPECT_EQ((*job)->place().rank, rank);
    EXPECT_EQ((*job)->place().localRank, rank);
    std::string text = std::to_string(rank);
    auto published = (*job)->publish(std::as_bytes(std::span(text)));
    if (!published) return published.error().sentence();
    auto all = (*job)->awaitAll(patience_);
    if (!all) return all.error().sentence();
    std::lock_guard lock(mutex_);
    ids_.insert((*job)->place().id);
    return (*job)->key();
  }

  /// What each of three ranks says.
  std::multiset<std::string> runAll(const std::array<Named, 3>& named) {
    std::multiset<std::string> said;
    std::vector<std::thread> ranks;
    for (uint32_t rank = 0; rank < 3; rank++) {
      ranks.emplace_back([&, rank] {
        std::string text = run(rank, named[rank]);
        std::lock_guard lock(mutex_);
        said.insert(text);
      });
    }
    for (std::thread& rank : ranks) rank.join();
    return said;
  }

  Named named_{{"PMIX_RANK", "0"},
               {"PMIX_NAMESPACE", "made up"},
               {kPmixLibrary, VERBENA_FAKE_PMIX},
               {kStartTimeout, "60"}};
  FakePmixBe be_ = nullptr;
  FakePmix* fake_ = nullptr;
  std::mutex mutex_;
  std::set<std::string> ids_;
  std::chrono::nanoseconds patience_ = 120s;
};

TEST_F(Pmix, HandsOutOneFreshKeyAndName) {
  std::multiset<std::string> keys = runAll({named_, named_, named_});
  EXPECT_EQ(keys.count(*keys.begin()), 3U) << *keys.rbegin();
  EXPECT_EQ(keys.begin()->size(), 64U) << *keys.begin();
  EXPECT_EQ(ids_.size(), 1U);
  EXPECT_EQ(fake_->begun, 3U);
  EXPECT_EQ(fake_->finished, 3U);
  std::multiset<std::string> next = runAll({named_, named_, named_});
  EXPECT_NE(*keys.begin(), *next.begin());
  EXPECT_EQ(ids_.size(), 2U);
}

class PmixWithKeyFile : public Pmix {
 protected:
  PmixWithKeyFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "vbn-pmix-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    EXPECT_TRUE(writeKeyFile(folder_ + "/key", "the key of a file"));
    configured_ = named_;
    configured_[kKeyFile] = folder_ + "/key";
  }
  ~PmixWithKeyFile() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  Named configured_;
};

TEST_F(PmixWithKeyFile, HandsOutNone) {
  std::multiset<std::string> keys = runAll({configured_, configured_, configured_});
  EXPECT_EQ(keys.count("the key of a file"), 3U) << *keys.begin();
}

TEST_F(PmixWithKeyFile, NamesWhoHasNone) {
  fake_->size = 2;
  fake_->localSize = 2;
  configured_[kStartTimeout] = "1";
  std::thread other([&] {
    be_(1);
    EXPECT_EQ(refusal(),
              "cannot find this process' place in its job on VERBENA_CLUSTER_KEY_FILE: it is not "
              "set here, but for rank 0");
  });
  auto zero = Job::open(variables(configured_));
  EXPECT_TRUE(zero);
  other.join();
}

TEST_F(Pmix, OfAnUnknownVersionIsRefused) {
  for (const char* version : {"OpenPMIx 2.2.5", "PMIx 6.0.0", "10.1", "", "none"}) {
    fake_->version = version;
    EXPECT_EQ(refusal(), std::string("cannot meet the other ranks by PMIx on ") +
                             VERBENA_FAKE_PMIX + ": it is '" + version +
                             "'; versions 3 to 5 are known");
  }
}

TEST_F(Pmix, WithoutItsLibrarySaysWhatToDo) {
  named_[kPmixLibrary] = "/no/such/libpmix.so.2";
  std::string sentence = refusal();
  EXPECT_EQ(sentence.find("cannot meet the other ranks by PMIx on /no/such/libpmix.so.2: "), 0U);
  EXPECT_NE(sentence.find("; install libpmix, or say by VERBENA_JOB_PMIX where it is"),
            std::string::npos)
      << sentence;
  named_[kPmixLibrary] = "libc.so.6";
  EXPECT_EQ(refusal(),
            "cannot meet the other ranks by PMIx on libc.so.6: it has no function "
            "PMIx_Get_version");
}

TEST_F(Pmix, WhoseServerDoesNotAnswerIsNamed) {
  fake_->initStatus = -25;
  EXPECT_EQ(refusal(), "cannot meet the other ranks by PMIx: PMIx_Init says SOMETHING-ELSE");
  EXPECT_EQ(fake_->finished, 0U);
}

TEST_F(Pmix, SaysThatSomeHaveNotComeWhenTheTimeIsOver) {
  fake_->fenceEnds = false;
  named_[kStartTimeout] = "1";
  for (uint32_t rank : {0U, 1U}) {
    be_(rank);
    EXPECT_EQ(refusal(),
              "cannot meet the other ranks by PMIx: ETIMEDOUT; within 1 s "
              "(VERBENA_JOB_START_TIMEOUT) some have not opened their job");
  }
}

TEST_F(Pmix, ThatHasNotWhatRankZeroPutDownIsNamed) {
  fake_->keepsTexts = false;
  patience_ = 1ms;
  named_[kStartTimeout] = "1";
  std::multiset<std::string> said = runAll({named_, named_, named_});
  EXPECT_EQ(said.count("cannot meet the other ranks by PMIx on verbena.job: PMIx_Get says "
                       "NOT-FOUND"),
            2U);
}

TEST_F(Pmix, OfAPlaceThatCannotBeIsRefused) {
  be_(3);
  EXPECT_EQ(refusal(),
            "cannot find this process' place in its job on PMIx: EPROTO; rank 3 of 3, on its host "
            "0 of 3, is none");
}

TEST_F(Pmix, OfASecondProgramOfARankSaysWhatItIs) {
  fake_->knowsPlaces = false;
  std::string sentence = refusal();
  EXPECT_NE(sentence.find("PMIx_Get says NOT-FOUND; a rank is one program"), std::string::npos)
      << sentence;
}

}  // namespace
}  // namespace verbena::job
