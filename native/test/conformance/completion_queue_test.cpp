// SPDX-License-Identifier: Apache-2.0
//
// Completion queues: polling, events, resizing, overrun.
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

class Completions : public Connected {
 protected:
  void sendOne(uint64_t id, unsigned flags = IBV_SEND_SIGNALED) {
    responder().postReceive(id, {responder().piece(0, 64)});
    requester().post({.id = id, .pieces = {requester().piece(0, 8)}, .flags = flags});
  }

  void connectWithChannel() {
    channel.emplace(must(verbs::CompletionChannel::create(*context)));
    connectPair({}, {.channel = &*channel});
  }

  void arm(bool solicitedOnly = false) {
    ASSERT_EQ(responder().receiveQueue().arm(solicitedOnly), 0);
  }

  bool eventComes() { return channel->wait(kPatience) && must(channel->takeEvent()).has_value(); }
  bool noEventComes() { return !channel->wait(kSilence); }

  std::optional<verbs::CompletionChannel> channel;
};

TEST_F(Completions, ArePolledInBatches) {
  for (uint64_t i = 0; i < 8; i++) sendOne(i);
  std::vector<uint64_t> seen;
  while (seen.size() < 8) {
    std::array<ibv_wc, 3> some{};
    seen.push_back(received().wr_id);
    int count = responder().receiveQueue().poll(some);
    ASSERT_GE(count, 0);
    ASSERT_LE(count, 3);
    for (int i = 0; i < count; i++) seen.push_back(some[static_cast<size_t>(i)].wr_id);
  }
  EXPECT_EQ(seen, (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(Completions, QueueHoldsAsManyAsWasAskedForAtLeast) {
  EXPECT_GE(requester().sendQueue().entries(), EndpointOptions{}.completions);
}

TEST_F(Completions, OfTwoQueuePairsShareAQueue) {
  // The same queue for sends and receives of one queue pair is the shortest way to two sources.
  verbs::ProtectionDomain pd = must(verbs::ProtectionDomain::allocate(*context));
  verbs::CompletionQueue queue = must(verbs::CompletionQueue::create(*context, 16));
  verbs::QueuePair queuePair = must(verbs::QueuePair::create(pd, queue, queue, {}));
  const verbs::Selection& selection = device().selection();
  must(queuePair.toInit({.port = selection.port, .pkeyIndex = selection.pkeyIndex}));
  must(queuePair.toRtr(
      {.path = loopback(), .mtu = selection.mtu, .remoteQpNum = queuePair.qpNum()}));
  must(queuePair.toRts());
  ibv_recv_wr receive{};
  receive.wr_id = 1;
  ibv_recv_wr* refusedReceive = nullptr;
  ASSERT_EQ(ibv_post_recv(queuePair.get(), &receive, &refusedReceive), 0);
  ibv_send_wr send{};
  send.wr_id = 2;
  send.opcode = IBV_WR_SEND;
  send.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* refusedSend = nullptr;
  ASSERT_EQ(ibv_post_send(queuePair.get(), &send, &refusedSend), 0);
  EXPECT_EQ(await(queue).wr_id + await(queue).wr_id, 3U);
}

TEST_F(Completions, RaiseAnEventOnceArmed) {
  connectWithChannel();
  arm();
  EXPECT_TRUE(noEventComes());
  sendOne(1);
  EXPECT_TRUE(eventComes());
  expectSuccess(received(), 1, IBV_WC_RECV);
}

TEST_F(Completions, RaiseNoEventUnarmed) {
  connectWithChannel();
  sendOne(1);
  expectSuccess(received(), 1, IBV_WC_RECV);
  EXPECT_TRUE(noEventComes());
}

TEST_F(Completions, RaiseOneEventForOneArming) {
  connectWithChannel();
  arm();
  sendOne(1);
  EXPECT_TRUE(eventComes());
  sendOne(2);
  received();
  received();
  EXPECT_TRUE(noEventComes());
  arm();
  sendOne(3);
  EXPECT_TRUE(eventComes());
}

TEST_F(Completions, RaiseAnEventForASolicitedMessageOnly) {
  connectWithChannel();
  arm(true);
  sendOne(1);
  received();
  EXPECT_TRUE(noEventComes());
  sendOne(2, IBV_SEND_SIGNALED | IBV_SEND_SOLICITED);
  EXPECT_TRUE(eventComes());
}

TEST_F(Completions, RaiseAnEventForAFailureEvenWhenOnlySolicitedOnesCount) {
  connectWithChannel();
  responder().postReceive(1, {responder().piece(0, 8)});
  arm(true);
  must(responder().queuePair().toError());
  EXPECT_TRUE(eventComes());
  expectStatus(received(), 1, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(Completions, AreNotMissedByWhoeverArmsAndThenPolls) {
  connectWithChannel();
  for (uint64_t i = 0; i < 200; i++) {
    arm();
    sendOne(i);
    std::optional<ibv_wc> done = pollOnce(responder().receiveQueue());
    ASSERT_TRUE(done || eventComes()) << "message " << i;
    if (!done) done = received();
    expectSuccess(*done, i, IBV_WC_RECV);
    expectSuccess(sent(), i, IBV_WC_SEND);
    while (must(channel->takeEvent())) {
    }
  }
}

TEST_F(Completions, ChannelCanBeWaitedForWithEpoll) {
  connectWithChannel();
  int poller = epoll_create1(EPOLL_CLOEXEC);
  ASSERT_GE(poller, 0);
  epoll_event interest{};
  interest.events = EPOLLIN;
  ASSERT_EQ(epoll_ctl(poller, EPOLL_CTL_ADD, channel->fd(), &interest), 0);
  arm();
  epoll_event happened{};
  EXPECT_EQ(epoll_wait(poller, &happened, 1, 0), 0);
  sendOne(1);
  EXPECT_EQ(epoll_wait(poller, &happened, 1, std::chrono::milliseconds(kPatience).count()), 1);
  close(poller);
}

TEST_F(Completions, EventSaysWhichQueueItCameFrom) {
  channel.emplace(must(verbs::CompletionChannel::create(*context)));
  int one = 0;
  int other = 0;
  verbs::ProtectionDomain pd = must(verbs::ProtectionDomain::allocate(*context));
  verbs::CompletionQueue first = must(verbs::CompletionQueue::create(*context, 16, *channel, &one));
  verbs::CompletionQueue second =
      must(verbs::CompletionQueue::create(*context, 16, *channel, &other));
  verbs::QueuePair queuePair = must(verbs::QueuePair::create(pd, first, second, {}));
  const verbs::Selection& selection = device().selection();
  must(queuePair.toInit({.port = selection.port, .pkeyIndex = selection.pkeyIndex}));
  ibv_recv_wr receive{};
  ibv_recv_wr* refused = nullptr;
  ASSERT_EQ(ibv_post_recv(queuePair.get(), &receive, &refused), 0);
  ASSERT_EQ(first.arm(), 0);
  ASSERT_EQ(second.arm(), 0);
  must(queuePair.toError());
  ASSERT_TRUE(channel->wait(kPatience));
  EXPECT_EQ(must(channel->takeEvent()), std::optional<void*>(&other));
}

TEST_F(Completions, StayWhenTheQueueIsResized) {
  for (uint64_t i = 0; i < 4; i++) sendOne(i);
  expectSuccess(received(), 0, IBV_WC_RECV);
  for (uint64_t i = 0; i < 4; i++) expectSuccess(sent(), i, IBV_WC_SEND);
  base::Result<void> resized = responder().receiveQueue().resize(1000);
  ASSERT_TRUE(resized) << resized.error().sentence();
  EXPECT_GE(responder().receiveQueue().entries(), 1000);
  for (uint64_t i = 1; i < 4; i++) expectSuccess(received(), i, IBV_WC_RECV);
  sendOne(9);
  expectSuccess(received(), 9, IBV_WC_RECV);
}

TEST_F(Completions, ThatDoNotFitAreAnOverrunThatAnEventReports) {
  verbs::AsyncEvents events = must(verbs::AsyncEvents::of(*context));
  connectPair({}, {.completions = 1});
  int room = responder().receiveQueue().entries();
  ASSERT_LE(room, 63) << "the device gave a queue too long to overrun with one queue pair";
  for (uint64_t i = 0; i <= static_cast<uint64_t>(room); i++) {
    responder().postReceive(i, {responder().piece(0, 64)});
  }
  for (uint64_t i = 0; i <= static_cast<uint64_t>(room); i++) {
    requester().post({.id = i, .pieces = {requester().piece(0, 8)}});
  }
  std::optional<verbs::AsyncEvent> event = await(events);
  ASSERT_TRUE(event) << "no event came";
  EXPECT_EQ(event->type, IBV_EVENT_CQ_ERR);
  EXPECT_EQ(event->cq, responder().receiveQueue().get());
}

}  // namespace
}  // namespace verbena::conformance
