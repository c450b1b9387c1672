// SPDX-License-Identifier: Apache-2.0
//
// What each control call says when it fails.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "fake_provider.h"
#include "verbs/address_handle.h"
#include "verbs/advice.h"
#include "verbs/async_events.h"
#include "verbs/queue_pair.h"

namespace verbena::verbs {
namespace {

using testing::FakeProvider;

class ControlErrors : public ::testing::Test {
 protected:
  template <typename T>
  static std::string sentenceOf(const base::Result<T>& result) {
    return result ? "no error" : result.error().sentence();
  }

  FakeProvider fake{{{.name = "fake0"}}, "fake"};
  Context context = Context::open(Device::list(fake.provider()).value().front()).value();
  ProtectionDomain pd = ProtectionDomain::allocate(context).value();
  CompletionQueue cq = CompletionQueue::create(context, 16).value();
  std::array<std::byte, 64> bytes{};
};

TEST_F(ControlErrors, OfListingSaysWhetherTheKernelHasRdma) {
  fake.failures["get_device_list"] = ENOSYS;
  EXPECT_EQ(sentenceOf(Device::list(fake.provider())),
            "cannot list devices on fake: ENOSYS; the kernel has no RDMA support loaded (module "
            "ib_uverbs)");
}

TEST_F(ControlErrors, OfOpeningSayWhatTheDeviceSays) {
  fake.failures["open_device"] = EACCES;
  base::Result<Context> opened = Context::open(Device::list(fake.provider()).value().front());
  EXPECT_EQ(sentenceOf(opened), "cannot open device on fake0: EACCES; the device says why");
}

TEST_F(ControlErrors, OfQueriesNameThePort) {
  EXPECT_EQ(sentenceOf(context.queryPort(9)), "cannot query port on fake0 port 9: EINVAL");
  EXPECT_EQ(sentenceOf(context.queryGid(1, 7)), "cannot query GID 7 on fake0 port 1: ENODATA");
  fake.failures["query_pkey"] = EIO;
  EXPECT_EQ(sentenceOf(context.queryPkey(1, 0)), "cannot query P_Key 0 on fake0 port 1: EIO");
}

TEST_F(ControlErrors, OfEveryCreationNameTheDeviceAndTheErrno) {
  for (const char* call : {"alloc_pd", "reg_mr", "create_comp_channel", "create_cq", "create_srq",
                           "create_qp", "create_ah", "alloc_shareable"}) {
    fake.failures[call] = ENOSPC;
  }
  EXPECT_EQ(sentenceOf(ProtectionDomain::allocate(context)),
            "cannot allocate a protection domain on fake0: ENOSPC");
  EXPECT_EQ(sentenceOf(MemoryRegion::registerRange(pd, bytes, 0)),
            "cannot register 64 bytes on fake0: ENOSPC");
  EXPECT_EQ(sentenceOf(ShareableMemory::allocate(context, 64)),
            "cannot allocate 64 bytes on fake0: ENOSPC");
  EXPECT_EQ(sentenceOf(CompletionChannel::create(context)),
            "cannot create a completion channel on fake0: ENOSPC");
  EXPECT_EQ(sentenceOf(CompletionQueue::create(context, 8)),
            "cannot create a completion queue of 8 entries on fake0: ENOSPC");
  EXPECT_EQ(sentenceOf(SharedReceiveQueue::create(pd, 8, 1)),
            "cannot create a shared receive queue of 8 work requests on fake0: ENOSPC");
  EXPECT_EQ(sentenceOf(QueuePair::create(pd, cq, cq, {})),
            "cannot create a queue pair of type RC on fake0: ENOSPC");
  Path path;
  path.remoteGid.raw[15] = 1;
  EXPECT_EQ(sentenceOf(AddressHandle::create(pd, path)),
            "cannot create an address handle to ::1 on fake0: ENOSPC");
}

TEST_F(ControlErrors, OfSizesAboveALimitNameBothWithoutAskingTheDevice) {
  EXPECT_EQ(
      sentenceOf(CompletionQueue::create(context, 65537)),
      "cannot create a completion queue of 65537 entries on fake0: EINVAL; length of 65537 is "
      "above the device's limit of 65536");
  EXPECT_EQ(
      sentenceOf(cq.resize(65537)),
      "cannot resize a completion queue to 65537 entries on fake0: EINVAL; length of 65537 is "
      "above the device's limit of 65536");
  EXPECT_EQ(
      sentenceOf(SharedReceiveQueue::create(pd, 4097, 1)),
      "cannot create a shared receive queue of 4097 work requests on fake0: EINVAL; length of "
      "4097 is above the device's limit of 4096");
  EXPECT_EQ(
      sentenceOf(SharedReceiveQueue::create(pd, 16, 9)),
      "cannot create a shared receive queue of 16 work requests on fake0: EINVAL; scatter-gather "
      "list of 9 is above the device's limit of 8");
  EXPECT_EQ(
      sentenceOf(QueuePair::create(pd, cq, cq, {.sendWorkRequests = 5000})),
      "cannot create a queue pair of type RC on fake0: EINVAL; send queue of 5000 is above the "
      "device's limit of 4096");
  EXPECT_EQ(
      sentenceOf(QueuePair::create(pd, cq, cq, {.receiveSge = 17})),
      "cannot create a queue pair of type RC on fake0: EINVAL; receive scatter-gather list of 17 "
      "is above the device's limit of 16");
}

TEST_F(ControlErrors, OfRemoteAccessWithoutLocalWriteAreFoundBeforeTheDeviceIsAsked) {
  for (int access : {IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_ATOMIC}) {
    EXPECT_EQ(
        sentenceOf(MemoryRegion::registerRange(pd, bytes, access)),
        "cannot register 64 bytes on fake0: EINVAL; remote write and remote atomic access need "
        "local write access");
  }
  EXPECT_TRUE(MemoryRegion::registerRange(pd, bytes, IBV_ACCESS_REMOTE_READ));
}

TEST_F(ControlErrors, OfAnIllegalTransitionNameTheStateItIsInAndTheWayIn) {
  QueuePair qp = QueuePair::create(pd, cq, cq, {}).value();
  fake.failures["modify_qp"] = EINVAL;
  EXPECT_EQ(sentenceOf(qp.toRts()),
            "cannot move to RTS on fake0 RC queue pair 17: EINVAL; it is in RESET; RTS is reached "
            "from RTR");
  EXPECT_EQ(
      sentenceOf(qp.toError()),
      "cannot move to ERR on fake0 RC queue pair 17: EINVAL; it is in RESET; ERR is reached from "
      "any state");
}

TEST_F(ControlErrors, OfAttributesOutOfRangeNameTheValue) {
  QueuePair qp = QueuePair::create(pd, cq, cq, {}).value();
  EXPECT_EQ(sentenceOf(qp.toInit({.port = 2})),
            "cannot move to INIT on fake0: EINVAL; port of 2 is above the device's limit of 1");
  EXPECT_NE(
      sentenceOf(qp.toRtr({.remoteQpNum = 1U << 24})).find("remote queue pair number of 16777216"),
      std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRtr({.receivePsn = 1U << 24})).find("packet sequence number"),
            std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRtr({.maxReadsServed = 17})).find("READs served of 17"),
            std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRtr({.minRnrTimer = 32})).find("RNR timer of 32"), std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRts({.sendPsn = 1U << 24})).find("packet sequence number"),
            std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRts({.timeout = 32})).find("time-out of 32"), std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRts({.retryCount = 8})).find("retry count of 8"), std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRts({.rnrRetry = 8})).find("RNR retry count of 8"), std::string::npos);
  EXPECT_NE(sentenceOf(qp.toRts({.maxReadsIssued = 17})).find("READs issued of 17"),
            std::string::npos);
  EXPECT_EQ(qp.state().value(), IBV_QPS_RESET) << "the device was not asked";
}

