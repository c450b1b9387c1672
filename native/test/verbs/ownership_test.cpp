// SPDX-License-Identifier: Apache-2.0
//
// Who owns what, and in which order it goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "fake_provider.h"
#include "verbs/address_handle.h"
#include "verbs/async_events.h"
#include "verbs/queue_pair.h"

namespace verbena::verbs {
namespace {

using testing::FakeProvider;

template <typename T>
constexpr bool kMoveOnly =
    std::is_nothrow_move_constructible_v<T>&& std::is_nothrow_move_assignable_v<T> &&
    !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
static_assert(kMoveOnly<Context> && kMoveOnly<ProtectionDomain> && kMoveOnly<MemoryRegion> &&
              kMoveOnly<CompletionChannel> && kMoveOnly<CompletionQueue> &&
              kMoveOnly<AsyncEvents> && kMoveOnly<SharedReceiveQueue> && kMoveOnly<QueuePair> &&
              kMoveOnly<AddressHandle>);

class Ownership : public ::testing::Test {
 protected:
  Context open() { return Context::open(Device::list(fake.provider()).value().front()).value(); }

  size_t at(const std::string& call) const {
    auto found = std::find(fake.log.begin(), fake.log.end(), call);
    EXPECT_NE(found, fake.log.end()) << call << " was not called";
    return static_cast<size_t>(found - fake.log.begin());
  }

  size_t count(const std::string& call) const {
    return static_cast<size_t>(std::count(fake.log.begin(), fake.log.end(), call));
  }

  FakeProvider fake{{{.name = "fake0"}}};
};

TEST_F(Ownership, DestroysAQueuePairBeforeAllItWasMadeFrom) {
  // Let go in the most harmful order: parents first.
  std::optional<Context> context = open();
  std::optional<ProtectionDomain> pd = ProtectionDomain::allocate(*context).value();
  std::optional<CompletionChannel> channel = CompletionChannel::create(*context).value();
  std::optional<CompletionQueue> cq =
      CompletionQueue::create(*context, 16, *channel, nullptr).value();
  std::optional<SharedReceiveQueue> srq = SharedReceiveQueue::create(*pd, 16, 1).value();
  std::optional<QueuePair> qp =
      QueuePair::create(*pd, *cq, *cq, {.sharedReceiveQueue = &*srq}).value();
  context.reset();
  pd.reset();
  channel.reset();
  cq.reset();
  srq.reset();
  EXPECT_EQ(count("destroy_cq") + count("destroy_srq") + count("dealloc_pd"), 0U);
  qp.reset();
  EXPECT_LT(at("destroy_qp"), at("destroy_cq"));
  EXPECT_LT(at("destroy_qp"), at("destroy_srq"));
  EXPECT_LT(at("destroy_cq"), at("destroy_comp_channel"));
  EXPECT_LT(at("destroy_srq"), at("dealloc_pd"));
  EXPECT_LT(at("destroy_comp_channel"), at("close_device"));
  EXPECT_LT(at("dealloc_pd"), at("close_device"));
  EXPECT_LT(at("close_device"), at("free_device_list"));
}

TEST_F(Ownership, DeregistersARegionBeforeItsMemoryAndItsDomainGo) {
  {
    std::optional<MemoryRegion> region;
    {
      Context context = open();
      ProtectionDomain pd = ProtectionDomain::allocate(context).value();
      ShareableMemory memory = ShareableMemory::allocate(context, 4096).value();
      region = MemoryRegion::registerRange(pd, memory, IBV_ACCESS_LOCAL_WRITE).value();
    }
    EXPECT_EQ(count("free_shareable"), 0U) << "the region must keep its memory";
  }
  EXPECT_LT(at("dereg_mr"), at("free_shareable"));
  EXPECT_LT(at("dereg_mr"), at("dealloc_pd"));
  EXPECT_LT(at("free_shareable"), at("close_device"));
}

TEST_F(Ownership, DestroysEachObjectOnceHoweverOftenItIsMoved) {
  {
    Context context = open();
    CompletionQueue first = CompletionQueue::create(context, 4).value();
    CompletionQueue second = std::move(first);
    CompletionQueue third = CompletionQueue::create(context, 4).value();
    third = std::move(second);
    EXPECT_EQ(count("destroy_cq"), 1U) << "assignment lets go of what it replaces";
  }
  EXPECT_EQ(count("destroy_cq"), 2U);
}

TEST_F(Ownership, CountsADestructionThatFailed) {
  unsigned long before = failedDestructions();
  ibv_pd* leaked = nullptr;
  {
    Context context = open();
    ProtectionDomain pd = ProtectionDomain::allocate(context).value();
    leaked = pd.get();
    fake.failures["dealloc_pd"] = EBUSY;
  }
  EXPECT_EQ(failedDestructions(), before + 1);
  delete leaked;
}

TEST_F(Ownership, ClosesADeviceWhoseLimitsCannotBeRead) {
  fake.failures["query_device"] = EIO;
  base::Result<Context> opened = Context::open(Device::list(fake.provider()).value().front());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().sentence(), "cannot query device on fake0: EIO");
  EXPECT_EQ(count("close_device"), 1U);
}

TEST_F(Ownership, AcknowledgesEventsWhenTheyAreTaken) {
  Context context = open();
  CompletionChannel channel = CompletionChannel::create(context).value();
  int mine = 0;
  CompletionQueue cq = CompletionQueue::create(context, 4, channel, &mine).value();
  fake.pendingCompletions.push_back(cq.get());
  EXPECT_EQ(channel.takeEvent().value(), std::optional<void*>(&mine));
  EXPECT_EQ(fake.acknowledged, 1);
  EXPECT_EQ(channel.takeEvent().value(), std::nullopt);

  AsyncEvents events = AsyncEvents::of(context).value();
  ibv_async_event event{};
  event.event_type = IBV_EVENT_PORT_ERR;
  event.element.port_num = 2;
  fake.pendingAsync.push_back(event);
  std::optional<AsyncEvent> taken = events.take().value();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->type, IBV_EVENT_PORT_ERR);
  EXPECT_EQ(taken->port, 2);
  EXPECT_EQ(fake.acknowledged, 2);
  EXPECT_EQ(events.take().value(), std::nullopt);
}

}  // namespace
}  // namespace verbena::verbs
