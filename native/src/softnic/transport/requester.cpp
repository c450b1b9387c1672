// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/requester.h"

#include <algorithm>

#include "base/clock.h"
#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/memory/scatter.h"
#include "softnic/transport/completer.h"
#include "softnic/transport/datagram.h"
#include "softnic/transport/direct_request.h"
#include "softnic/transport/faulty.h"
#include "softnic/transport/retries.h"
#include "softnic/transport/send_packets.h"

namespace verbena::softnic {
namespace {

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
  pauseSends(qp, base::monotonicNs() + timeout);
  qp.requester.pausedByDrop = true;
  return false;
}

/// A request that is wrong on this side fails when what was sent before it has completed as it
/// deserves. Always false: nothing behind it can be sent.
bool failNext(QueuePair& qp, ibv_wc_status status) {
  if (qp.sends.sent == qp.sends.done) failOldest(qp, status);
  return false;
}

/// The request that is next has been executed, and the responder knows nothing of it.
void finishNext(QueuePair& qp) {
  qp.sends.sent++;
  qp.requester.indexOfFirstPsn++;
  finishOldest(qp, IBV_WC_SUCCESS);
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
    case DirectOutcome::Done: finishNext(qp); return true;
    case DirectOutcome::TakesLong: return false;
    case DirectOutcome::BadLocalMemory: return failNext(qp, IBV_WC_LOC_PROT_ERR);
    case DirectOutcome::Unknown: return failNext(qp, IBV_WC_RETRY_EXC_ERR);
    case DirectOutcome::GoesAsPackets: break;
  }
  PacketsOutcome outcome = sendAsPackets(qp, request, psnOf(qp, qp.sends.sent));
  bool begun = outcome == PacketsOutcome::Sent || qp.requester.midMessage || request.placed;
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

void transmit(QueuePair& qp) {
  if (qp.requester.pausedUntilNs != 0 || qp.copy.blocks()) return;
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
  resumeSends(qp);
}

void resumeSends(QueuePair& qp) {
  if (!awaitsAnswers(qp)) return;
  transmit(qp);
  if (qp.link->pending.empty()) {
    qp.link->publish();
  } else {
    qp.owner().flush(*qp.link);  // acknowledgements travel along
  }
  if (!qp.sends.idle()) qp.owner().activate(qp);
}

void concludeCopy(QueuePair& qp, DirectOutcome outcome, bool overtook) {
  if (qp.state == IBV_QPS_ERR) return flushSends(qp);  // what enterError() could not
  SendRequest& request = qp.sends.at(qp.copy.index);
  // A refusal of what it overtook may have taken the queue back to before it.
  bool isNext = qp.sends.sent == qp.copy.index;
  if (outcome == DirectOutcome::Done) {
    request.placed = staysPlaced(request, overtook);
    if (!request.placed) finishNext(qp);
  } else if (isNext && outcome == DirectOutcome::BadLocalMemory) {
    failNext(qp, IBV_WC_LOC_PROT_ERR);
  } else if (isNext && outcome == DirectOutcome::Unknown) {
    failNext(qp, IBV_WC_RETRY_EXC_ERR);
  }
  resumeSends(qp);
  reportDrained(qp);
}

}  // namespace verbena::softnic
