// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/completer.h"

#include "base/clock.h"
#include "softnic/device/context.h"
#include "softnic/memory/scatter.h"
#include "softnic/transport/long_copy.h"
#include "softnic/transport/requester.h"
#include "softnic/transport/retries.h"
#include "softnic/transport/send_packets.h"

namespace verbena::softnic {
namespace {

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

/// The fabric would have said nothing, and we would have sent again after the time-out.
void handleDropped(QueuePair& qp, uint32_t psn) {
  RequesterState& state = qp.requester;
  if (!isOldest(qp, psn) || state.pausedUntilNs != 0) return;
  uint64_t timeout = ackTimeoutNs(qp.attributes.timeout);
  if (timeout == 0) return;  // waits for ever, as asked
  pauseSends(qp, base::monotonicNs() + timeout);
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

}  // namespace

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
  bool gone = status == IBV_WC_RETRY_EXC_ERR && qp.link != nullptr;
  if (gone) completion.vendor_err = qp.link->hindrance();
  complete(qp, qp.sendCq(), completion, false);
}

void failOldest(QueuePair& qp, ibv_wc_status status) {
  finishOldest(qp, status);
  enterError(qp);
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

void flushSends(QueuePair& qp) {
  unpause(qp);
  forgetLongCopy(qp);
  // A thread still reads or writes the memory of a request that it copies; it flushes the rest.
  auto copied = [&] { return qp.copy.running && qp.sends.done == qp.copy.index; };
  while (!qp.sends.idle() && !copied()) finishOldest(qp, IBV_WC_WR_FLUSH_ERR);
  restartFromOldest(qp);
}

}  // namespace verbena::softnic
