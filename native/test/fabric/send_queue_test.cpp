// SPDX-License-Identifier: Apache-2.0
#include "fabric/send_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace verbena::fabric::testing {
namespace {

/// A queue pair that takes as many requests as it is told to.
class Device {
 public:
  Device() {
    context_.ops.post_send = &Device::post;
    queuePair_.context = &context_;
    queuePair_.qp_context = this;
  }
  Device(const Device&) = delete;

  ibv_qp* queuePair() { return &queuePair_; }
  void takes(uint32_t count, int code) {
    left_ = count;
    code_ = code;
  }
  const std::vector<uint64_t>& taken() const { return taken_; }

 private:
  static int post(ibv_qp* queuePair, ibv_send_wr* first, ibv_send_wr** refused) {
    auto& device = *static_cast<Device*>(queuePair->qp_context);
    for (ibv_send_wr* request = first; request != nullptr; request = request->next) {
      if (device.left_ == 0) {
        *refused = request;
        return device.code_;
      }
      device.left_--;
      device.taken_.push_back(request->wr_id);
    }
    return 0;
  }

  ibv_context context_{};
  ibv_qp queuePair_{};
  uint32_t left_ = UINT32_MAX;
  int code_ = 0;
  std::vector<uint64_t> taken_;
};

class SendQueues : public ::testing::Test {
 protected:
  static constexpr uint32_t kRequests = 8;

  SendQueues() { queue_.restart(); }

  /// Posts one request for each letter: R reports, any other does not.
  SendQueue::Posted post(const std::string& letters) {
    std::vector<ibv_send_wr> list(letters.size());
    for (size_t i = 0; i < list.size(); i++) {
      list[i].next = i + 1 < list.size() ? &list[i + 1] : nullptr;
      list[i].send_flags = letters[i] == 'R' ? unsigned{IBV_SEND_SIGNALED} : 0U;
    }
    return queue_.post(device_.queuePair(), list.data());
  }
  std::vector<uint64_t> reclaim() {
    std::vector<uint64_t> done;
    queue_.reclaim([&](uint64_t number) { done.push_back(number); });
    return done;
  }

  Device device_;
  std::atomic<uint64_t> reporting_{0};
  SendQueue queue_{kRequests, reporting_};
};

TEST_F(SendQueues, NumbersRequestsFromOneOn) {
  EXPECT_EQ(post("..R").count, 3U);
  EXPECT_EQ(post(".").count, 1U);
  EXPECT_EQ(device_.taken(), (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(queue_.posted(), 4U);
  EXPECT_EQ(queue_.lastReporting(), 3U);
  EXPECT_EQ(reporting_, 1U);
}

TEST_F(SendQueues, HaveRoomAgainForWhatWasReclaimed) {
  post(".......R");
  EXPECT_EQ(queue_.filling(), 8U);
  EXPECT_EQ(queue_.room(), 0U);
  EXPECT_TRUE(queue_.confirm(8));
  EXPECT_EQ(queue_.room(), 0U) << "its places still hold what belongs to them";
  EXPECT_EQ(reclaim().size(), 8U);
  EXPECT_EQ(queue_.room(), 8U);
  EXPECT_TRUE(queue_.isEmpty());
}

TEST_F(SendQueues, TakeEachRequestForDoneOnceHoweverOftenItIsConfirmed) {
  post(".R.R");
  EXPECT_TRUE(queue_.confirm(2));
  EXPECT_FALSE(queue_.confirm(2));
  EXPECT_FALSE(queue_.confirm(1));
  EXPECT_EQ(reporting_, 1U);
  EXPECT_EQ(reclaim(), (std::vector<uint64_t>{1, 2}));
  EXPECT_TRUE(queue_.confirm(4));
  EXPECT_EQ(reclaim(), (std::vector<uint64_t>{3, 4}));
  EXPECT_EQ(reporting_, 0U);
}

TEST_F(SendQueues, ForgetWhatTheDeviceDidNotTake) {
  device_.takes(2, ENOMEM);
  SendQueue::Posted posted = post("R.RR");
  EXPECT_EQ(posted.count, 2U);
  EXPECT_EQ(posted.code, ENOMEM);
  EXPECT_EQ(reporting_, 1U) << "the two behind will never report";
  EXPECT_EQ(queue_.lastReporting(), 1U);
  device_.takes(1, 0);
  post("R");
  EXPECT_EQ(device_.taken(), (std::vector<uint64_t>{1, 2, 3})) << "their numbers are free";
}

TEST_F(SendQueues, OfADeviceThatIsFullHaveRoomOnceSomethingIsDone) {
  device_.takes(2, ENOMEM);
  ASSERT_EQ(post(".R.").count, 2U);
  EXPECT_TRUE(queue_.fillsUp(ENOMEM));
  EXPECT_TRUE(queue_.isRefused());
  EXPECT_EQ(queue_.room(), 0U);
  queue_.confirm(2);
  reclaim();
  EXPECT_FALSE(queue_.isRefused());
  EXPECT_EQ(queue_.room(), 8U);
}

TEST_F(SendQueues, DoNotWaitForADeviceOfWhichNothingIsToBeHeard) {
  device_.takes(2, ENOMEM);
  post("...");
  EXPECT_FALSE(queue_.fillsUp(ENOMEM)) << "none of the two reports";
  post("R");
  EXPECT_FALSE(queue_.fillsUp(EINVAL)) << "it means something else";
}

TEST_F(SendQueues, AreCountedNoMoreWhenTheQueuePairHasGone) {
  post("R.R");
  queue_.confirm(1);
  queue_.abandon();
  EXPECT_EQ(reporting_, 0U);
}

TEST_F(SendQueues, UseTheirPlacesAgain) {
  for (int i = 0; i < 100; i++) {
    ASSERT_EQ(post("..R").count, 3U);
    ASSERT_TRUE(queue_.confirm(queue_.posted()));
    ASSERT_EQ(reclaim().size(), 3U);
    ASSERT_EQ(reporting_, 0U);
  }
  post("........");
  EXPECT_EQ(post("R").count, 1U) << "there is always a place for the last one";
  queue_.confirm(queue_.posted());
  EXPECT_EQ(reclaim().size(), 9U);
}

}  // namespace
}  // namespace verbena::fabric::testing
