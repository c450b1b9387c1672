// SPDX-License-Identifier: Apache-2.0
//
// A rank and what its environment says. With a launcher: launch/test.
#include "job/job.h"

#include <gtest/gtest.h>

#include <array>

#include "job/contract.h"
#include "job/verbena_run.h"
#include "named_variables.h"

namespace verbena::job {
namespace {

using namespace std::chrono_literals;

Named whole() {
  return {{kRank, "2"},      {kSize, "4"},           {kLocalRank, "0"},
          {kLocalSize, "2"}, {kOversubscribed, "1"}, {kId, "id"},
          {kFolder, "/f"},   {kKeyFile, "/f/key"},   {kHostAddress, "10.0.0.1"}};
}

TEST(Place, IsAsTheEnvironmentSays) {
  Named named = whole();
  auto place = placeFrom(variables(named));
  ASSERT_TRUE(place) << place.error().sentence();
  EXPECT_EQ(place->rank, 2U);
  EXPECT_EQ(place->size, 4U);
  EXPECT_EQ(place->localRank, 0U);
  EXPECT_EQ(place->localSize, 2U);
  EXPECT_TRUE(place->oversubscribed);
  EXPECT_EQ(place->id, "id");
  EXPECT_EQ(place->hostAddress, "10.0.0.1");
}

TEST(Place, ThatLacksAnyVariableIsRefusedByItsName) {
  for (const auto& [missing, value] : whole()) {
    Named named = whole();
    named.erase(missing);
    auto place = placeFrom(variables(named));
    ASSERT_FALSE(place) << missing;
    EXPECT_NE(place.error().sentence().find(missing), std::string::npos)
        << place.error().sentence();
  }
}

TEST(Place, ThatCannotBeIsRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{kRank, "4"},
                                                        {kRank, "-1"},
                                                        {kRank, "1x"},
                                                        {kRank, ""},
                                                        {kSize, "0"},
                                                        {kSize, "65537"},
                                                        {kLocalRank, "2"},
                                                        {kLocalSize, "5"},
                                                        {kOversubscribed, "2"}}) {
    Named named = whole();
    named[name] = value;
    auto place = placeFrom(variables(named));
    ASSERT_FALSE(place) << name << value;
    EXPECT_NE(place.error().sentence().find("'" + value + "' is not between"), std::string::npos)
        << place.error().sentence();
  }
}

class Alone : public ::testing::Test {
 protected:
  Named none_;
  std::unique_ptr<Job> job_ = std::move(Job::open(variables(none_)).value());
};

TEST_F(Alone, IsTheOnlyRank) {
  EXPECT_EQ(job_->place().rank, 0U);
  EXPECT_EQ(job_->place().size, 1U);
  EXPECT_EQ(job_->key(), "");
  EXPECT_FALSE(job_->place().id.empty());
}

TEST_F(Alone, LearnsItself) {
  EXPECT_FALSE(job_->awaitAll(0ns));
  std::array<std::byte, kMostBytes> address{};
  address.back() = std::byte{7};
  ASSERT_TRUE(job_->publish(address));
  EXPECT_TRUE(job_->awaitAll(0ns));
  EXPECT_EQ(job_->address(0, 0ns)->back(), std::byte{7});
  EXPECT_EQ(job_->publish(address).error().sentence(),
            "cannot publish the address on rank 0: it has published one already");
}

TEST_F(Alone, PublishesNoMoreThanOthersCould) {
  std::array<std::byte, kMostBytes + 1> address{};
  EXPECT_EQ(job_->publish(address).error().sentence(),
            "cannot publish the address on rank 0: EMSGSIZE; it has 497 bytes, and at most 496 are "
            "passed on");
}

TEST_F(Alone, KnowsNoOtherRank) {
  EXPECT_EQ(job_->address(1, 0ns).error().sentence(),
            "cannot learn the address on rank 1: EINVAL; the job has ranks 0 to 0");
}

TEST_F(Alone, HearsOfNoEnd) {
  EXPECT_FALSE(job_->awaitEnd(1ms));
}

TEST(Job, WhoseFolderIsGoneSaysSo) {
  Named named = whole();
  named[kFolder] = "/no/such";
  named[kKeyFile] = "/no/such/key";
  auto job = Job::open(variables(named));
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().sentence(), "cannot read the job's key on /no/such/key: ENOENT");
}

}  // namespace
}  // namespace verbena::job
