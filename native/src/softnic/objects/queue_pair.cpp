// SPDX-License-Identifier: Apache-2.0
#include "softnic/objects/queue_pair.h"

#include <utility>

#include "softnic/device/context.h"
#include "softnic/memory/direct.h"
#include "softnic/transport/completer.h"

namespace verbena::softnic {
namespace {

bool takeFrom(QueuePair& qp, ReceiveQueue& queue, uint64_t bytes) {
  if (queue.empty() || (bytes != 0 && queue.frontBytes() < bytes)) return false;
  ReceiveQueue::Taken taken = queue.take();
  qp.current.taken = true;
  qp.current.wrId = taken.wrId;
  qp.current.sgeCount = static_cast<uint32_t>(taken.sges.size());
  for (uint32_t i = 0; i < qp.current.sgeCount; i++) qp.current.sges[i] = taken.sges[i];
  return true;
}

}  // namespace

void complete(QueuePair& qp, CompletionQueue& cq, const ibv_wc& completion, bool solicited) {
  bool before = false;
  {
    auto held = cq.use.hold();
    before = cq.overrun;
    if (cq.push(completion, solicited)) return;
  }
  if (!before) qp.owner().raise(IBV_EVENT_CQ_ERR, cq);
  if (qp.state == IBV_QPS_ERR) return;
  qp.owner().raise(IBV_EVENT_QP_FATAL, qp);
  enterError(qp);
}

void enterError(QueuePair& qp) {
  qp.state = IBV_QPS_ERR;
  publishState(qp);
  flushSends(qp);
  flushReceives(qp);
  if (qp.srq != nullptr && !qp.lastWqeReported) {
    qp.owner().raise(IBV_EVENT_QP_LAST_WQE_REACHED, qp);
    qp.lastWqeReported = true;
  }
}

void publishState(QueuePair& qp) {
  PublishedQp& shown = qp.owner().port().qps[qp.index];
  QpControl control{qp.qp_type == IBV_QPT_RC && qp.canReceive(), qp.attributes.qp_access_flags,
                    qp.attributes.dest_qp_num, qp.pd->handle};
  // seq_cst pairs with the mark of DirectWindow::access()
  shown.control.store(control.receives ? packControl(control) : 0, std::memory_order_seq_cst);
}

bool takeReceive(QueuePair& qp) {
  return takeReceive(qp, 0);
}

bool takeReceive(QueuePair& qp, uint64_t bytes) {
  SharedReceiveQueue* srq = qp.shared();
  if (srq == nullptr) return takeFrom(qp, qp.receives, bytes);
  auto held = srq->use.hold();
  if (!takeFrom(qp, srq->queue, bytes)) return false;
  if (srq->queue.waiting() < srq->limit) {
    srq->limit = 0;  // one event per arming
    qp.owner().raise(IBV_EVENT_SRQ_LIMIT_REACHED, *srq);
  }
  return true;
}

void deferSend(QueuePair& qp) {
  if (qp.link != nullptr) qp.link->urgent = true;
  deferAck(qp);
}

void deferAck(QueuePair& qp) {
  if (qp.pending || qp.link == nullptr) return;
  qp.pending = true;
  qp.link->pending.push_back(&qp);
}

void flushReceives(QueuePair& qp) {
  auto flushOne = [&](uint64_t wrId) {
    ibv_wc completion{};
    completion.wr_id = wrId;
    completion.status = IBV_WC_WR_FLUSH_ERR;
    completion.opcode = IBV_WC_RECV;
    completion.qp_num = qp.qp_num;
    complete(qp, qp.recvCq(), completion, false);
  };
  if (std::exchange(qp.current.taken, false)) flushOne(qp.current.wrId);
  while (qp.srq == nullptr && !qp.receives.empty()) flushOne(qp.receives.take().wrId);
}

}  // namespace verbena::softnic
