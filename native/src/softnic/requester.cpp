// SPDX-License-Identifier: Apache-2.0
#include "softnic/requester.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "softnic/context.h"
#include "softnic/datagram.h"
#include "softnic/direct_request.h"
#include "softnic/faulty.h"
#include "softnic/futex.h"
#include "softnic/limits.h"
#include "softnic/send_packets.h"

namespace verbena::softnic {
namespace {

bool awaitsAnswers(const QueuePair& qp) {
  return qp.state == IBV_QPS_RTS || qp.state == IBV_QPS_SQD;
}

ibv_wc_opcode completionOpcode(ibv_wr_opcode opcode) {
  switch (opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM: return IBV_WC_RDMA_WRITE;
    case IBV_WR_RDMA_READ: return IBV_WC_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP: return IBV_WC_COMP_SWAP;
    case IBV_WR_ATOMIC_FETCH_AND_ADD: return IBV_WC_FETCH_ADD;
    default: return IBV_WC_SEND;
  }
}

uint32_t psnOf(const QueuePair& qp, uint64_t index) {
  const RequesterState& state = qp.requester;
  return psnPlus(state.firstPsn, static_cast<uint32_t>(index - state.indexOfFirstPsn));
}

/// Completes the oldest request.
void finishOldest(QueuePair& qp, ibv_wc_status status) {
  SendRequest& request = qp.sends.at(qp.sends.done);
  qp.sends.done++;
  if (status == IBV_WC_SUCCESS && !request.has(IBV_SEND_SIGNALED)) return;
  ibv_wc completion{};
  completion.wr_id = request.wrId;
  completion.status = status;
  completion.opcode = completionOpcode(request.opcode);
  if (request.hasResponse()) completion.byte_len = static_cast<uint32_t>(request.lengthBytes);
  completion.qp_num = qp.qp_num;
  complete(qp, qp.sendCq(), completion, false);
}

void progressed(QueuePair& qp) {
  qp.requester.retriesLeft = qp.attributes.retry_cnt;
  qp.requester.rnrRetriesLeft = qp.attributes.rnr_retry;
  qp.requester.lastProgressNs = qp.owner().nowNs;
}

/// Completes requests up to and including `psn`. Stops at one whose response has not come: no
/// honest peer acknowledges past it.
void completeThrough(QueuePair& qp, uint32_t psn) {
  bool any = false;
  while (qp.sends.done != qp.sends.sent && psnDistance(psn, psnOf(qp, qp.sends.done)) >= 0) {
    SendRequest& request = qp.sends.at(qp.sends.done);
    if (request.hasResponse()) {
      if (!request.answered) break;
      qp.requester.responsesAwaited--;
    }
    finishOldest(qp, IBV_WC_SUCCESS);
    any = true;
    if (qp.state == IBV_QPS_ERR) return;  // the completion queue has overrun
  }
  if (any) progressed(qp);
}

/// Whether `psn` is that of the oldest request, and the peer has seen something of it: a long one
/// is refused by its first packet while we are still busy with the others, which the peer ignores.
bool isOldest(const QueuePair& qp, uint32_t psn) {
  bool begun = qp.sends.done != qp.sends.sent || qp.requester.midMessage;
  return begun && psn == psnOf(qp, qp.sends.done);
}

/// Whatever is sent again begins with its first packet.
void restartFromOldest(QueuePair& qp) {
  qp.sends.sent = qp.sends.done;
  qp.requester.fragmentOffset = 0;
  qp.requester.midMessage = false;
  qp.requester.responsesAwaited = 0;
}

/// Ends the pause without sending anything. True if it was for a message dropped.
bool unpause(QueuePair& qp) {
  if (qp.requester.pausedUntilNs != 0) qp.owner().paused--;
  qp.requester.pausedUntilNs = 0;
  return std::exchange(qp.requester.pausedByDrop, false);
}

void endPause(QueuePair& qp) {
  if (unpause(qp)) {
    if (qp.requester.retriesLeft == 0) return failOldest(qp, IBV_WC_RETRY_EXC_ERR);
    qp.requester.retriesLeft--;
  }
  transmit(qp);
  qp.link->publish();
}

/// The fabric would have said nothing, and we would have sent again after the time-out.
void handleDropped(QueuePair& qp, uint32_t psn) {
  RequesterState& state = qp.requester;
  if (!isOldest(qp, psn) || state.pausedUntilNs != 0) return;
  uint64_t timeout = ackTimeoutNs(qp.attributes.timeout);
  if (timeout == 0) return;  // waits for ever, as asked
  pauseSends(qp, monotonicNs() + timeout);
  state.pausedByDrop = true;
}

void handleNak(QueuePair& qp, const Packet& packet) {
  completeThrough(qp, psnPlus(packet.header.psn, kPsnMask));
  if (!awaitsAnswers(qp) || !isOldest(qp, packet.header.psn)) return;
  switch (static_cast<Syndrome>(packet.header.immediate & 0xff)) {
    case Syndrome::ReceiverNotReady:
      return receiverNotReady(qp, static_cast<uint8_t>(packet.header.immediate >> 8 & 0x1f));
    case Syndrome::InvalidRequest: return failOldest(qp, IBV_WC_REM_INV_REQ_ERR);
    case Syndrome::RemoteAccess: return failOldest(qp, IBV_WC_REM_ACCESS_ERR);
    case Syndrome::RemoteOperational: return failOldest(qp, IBV_WC_REM_OP_ERR);
  }
  failOldest(qp, IBV_WC_BAD_RESP_ERR);
}

/// The oldest request, if it is one that `packet` may answer with data.
SendRequest* answeredBy(QueuePair& qp, const Packet& packet) {
  completeThrough(qp, psnPlus(packet.header.psn, kPsnMask));
  bool oldest = qp.sends.done != qp.sends.sent && packet.header.psn == psnOf(qp, qp.sends.done);
  if (!awaitsAnswers(qp) || !oldest) return nullptr;
  SendRequest& request = qp.sends.at(qp.sends.done);
  bool fits = packet.header.kind == PacketKind::ReadResponse ? request.opcode == IBV_WR_RDMA_READ
                                                             : request.isAtomic();
  if (!fits) failOldest(qp, IBV_WC_BAD_RESP_ERR);
  return fits ? &request : nullptr;
}

void handleResponse(QueuePair& qp, const Packet& packet) {
  SendRequest* request = answeredBy(qp, packet);
  if (request == nullptr) return;
  size_t bytes = packet.payload.size();
  if (bytes > request->lengthBytes - request->answeredBytes) {
    return failOldest(qp, IBV_WC_BAD_RESP_ERR);
  }
  if (!scatter(localMemory(qp, qp.sends.done), request->answeredBytes, packet.payload.data(),
               bytes)) {
    return failOldest(qp, IBV_WC_LOC_PROT_ERR);
  }
  request->answeredBytes += bytes;
  if (!packet.has(kLast)) return;
  if (request->answeredBytes != request->lengthBytes) return failOldest(qp, IBV_WC_BAD_RESP_ERR);
  request->answered = true;
  completeThrough(qp, packet.header.psn);
}

bool mayStart(const QueuePair& qp, const SendRequest& request) {
  uint32_t awaited = qp.requester.responsesAwaited;
  if (request.has(IBV_SEND_FENCE) && awaited != 0) return false;
  return !request.hasResponse() || awaited < qp.attributes.max_rd_atomic;
}

/// What is wrong with the request on this side, as far as it shows before its data is touched.
ibv_wc_status checkLocally(QueuePair& qp, const SendRequest& request) {
  if (request.lengthBytes > kMaxMessageBytes) return IBV_WC_LOC_LEN_ERR;
  if (request.isAtomic() && request.lengthBytes != sizeof(uint64_t)) return IBV_WC_LOC_LEN_ERR;
  if (!request.hasResponse()) return IBV_WC_SUCCESS;
  bool writable = allowed(localMemory(qp, qp.sends.sent), IBV_ACCESS_LOCAL_WRITE);
  return writable ? IBV_WC_SUCCESS : IBV_WC_LOC_PROT_ERR;
}

/// What is sent while the port is down is as good as dropped. Always false.
bool loseNext(QueuePair& qp) {
  uint64_t timeout = ackTimeoutNs(qp.attributes.timeout);
  if (qp.sends.sent != qp.sends.done || timeout == 0) return false;
  pauseSends(qp, monotonicNs() + timeout);
  qp.requester.pausedByDrop = true;
  return false;
}

/// A request that is wrong on this side fails when what was sent before it has completed as it
/// deserves. Always false: nothing behind it can be sent.
bool failNext(QueuePair& qp, ibv_wc_status status) {
  if (qp.sends.sent == qp.sends.done) failOldest(qp, status);
  return false;
}

/// Sends the request that is next. False if it has to wait or has failed.
bool sendNext(QueuePair& qp) {
  SendRequest& request = qp.sends.at(qp.sends.sent);
  if (!qp.requester.midMessage) {
    if (!mayStart(qp, request)) return false;
    if (qp.owner().faults != nullptr && !faultLetsPass(qp, request)) return false;
    if (!qp.owner().portUp) return loseNext(qp);
    ibv_wc_status status = checkLocally(qp, request);
    if (status != IBV_WC_SUCCESS) return failNext(qp, status);
  }
  switch (executeDirectly(qp, request)) {
    case DirectOutcome::Done:
      qp.sends.sent++;
      qp.requester.indexOfFirstPsn++;  // the responder knows nothing of it
      finishOldest(qp, IBV_WC_SUCCESS);
      return true;
    case DirectOutcome::BadLocalMemory: return failNext(qp, IBV_WC_LOC_PROT_ERR);
    case DirectOutcome::GoesAsPackets: break;
  }
  PacketsOutcome outcome = sendAsPackets(qp, request, psnOf(qp, qp.sends.sent));
  bool begun = outcome == PacketsOutcome::Sent || qp.requester.midMessage;
  if (begun) qp.requester.begun = std::max(qp.requester.begun, qp.sends.sent + 1);
  switch (outcome) {
    case PacketsOutcome::Sent: break;
    case PacketsOutcome::NoRoom: deferSend(qp); return false;
    case PacketsOutcome::BadLocalMemory: return failNext(qp, IBV_WC_LOC_PROT_ERR);
  }
  if (request.hasResponse()) qp.requester.responsesAwaited++;
  qp.sends.sent++;
  return true;
}

}  // namespace

void failOldest(QueuePair& qp, ibv_wc_status status) {
  finishOldest(qp, status);
  enterError(qp);
}

void pauseSends(QueuePair& qp, uint64_t endNs) {
  restartFromOldest(qp);
  if (qp.requester.pausedUntilNs == 0) qp.owner().paused++;
  qp.requester.pausedUntilNs = endNs;
  qp.owner().activate(qp);
}

void receiverNotReady(QueuePair& qp, uint8_t timer) {
  RequesterState& state = qp.requester;
  if (state.rnrRetriesLeft == 0) return failOldest(qp, IBV_WC_RNR_RETRY_EXC_ERR);
  constexpr uint8_t kWithoutEnd = 7;
  if (state.rnrRetriesLeft != kWithoutEnd) state.rnrRetriesLeft--;
  pauseSends(qp, monotonicNs() + rnrTimerNs(timer));
}

void transmit(QueuePair& qp) {
  if (qp.requester.pausedUntilNs != 0) return;
  while (qp.sends.sent != qp.sends.posted) {
    // A queue that drains still finishes what it has begun, refused messages too.
    bool begun = qp.state == IBV_QPS_SQD && qp.sends.sent < qp.requester.begun;
    if ((qp.state != IBV_QPS_RTS && !begun) || !sendNext(qp)) return;
  }
}

void reportDrained(QueuePair& qp) {
  bool drained = qp.state == IBV_QPS_SQD && qp.sends.done >= qp.requester.begun;
  if (!drained || qp.drainReported || qp.attributes.en_sqd_async_notify == 0) return;
  qp.drainReported = true;
  qp.owner().raise(IBV_EVENT_SQ_DRAINED, qp);
}

void startSends(QueuePair& qp) {
  if (qp.state == IBV_QPS_ERR || qp.state == IBV_QPS_SQE) return flushSends(qp);
  if (qp.qp_type == IBV_QPT_UD) return sendDatagrams(qp);
  if (qp.state != IBV_QPS_RTS) return;
  if (!qp.active) progressed(qp);
  transmit(qp);
  if (qp.link->pending.empty()) {
    qp.link->publish();
  } else {
    qp.owner().flush(*qp.link);  // acknowledgements travel along
  }
  if (!qp.sends.idle()) qp.owner().activate(qp);
}

void handleAnswer(QueuePair& qp, const Packet& packet) {
  if (!awaitsAnswers(qp)) return;
  switch (packet.header.kind) {
    case PacketKind::Ack: completeThrough(qp, packet.header.psn); break;
    case PacketKind::Nak: handleNak(qp, packet); break;
    case PacketKind::Dropped: handleDropped(qp, packet.header.psn); break;
    default: handleResponse(qp, packet); break;
  }
  if (qp.sends.sent != qp.sends.posted) deferSend(qp);
  reportDrained(qp);
}

bool checkTimer(QueuePair& qp, uint64_t now) {
  RequesterState& state = qp.requester;
  if (!awaitsAnswers(qp) || qp.sends.idle()) return false;
  if (state.pausedUntilNs != 0) {
    if (now < state.pausedUntilNs) return false;
    endPause(qp);
    return true;
  }
  uint64_t timeout = ackTimeoutNs(qp.attributes.timeout);
  if (timeout == 0 || now - state.lastProgressNs < timeout) return false;
  state.lastProgressNs = now;
  if (!qp.link->peerGone()) return false;  // slow is not gone
  qp.link->peerLeft();
  if (qp.link->canReceive()) return false;  // what it has said before may be the answer
  if (state.retriesLeft == 0) {
    failOldest(qp, IBV_WC_RETRY_EXC_ERR);
  } else {
    state.retriesLeft--;
  }
  return true;
}

void flushSends(QueuePair& qp) {
  unpause(qp);
  while (!qp.sends.idle()) finishOldest(qp, IBV_WC_WR_FLUSH_ERR);
  restartFromOldest(qp);
}

uint64_t ackTimeoutNs(uint8_t code) {
  return code == 0 ? 0 : uint64_t{4096} << code;
}

uint64_t rnrTimerNs(uint8_t code) {
  // InfiniBand Architecture Specification, volume 1, table "Encoding for RNR NAK timer field", in
  // units of 10 us; code 0 is the longest.
  static constexpr std::array<uint32_t, 32> kTensOfUs = {
      65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
      48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
      2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return uint64_t{kTensOfUs[code & 31]} * 10'000;
}

}  // namespace verbena::softnic
