// SPDX-License-Identifier: Apache-2.0
//
// Unreliable datagrams: addressed one by one, dropped without a word, 40 bytes of address in front.
#include <arpa/inet.h>

#include <cstring>
#include <thread>

#include "conformance_test.h"
#include "verbs/names.h"

namespace verbena::conformance {
namespace {

using verbs::AddressHandle;

constexpr size_t kHeader = sizeof(ibv_grh);
static_assert(kHeader == 40);

class Datagram : public Conformance {
 protected:
  void SetUp() override {
    Conformance::SetUp();
    if (HasFailure()) return;
    open({.type = IBV_QPT_UD, .inlineBytes = 64});
  }

  void open(const EndpointOptions& options) {
    sender.emplace(*context, options);
    receiver.emplace(*context, options);
    sender->open();
    receiver->open();
    address.emplace(must(AddressHandle::create(sender->pd(), loopback())));
  }

  Send datagram(uint64_t id, size_t bytes) {
    return {.id = id,
            .pieces = {sender->piece(0, bytes)},
            .to = &*address,
            .remoteQpNum = receiver->queuePair().qpNum()};
  }

  ibv_wc sent() { return await(sender->sendQueue()); }
  ibv_wc received() { return await(receiver->receiveQueue()); }

  std::optional<Endpoint> sender;
  std::optional<Endpoint> receiver;
  std::optional<AddressHandle> address;
};

TEST_F(Datagram, ArrivesBehindItsHeader) {
  sender->fill(0, 100, 1);
  receiver->postReceive(5, {receiver->piece(0, 200)});
  sender->post(datagram(1, 100));
  expectSuccess(sent(), 1, IBV_WC_SEND);
  ibv_wc at = received();
  expectSuccess(at, 5, IBV_WC_RECV);
  EXPECT_EQ(at.byte_len, kHeader + 100);
  EXPECT_EQ(at.src_qp, sender->queuePair().qpNum());
  EXPECT_NE(at.wc_flags & IBV_WC_GRH, 0U);
  EXPECT_TRUE(receiver->holds(kHeader, 100, 1));
}

TEST_F(Datagram, CarriesImmediateData) {
  receiver->postReceive(5, {receiver->piece(0, 200)});
  Send send = datagram(1, 8);
  send.opcode = IBV_WR_SEND_WITH_IMM;
  send.immediate = 99;
  sender->post(send);
  ibv_wc at = received();
  EXPECT_NE(at.wc_flags & IBV_WC_WITH_IMM, 0U);
  EXPECT_EQ(ntohl(at.imm_data), 99U);
}

TEST_F(Datagram, OfNoBytesIsAHeaderAlone) {
  receiver->postReceive(5, {receiver->piece(0, kHeader)});
  sender->post(datagram(1, 0));
  EXPECT_EQ(received().byte_len, kHeader);
}

TEST_F(Datagram, OfAWholePacketArrives) {
  size_t bytes = verbs::mtuBytes(device().selection().mtu);
  sender->fill(0, bytes, 2);
  receiver->postReceive(5, {receiver->piece(0, kHeader + bytes)});
  sender->post(datagram(1, bytes));
  EXPECT_EQ(received().byte_len, kHeader + bytes);
  EXPECT_TRUE(receiver->holds(kHeader, bytes, 2));
}

TEST_F(Datagram, IsScatteredBehindItsHeader) {
  sender->fill(0, 60, 1);
  receiver->postReceive(5, {receiver->piece(1000, kHeader), receiver->piece(0, 60)});
  sender->post(datagram(1, 60));
  EXPECT_EQ(received().byte_len, kHeader + 60);
  EXPECT_TRUE(receiver->holds(0, 60, 1));
}

TEST_F(Datagram, MayBeInline) {
  sender->fill(0, 64, 1);
  receiver->postReceive(5, {receiver->piece(0, 200)});
  Send send = datagram(1, 64);
  send.flags |= IBV_SEND_INLINE;
  sender->post(send);
  sender->fill(0, 64, 9);
  expectSuccess(received(), 5, IBV_WC_RECV);
  EXPECT_TRUE(receiver->holds(kHeader, 64, 1));
}

TEST_F(Datagram, WithoutAReceiveIsDroppedAndTheSenderDoesNotKnow) {
  sender->post(datagram(1, 8));
  expectSuccess(sent(), 1, IBV_WC_SEND);
  std::this_thread::sleep_for(kSilence);  // let it be dropped before there is a receive for it
  receiver->postReceive(5, {receiver->piece(0, 200)});
  expectSilence(receiver->receiveQueue());
  sender->post(datagram(2, 8));
  expectSuccess(received(), 5, IBV_WC_RECV);
}

TEST_F(Datagram, WithAWrongQkeyIsDropped) {
  receiver->postReceive(5, {receiver->piece(0, 200)});
  Send send = datagram(1, 8);
  send.qkey = kQkey + 1;
  sender->post(send);
  expectSuccess(sent(), 1, IBV_WC_SEND);
  expectSilence(receiver->receiveQueue());
  sender->post(datagram(2, 8));
  expectSuccess(received(), 5, IBV_WC_RECV);
}

TEST_F(Datagram, WithAControlledQkeyCarriesTheQueuePairsOwn) {
  receiver->postReceive(5, {receiver->piece(0, 200)});
  Send send = datagram(1, 8);
  send.qkey = 0x80000000U;  // the high bit asks for the key of the sending queue pair
  sender->post(send);
  if (device().has(KnownDifference::controlledQkeyIsSentAsItIs)) {
    expectSilence(receiver->receiveQueue());
  } else {
    expectSuccess(received(), 5, IBV_WC_RECV);
  }
}

TEST_F(Datagram, ToNobodyIsDropped) {
  Send send = datagram(1, 8);
  send.remoteQpNum = 0xfedcba;
  sender->post(send);
  expectSuccess(sent(), 1, IBV_WC_SEND);
  EXPECT_EQ(must(sender->queuePair().state()), IBV_QPS_RTS);
}

TEST_F(Datagram, GoesWhereverItIsAddressed) {
  Endpoint third(*context, {.type = IBV_QPT_UD});
  third.open();
  receiver->postReceive(5, {receiver->piece(0, 200)});
  third.postReceive(6, {third.piece(0, 200)});
  Send toThird = datagram(2, 8);
  toThird.remoteQpNum = third.queuePair().qpNum();
  sender->post(datagram(1, 8));
  sender->post(toThird);
  expectSuccess(received(), 5, IBV_WC_RECV);
  expectSuccess(await(third.receiveQueue()), 6, IBV_WC_RECV);
}

TEST_F(Datagram, SaysWhereToSendTheAnswer) {
  receiver->postReceive(5, {receiver->piece(0, 200)});
  sender->post(datagram(1, 8));
  ibv_wc at = received();
  ibv_grh header;
  std::memcpy(&header, receiver->memory().data(), sizeof header);
  AddressHandle back =
      must(AddressHandle::toSender(receiver->pd(), device().selection().port, at, header));
  sender->postReceive(6, {sender->piece(1024, 200)});
  receiver->post(
      {.id = 2, .pieces = {receiver->piece(0, 8)}, .to = &back, .remoteQpNum = at.src_qp});
  expectSuccess(await(sender->receiveQueue()), 6, IBV_WC_RECV);
}

TEST_F(Datagram, LongerThanAPacketIsNotSentAndNoError) {
  // C10-93.1.1: no packet shall be emitted, and no error be generated.
  size_t bytes = verbs::mtuBytes(device().selection().mtu) + 1;
  receiver->postReceive(5, {receiver->piece(0, kHeader + bytes)});
  sender->post(datagram(1, bytes));
  expectSuccess(sent(), 1, IBV_WC_SEND);
  expectSilence(receiver->receiveQueue());
}

TEST_F(Datagram, CannotBeAOneSidedOperation) {
  // Refused at once or by a completion: the specification allows both.
  Send send = datagram(1, 8);
  send.opcode = IBV_WR_RDMA_WRITE;
  if (sender->tryPost(send) == 0) expectStatus(sent(), 1, IBV_WC_LOC_QP_OP_ERR);
}

TEST_F(Datagram, ReceivesAreFlushedInError) {
  receiver->postReceive(5, {receiver->piece(0, 200)});
  must(receiver->queuePair().toError());
  expectStatus(received(), 5, IBV_WC_WR_FLUSH_ERR);
}

TEST_F(Datagram, StreamArrivesInOrderWithinAProcess) {
  // Datagrams may be lost or overtake each other on a fabric; on one port nothing is there to do
  // that.
  constexpr uint64_t kCount = 200;
  constexpr uint64_t kWindow = 8;
  auto slot = [](uint64_t i) { return 256 * (i % kWindow); };
  for (uint64_t i = 0; i < kWindow; i++) receiver->postReceive(i, {receiver->piece(slot(i), 256)});
  for (uint64_t i = 0; i < kCount; i++) {
    sender->word(0) = i;
    sender->post(datagram(i, 8));
    expectSuccess(sent(), i, IBV_WC_SEND);
    expectSuccess(received(), i, IBV_WC_RECV);
    ASSERT_EQ(receiver->word(slot(i) + kHeader), i);
    receiver->postReceive(i + kWindow, {receiver->piece(slot(i), 256)});
  }
}

}  // namespace
}  // namespace verbena::conformance
