// SPDX-License-Identifier: Apache-2.0
//
// verbena/job.h as others load it, in a process that nobody has started as a rank.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "verbena/job.h"

namespace {

class JobAbi : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(vbn_job_open(&job_), VBN_OK) << vbn_error(); }
  void TearDown() override { vbn_job_free(job_); }

  vbn_job* job_ = nullptr;
};

TEST_F(JobAbi, OfAProgramThatIsAlone) {
  EXPECT_EQ(vbn_job_rank(job_), 0U);
  EXPECT_EQ(vbn_job_size(job_), 1U);
  EXPECT_EQ(vbn_job_local_rank(job_), 0U);
  EXPECT_EQ(vbn_job_local_size(job_), 1U);
  EXPECT_EQ(vbn_job_is_oversubscribed(job_), 0U);
  EXPECT_STREQ(vbn_job_host_address(job_), "127.0.0.1");
  EXPECT_EQ(std::string(vbn_job_id(job_)).find("alone-"), 0U);
  uint64_t bytes = 7;
  EXPECT_EQ(vbn_job_key(job_, &bytes), nullptr);
  EXPECT_EQ(bytes, 0U);
}

TEST_F(JobAbi, AddressGoesIntoTheRoomThereIs) {
  ASSERT_EQ(vbn_job_publish(job_, "here", 4), VBN_OK);
  ASSERT_EQ(vbn_job_await_all(job_, 0), VBN_OK);
  std::array<char, 4> into{};
  uint64_t bytes = 0;
  ASSERT_EQ(vbn_job_address(job_, 0, 0, into.data(), 4, &bytes), VBN_OK);
  EXPECT_EQ(std::string(into.data(), bytes), "here");
  EXPECT_EQ(vbn_job_address(job_, 0, 0, into.data(), 3, &bytes), VBN_FAILED);
  EXPECT_STREQ(vbn_error(), "the address has 4 bytes, there is room for 3");
  EXPECT_EQ(bytes, 4U);
}

TEST_F(JobAbi, NoAddressWithinTheTimeFails) {
  uint64_t bytes = 0;
  EXPECT_EQ(vbn_job_address(job_, 0, 0, nullptr, 0, &bytes), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "cannot learn the address on rank 0: ETIMEDOUT; it has not published one");
}

TEST_F(JobAbi, NoEndWithinTheTimeIsNoFailure) {
  vbn_job_end end{};
  end.struct_bytes = sizeof end;
  EXPECT_EQ(vbn_job_next_end(job_, 0, &end), 0);
  end.struct_bytes = 3;
  EXPECT_EQ(vbn_job_next_end(job_, 0, &end), -1);
}

TEST_F(JobAbi, WhatIsNullIsRefused) {
  EXPECT_EQ(vbn_job_open(nullptr), VBN_INVALID);
  EXPECT_EQ(vbn_job_publish(nullptr, "a", 1), VBN_INVALID);
  EXPECT_EQ(vbn_job_publish(job_, nullptr, 1), VBN_INVALID);
  EXPECT_EQ(vbn_job_address(job_, 0, 0, nullptr, 0, nullptr), VBN_INVALID);
  EXPECT_EQ(vbn_job_await_all(nullptr, 0), VBN_INVALID);
  EXPECT_EQ(vbn_job_next_end(job_, 0, nullptr), -1);
  EXPECT_EQ(vbn_job_id(nullptr), nullptr);
  vbn_job_free(nullptr);
}

}  // namespace