TEST_F(ControlErrors, OfEventsAreNotTakenForSilence) {
  fake.failures["get_cq_event"] = EIO;
  fake.failures["get_async_event"] = EIO;
  CompletionChannel channel = CompletionChannel::create(context).value();
  EXPECT_EQ(sentenceOf(channel.takeEvent()), "cannot read a completion event on fake0: EIO");
  AsyncEvents events = AsyncEvents::of(context).value();
  EXPECT_EQ(sentenceOf(events.take()), "cannot read an asynchronous event on fake0: EIO");
}

TEST(LockedMemoryAdvice, NamesTheLimitThatIsTooLow) {
  EXPECT_EQ(lockedMemoryAdvice(ENOMEM, 4294967296, 65536),
            "locked-memory limit is 65536 bytes, raise it with 'ulimit -l 8388608' "
            "(docs/tuning.md#memlock)");
}

TEST(LockedMemoryAdvice, NamesASmallLimitEvenWhenTheRegionAloneWouldFit) {
  // What is locked already counts too, and queues count without being asked for.
  EXPECT_NE(lockedMemoryAdvice(ENOMEM, 4096, 65536), "");
}

TEST(LockedMemoryAdvice, IsSilentWhenTheLimitIsNotTheReason) {
  EXPECT_EQ(lockedMemoryAdvice(EINVAL, 4294967296, 65536), "");
  EXPECT_EQ(lockedMemoryAdvice(ENOMEM, 4096, UINT64_MAX), "");
}

TEST(LockedMemoryAdvice, IsGivenBeforeACallFailsWithAValueThatSuffices) {
  EXPECT_EQ(
      lockedMemoryTrouble(8 << 20),
      "the locked-memory limit is 8388608 bytes: devices of the kernel register little memory "
      "with it; raise it with 'ulimit -l 65536' (docs/tuning.md#memlock)");
  EXPECT_EQ(lockedMemoryTrouble(64 << 20), "");
  EXPECT_EQ(lockedMemoryTrouble(UINT64_MAX), "");
}

TEST(LockedMemoryAdvice, IsGivenForKernelDevicesOnly) {
  for (bool kernel : {true, false}) {
    FakeProvider fake({{.name = "fake0"}}, kernel ? "libibverbs" : "softnic");
    Context context = Context::open(Device::list(fake.provider()).value().front()).value();
    base::Error error = creationError(*context.device(), "register 1 byte", ENOMEM, UINT64_MAX - 1);
    bool unlimited = lockedMemoryLimitBytes() == UINT64_MAX;
    EXPECT_EQ(!error.advice.empty(), kernel && !unlimited) << error.sentence();
  }
}

}  // namespace
}  // namespace verbena::verbs
