// SPDX-License-Identifier: Apache-2.0
//
// Receives that are missing, too short or not allowed; queues that overrun, run low or are flushed.
#include "ends.h"
#include "softnic/objects/work_queue.h"

namespace verbena::softnic::testing {
namespace {

using std::chrono::milliseconds;

ibv_async_event takeEvent(const End& end) {
  ibv_async_event event{};
  EXPECT_EQ(provider().get_async_event(end.context.get(), &event), 0);
  provider().ack_async_event(&event);
  return event;
}

uint64_t takeFrom(ReceiveQueue& queue) {
  ReceiveQueue::Taken taken = queue.take();
  EXPECT_EQ(taken.sges.size(), 1U);
  EXPECT_EQ(taken.sges[0].length, taken.wrId) << "another one's list";
  return taken.wrId;
}

/// Whose room is as many bytes as its number.
void postTo(ReceiveQueue& queue, uint64_t number) {
  ibv_sge list{0, static_cast<uint32_t>(number), 0};
  queue.post({.wr_id = number, .next = nullptr, .sg_list = &list, .num_sge = 1});
}

TEST(ReceiveQueue, GivesTheOldestOfItsQueuePair) {
  ReceiveQueue queue(4, 2);
  for (uint64_t number = 1; number < 50; number++) {
    postTo(queue, number);
    postTo(queue, number + 100);
    EXPECT_EQ(queue.frontBytes(), number);
    EXPECT_EQ(takeFrom(queue), number);
    EXPECT_EQ(takeFrom(queue), number + 100);
    EXPECT_TRUE(queue.empty());
  }
}

TEST(ReceiveQueue, GivesTheLatestWhereItIsShared) {
  ReceiveQueue queue(4, 2, ReceiveQueue::Next::Latest);
  postTo(queue, 1);
  for (uint64_t number = 2; number < 50; number++) {
    postTo(queue, number);
    EXPECT_EQ(queue.frontBytes(), number);
    EXPECT_EQ(takeFrom(queue), number);
  }
  EXPECT_EQ(queue.waiting(), 1U);
  for (uint64_t number = 2; number < 5; number++) postTo(queue, number);
  EXPECT_TRUE(queue.full());
  for (uint64_t number = 4; number > 0; number--) EXPECT_EQ(takeFrom(queue), number);
  EXPECT_TRUE(queue.empty());
}

TEST(Rnr, ASendWaitsForItsReceive) {
  Pair pair;
  fill(pair.left.memory(), 64, 2);
  for (uint64_t i = 0; i < 3; i++) ASSERT_EQ(pair.left.send(i, 0, 64), 0);
  EXPECT_TRUE(pair.right.pollFor(milliseconds(1)).empty());
  for (uint64_t i = 0; i < 3; i++) ASSERT_EQ(pair.right.postReceive(10 + i, 0, 64), 0);
  std::vector<ibv_wc> got = pair.right.wait(3);
  for (uint64_t i = 0; i < 3; i++) EXPECT_EQ(got[i].wr_id, 10 + i);
  for (const ibv_wc& done : pair.left.wait(3)) EXPECT_EQ(done.status, IBV_WC_SUCCESS);
}

TEST(Rnr, RetriesAreCountedAndEnd) {
  Pair pair({}, {}, {.minRnrTimer = 1}, {.rnrRetry = 2});
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  ASSERT_EQ(pair.left.send(2, 0, 64), 0);
  std::vector<ibv_wc> done = pair.left.wait(2);
  EXPECT_EQ(done[0].status, IBV_WC_RNR_RETRY_EXC_ERR);
  EXPECT_EQ(done[0].wr_id, 1U);
  EXPECT_EQ(done[1].status, IBV_WC_WR_FLUSH_ERR);
  EXPECT_EQ(must(pair.right.qp.state()), IBV_QPS_RTS) << "the receiver has done nothing wrong";
}

TEST(Rnr, SevenRetriesWithoutEnd) {
  Pair pair({}, {}, {.minRnrTimer = 1}, {.rnrRetry = 7});
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_TRUE(pair.left.pollFor(milliseconds(50)).empty());
  ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
}

TEST(Errors, AMessageLongerThanItsReceive) {
  Pair pair;
  ASSERT_EQ(pair.right.postReceive(1, 0, 63), 0);
  ASSERT_EQ(pair.right.postReceive(2, 0, 63), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_REM_INV_REQ_ERR);
  std::vector<ibv_wc> got = pair.right.wait(2);
  EXPECT_EQ(got[0].status, IBV_WC_LOC_LEN_ERR);
  EXPECT_EQ(got[0].wr_id, 1U);
  EXPECT_EQ(got[1].status, IBV_WC_WR_FLUSH_ERR);
}

TEST(Errors, AReceiveIntoMemoryThatIsNotRegistered) {
  Pair pair;
  ibv_sge list = pair.right.sge(0, 64);
  list.lkey ^= 1;
  ibv_recv_wr receive{1, nullptr, &list, 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(ibv_post_recv(pair.right.qp.get(), &receive, &bad), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_REM_OP_ERR);
  EXPECT_EQ(pair.right.waitOne().status, IBV_WC_LOC_PROT_ERR);
}

TEST(Errors, ALocalKeyThatIsWrongFailsBehindWhatWasRight) {
  Pair pair;
  ASSERT_EQ(pair.right.postReceive(1, 0, 64), 0);
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  ibv_sge list = pair.left.sge(0, 64);
  list.lkey ^= 1;
  ibv_send_wr wrong = pair.left.request(IBV_WR_SEND, 2, &list);
  ASSERT_EQ(pair.left.post(wrong), 0);
  ASSERT_EQ(pair.left.send(3, 0, 64), 0);
  EXPECT_EQ(pair.right.waitOne().status, IBV_WC_SUCCESS);
  std::vector<ibv_wc> done = pair.left.wait(3);
  EXPECT_EQ(done[0].status, IBV_WC_SUCCESS);
  EXPECT_EQ(done[1].status, IBV_WC_LOC_PROT_ERR);
  EXPECT_EQ(done[1].wr_id, 2U);
  EXPECT_EQ(done[2].status, IBV_WC_WR_FLUSH_ERR);
}

TEST(Errors, APeerThatLeftItsStateEndsInRetryExceeded) {
  Pair pair({}, {}, {}, {.timeout = 8, .retryCount = 2});
  must(pair.right.qp.toError());
  ASSERT_EQ(pair.left.send(1, 0, 64), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_RETRY_EXC_ERR);
}

TEST(Errors, EverythingPostedIsFlushedInOrder) {
  Pair pair;
  for (uint64_t i = 0; i < 4; i++) ASSERT_EQ(pair.left.postReceive(i, 0, 64), 0);
  must(pair.left.qp.toError());
  ASSERT_EQ(pair.left.postReceive(4, 0, 64), 0);
  ASSERT_EQ(pair.left.send(5, 0, 64), 0);
  std::vector<ibv_wc> done = pair.left.wait(6);
  for (uint64_t i = 0; i < 6; i++) {
    EXPECT_EQ(done[i].wr_id, i);
    EXPECT_EQ(done[i].status, IBV_WC_WR_FLUSH_ERR);
    EXPECT_EQ(done[i].qp_num, pair.left.qp.qpNum());
  }
}

TEST(Requests, InlineDataIsTakenAtOnce) {
  EndOptions withInline;
  withInline.qp.inlineBytes = 128;
  Pair pair(withInline);
  ASSERT_EQ(pair.left.qp.capacity().max_inline_data, 128U);
  std::vector<std::byte> unregistered(128);
  fill(unregistered.data(), 128, 8);
  ibv_sge list{reinterpret_cast<uint64_t>(unregistered.data()), 128, 0};
  ibv_send_wr request = pair.left.request(IBV_WR_SEND, 1, &list);
  request.send_flags |= IBV_SEND_INLINE;
  ASSERT_EQ(pair.left.post(request), 0);
  fill(unregistered.data(), 128, 9);  // the SEND waits for a receive all this time
  ASSERT_EQ(pair.right.postReceive(1, 0, 128), 0);
  EXPECT_EQ(pair.right.waitOne().status, IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(pair.right.memory(), 128, 8));
  list.length = 129;
  EXPECT_EQ(pair.left.post(request), EINVAL);
}

TEST(Requests, UnsignalledOnesCompleteSilently) {
  Pair pair;
  for (uint64_t i = 0; i < 8; i++) ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
  for (uint64_t i = 0; i < 8; i++) {
    ibv_sge list = pair.left.sge(0, 64);
    ibv_send_wr request = pair.left.request(IBV_WR_SEND, i, &list);
    request.send_flags = i == 7 ? IBV_SEND_SIGNALED : 0;
    ASSERT_EQ(pair.left.post(request), 0);
  }
  pair.right.wait(8);
  EXPECT_EQ(pair.left.waitOne().wr_id, 7U);
  EXPECT_TRUE(pair.left.pollFor(milliseconds(2)).empty());
}

TEST(Requests, AFullQueueTakesNoMoreAndNamesTheRequest) {
  EndOptions small;
  small.qp.sendWorkRequests = 2;
  Pair pair(small);
  ibv_sge list = pair.left.sge(0, 64);
  ibv_send_wr chain[3];
  for (uint64_t i = 0; i < 3; i++) {
    chain[i] = pair.left.request(IBV_WR_SEND, i, &list);
    chain[i].next = i < 2 ? &chain[i + 1] : nullptr;
  }
  ibv_send_wr* bad = nullptr;
  EXPECT_EQ(ibv_post_send(pair.left.qp.get(), chain, &bad), ENOMEM);
  EXPECT_EQ(bad, &chain[2]);
  for (uint64_t i = 0; i < 2; i++) ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
  pair.left.wait(2);
}

TEST(CompletionQueues, AnOverrunIsAnEventAndTakesTheQueuePairDown) {
  EndOptions small;
  small.cqEntries = 4;
  Pair pair({}, small);
  for (uint64_t i = 0; i < 6; i++) ASSERT_EQ(pair.right.postReceive(i, 0, 64), 0);
  for (uint64_t i = 0; i < 6; i++) ASSERT_EQ(pair.left.send(i, 0, 64), 0);
  ibv_async_event overrun = takeEvent(pair.right);
  EXPECT_EQ(overrun.event_type, IBV_EVENT_CQ_ERR);
  EXPECT_EQ(overrun.element.cq, pair.right.cq.get());
  EXPECT_EQ(takeEvent(pair.right).event_type, IBV_EVENT_QP_FATAL);
  EXPECT_EQ(must(pair.right.qp.state()), IBV_QPS_ERR);
  ibv_wc done[8];
  EXPECT_EQ(pair.right.cq.poll(done), 4) << "what came before is still there";
  EXPECT_LT(pair.right.cq.poll(done), 0);
}

TEST(SharedReceives, FeedAllQueuePairsAndTellWhenTheyRunLow) {
  EndOptions shared;
  shared.srqEntries = 16;
  Pair pair({}, shared);
  for (uint64_t i = 0; i < 8; i++) ASSERT_EQ(pair.right.postReceive(i, i * 64, 64), 0);
  must(pair.right.srq->armLimit(6));
  for (uint64_t i = 0; i < 3; i++) ASSERT_EQ(pair.left.send(i, 0, 64), 0);
  std::vector<ibv_wc> got = pair.right.wait(3);
  for (uint64_t i = 0; i < 3; i++) EXPECT_EQ(got[i].wr_id, 7 - i) << "the latest are taken first";
  ibv_async_event low = takeEvent(pair.right);
  EXPECT_EQ(low.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
  EXPECT_EQ(low.element.srq, pair.right.srq->get());
  EXPECT_EQ(must(pair.right.srq->query()).srq_limit, 0U) << "one event per arming";
  must(pair.right.qp.toError());
  EXPECT_EQ(takeEvent(pair.right).event_type, IBV_EVENT_QP_LAST_WQE_REACHED);
  EXPECT_TRUE(pair.right.pollFor(milliseconds(2)).empty()) << "shared receives are not flushed";
}

TEST(Datagrams, CarryAHeaderAndWhoSentThem) {
  Folders folders;
  EndOptions options;
  options.qp.type = IBV_QPT_UD;
  End left(options);
  End right(options);
  for (End* end : {&left, &right}) {
    must(end->qp.toInit({.qkey = 0x1234}));
    must(end->qp.toRtr());
    must(end->qp.toRts());
  }
  verbs::Path path;
  path.remoteGid = right.gid();
  auto address = must(verbs::AddressHandle::create(left.pd, path));
  ASSERT_EQ(right.postReceive(1, 0, 140), 0);
  fill(left.memory(), 100, 5);
  auto sendTo = [&](uint32_t qkey, size_t bytes) {
    ibv_sge list = left.sge(0, bytes);
    ibv_send_wr request = left.request(IBV_WR_SEND, 1, &list);
    request.wr.ud = {address.get(), right.qp.qpNum(), qkey};
    EXPECT_EQ(left.post(request), 0);
    EXPECT_EQ(left.waitOne().status, IBV_WC_SUCCESS);
  };
  sendTo(0x9999, 100);  // the wrong key
  sendTo(0x1234, 101);  // does not fit
  EXPECT_TRUE(right.pollFor(milliseconds(5)).empty());
  sendTo(0x1234, 100);
  ibv_wc got = right.waitOne();
  EXPECT_EQ(got.status, IBV_WC_SUCCESS);
  EXPECT_EQ(got.byte_len, 140U);
  EXPECT_EQ(got.src_qp, left.qp.qpNum());
  EXPECT_EQ(got.wc_flags, static_cast<unsigned>(IBV_WC_GRH));
  EXPECT_TRUE(holds(right.memory() + 40, 100, 5));
  auto& header = *reinterpret_cast<ibv_grh*>(right.memory());
  auto back = verbs::AddressHandle::toSender(right.pd, 1, got, header);
  EXPECT_TRUE(back.ok());
  sendTo(0x1234, 100);  // nobody has posted: dropped, and the sender does not notice
  EXPECT_TRUE(right.pollFor(milliseconds(5)).empty());
}

TEST(Memory, RegistrationRefusesWhatTheSpecificationRefuses) {
  Folders folders;
  End end;
  ibv_pd* pd = end.pd.get();
  EXPECT_EQ(provider().reg_mr(pd, end.memory(), 64, IBV_ACCESS_REMOTE_WRITE), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(provider().reg_mr(pd, reinterpret_cast<void*>(0x1000), 64, IBV_ACCESS_LOCAL_WRITE),
            nullptr);
  EXPECT_EQ(errno, EFAULT);
  EXPECT_EQ(provider().dealloc_pd(pd), EBUSY);
}

}  // namespace
}  // namespace verbena::softnic::testing
