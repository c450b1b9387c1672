// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations that the responder does not allow: REM_ACCESS_ERR for whoever asked, and
// both queue pairs are lost.
#include "conformance_test.h"

namespace verbena::conformance {
namespace {

constexpr int kWithoutRead = kAllAccess & ~IBV_ACCESS_REMOTE_READ;
constexpr int kWithoutWrite = kAllAccess & ~IBV_ACCESS_REMOTE_WRITE;

class RemoteAccess : public Connected {
 protected:
  Send write(size_t bytes = 8, size_t offset = 0) {
    return oneSided(IBV_WR_RDMA_WRITE, 1, {requester().piece(0, bytes)}, offset);
  }

  Send read(size_t bytes = 8, size_t offset = 0) {
    return oneSided(IBV_WR_RDMA_READ, 1, {requester().piece(0, bytes)}, offset);
  }

  void expectRefused(const Send& send) {
    requester().post(send);
    expectStatus(sent(), send.id, IBV_WC_REM_ACCESS_ERR);
    EXPECT_EQ(must(requester().queuePair().state()), IBV_QPS_ERR);
  }

  static constexpr size_t kMemory = EndpointOptions{}.memoryBytes;
};

TEST_F(RemoteAccess, RefusesAWriteToMemoryWithoutTheRight) {
  connectPair({}, {.memoryAccess = kWithoutWrite});
  requester().word(0) = 9;
  expectRefused(write());
  EXPECT_EQ(responder().word(0), 0U);
}

TEST_F(RemoteAccess, RefusesAReadOfMemoryWithoutTheRight) {
  connectPair({}, {.memoryAccess = kWithoutRead});
  responder().word(0) = 9;
  expectRefused(read());
  EXPECT_EQ(requester().word(0), 0U);
}

TEST_F(RemoteAccess, RefusesAKeyThatIsNone) {
  Send send = write();
  send.remoteKey = 0;
  expectRefused(send);
}

TEST_F(RemoteAccess, RefusesALongWriteByItsFirstPacket) {
  constexpr size_t kBytes = 3 << 20;
  connectPair({.memoryBytes = kBytes}, {.memoryBytes = kBytes});
  Send send = write(kBytes);
  send.remoteKey = 0;
  expectRefused(send);
}

TEST_F(RemoteAccess, RefusesTheKeyOfADeregisteredRegion) {
  Send send = write();
  responder().deregister();
  expectRefused(send);
}

TEST_F(RemoteAccess, RefusesTheKeyOfAnotherProtectionDomain) {
  Endpoint stranger(*context);
  Send send = write();
  send.remoteAddress = stranger.address();
  send.remoteKey = stranger.rkey();
  requester().word(0) = 9;
  expectRefused(send);
  EXPECT_EQ(stranger.word(0), 0U);
}

TEST_F(RemoteAccess, RefusesAWriteAcrossTheEnd) {
  responder().fill(0, kMemory, 1);
  expectRefused(write(16, kMemory - 8));
  EXPECT_TRUE(responder().holds(0, kMemory, 1));
}

TEST_F(RemoteAccess, RefusesAReadBeforeTheBeginning) {
  Send send = read();
  send.remoteAddress -= 1;
  expectRefused(send);
}

TEST_F(RemoteAccess, RefusesAnAddressThatWrapsAround) {
  Send send = write(64);
  send.remoteAddress = UINT64_MAX - 7;
  expectRefused(send);
}

TEST_F(RemoteAccess, AllowsTheWholeRegionToItsLastByte) {
  requester().fill(0, kMemory, 3);
  requester().post(write(kMemory, 0));
  expectSuccess(sent(), 1, IBV_WC_RDMA_WRITE);
  EXPECT_TRUE(responder().holds(0, kMemory, 3));
}

TEST_F(RemoteAccess, LosesTheRespondersQueuePairToo) {
  responder().postReceive(5, {responder().piece(0, 8)});
  Send send = write();
  send.remoteKey = 0;
  expectRefused(send);
  expectStatus(received(), 5, IBV_WC_WR_FLUSH_ERR);
  EXPECT_EQ(must(responder().queuePair().state()), IBV_QPS_ERR);
}

TEST_F(RemoteAccess, TellsTheResponderByAnEvent) {
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  Send send = write();
  send.remoteKey = 0;
  expectRefused(send);
  if (device().has(KnownDifference::noAccessErrorEvent)) {
    EXPECT_FALSE(events.wait(kSilence));
    return;
  }
  std::optional<verbs::AsyncEvent> event = await(events);
  ASSERT_TRUE(event) << "no event came";
  EXPECT_EQ(event->type, IBV_EVENT_QP_ACCESS_ERR);
  EXPECT_EQ(event->qp, responder().queuePair().get());
}

TEST_F(RemoteAccess, LeavesOtherConnectionsAlone) {
  Endpoint one(*context);
  Endpoint other(*context);
  connect(one, other);
  Send send = write();
  send.remoteKey = 0;
  expectRefused(send);
  other.postReceive(1, {other.piece(0, 8)});
  one.post({.id = 2, .pieces = {one.piece(0, 8)}});
  expectSuccess(await(other.receiveQueue()), 1, IBV_WC_RECV);
}

/// What the queue pair itself allows, whatever the memory does. It answers a request of a kind it
/// does not serve as invalid, not as an access error.
class QueuePairAccess : public Connected, public ::testing::WithParamInterface<ibv_wr_opcode> {
 protected:
  static int rightFor(ibv_wr_opcode opcode) {
    switch (opcode) {
      case IBV_WR_RDMA_WRITE:
      case IBV_WR_RDMA_WRITE_WITH_IMM: return IBV_ACCESS_REMOTE_WRITE;
      case IBV_WR_RDMA_READ: return IBV_ACCESS_REMOTE_READ;
      default: return IBV_ACCESS_REMOTE_ATOMIC;
    }
  }
};

TEST_P(QueuePairAccess, IsNeededForEachOperation) {
  connectPair({}, {.remoteAccess = kAllRemote & ~rightFor(GetParam())});
  responder().postReceive(5, {responder().piece(0, 8)});
  requester().post(oneSided(GetParam(), 1, {requester().piece(0, 8)}));
  expectStatus(sent(), 1, IBV_WC_REM_INV_REQ_ERR);
}

INSTANTIATE_TEST_SUITE_P(Operations, QueuePairAccess,
                         ::testing::Values(IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM,
                                           IBV_WR_RDMA_READ, IBV_WR_ATOMIC_CMP_AND_SWP,
                                           IBV_WR_ATOMIC_FETCH_AND_ADD),
                         [](const auto& test) {
                           switch (test.param) {
                             case IBV_WR_RDMA_WRITE: return "Write";
                             case IBV_WR_RDMA_WRITE_WITH_IMM: return "WriteWithImmediate";
                             case IBV_WR_RDMA_READ: return "Read";
                             case IBV_WR_ATOMIC_CMP_AND_SWP: return "CompareSwap";
                             default: return "FetchAdd";
                           }
                         });

}  // namespace
}  // namespace verbena::conformance
