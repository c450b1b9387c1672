// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "base/clock.h"
#include "softnic/control/control.h"
#include "softnic/control/states.h"
#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/memory/no_memory.h"
#include "softnic/memory/stragglers.h"
#include "softnic/transport/answers.h"
#include "softnic/transport/long_copy.h"

namespace verbena::softnic {
namespace {

bool validSizes(const ibv_qp_cap& cap) {
  return cap.max_send_wr <= kMaxWorkRequests && cap.max_recv_wr <= kMaxWorkRequests &&
         cap.max_send_sge <= kMaxSge && cap.max_recv_sge <= kMaxSge &&
         cap.max_inline_data <= kMaxInlineBytes;
}

bool validQueues(const ibv_pd* pd, const ibv_qp_init_attr& wanted) {
  if (wanted.send_cq == nullptr || wanted.recv_cq == nullptr) return false;
  if (wanted.send_cq->context != pd->context || wanted.recv_cq->context != pd->context)
    return false;
  return wanted.srq == nullptr || wanted.srq->context == pd->context;
}

/// A queue that nobody else uses comes along to the queue pair's port.
void join(SharedReceiveQueue& srq, Context& port) {
  std::unique_lock guard = lockHome(srq);
  if (srq.users++ == 0) {
    srq.home.store(&port, std::memory_order_release);  // pairs with lockHome()
  } else if (srq.home.load(std::memory_order_relaxed) != &port) {
    srq.use.begin();
  }
}

/// Counts the queue pair with everything that must outlive it.
void joinAll(const QueuePair& qp) {
  static_cast<ProtectionDomain*>(qp.pd)->users++;
  qp.sendCq().users++;
  qp.recvCq().users++;
  if (qp.shared() != nullptr) join(*qp.shared(), qp.owner());
  if (qp.recvCq().home == qp.home) return;
  std::lock_guard guard(qp.recvCq().home->lock);
  qp.recvCq().use.begin();
}

void leaveAll(const QueuePair& qp) {
  static_cast<ProtectionDomain*>(qp.pd)->users--;
  qp.sendCq().users--;
  qp.recvCq().users--;
  if (qp.shared() != nullptr) qp.shared()->users--;
}

std::unique_ptr<QueuePair> makeQp(ibv_pd& pd, const ibv_qp_init_attr& wanted) {
  auto qp = std::make_unique<QueuePair>(wanted.cap, wanted.srq == nullptr);
  qp->context = pd.context;
  qp->home = static_cast<CompletionQueue*>(wanted.send_cq)->home;
  qp->qp_context = wanted.qp_context;
  qp->pd = &pd;
  qp->send_cq = wanted.send_cq;
  qp->recv_cq = wanted.recv_cq;
  qp->srq = wanted.srq;
  qp->qp_type = wanted.qp_type;
  qp->state = IBV_QPS_RESET;
  qp->initial = wanted;
  qp->attributes.cap = wanted.cap;
  pthread_mutex_init(&qp->mutex, nullptr);
  pthread_cond_init(&qp->cond, nullptr);
  return qp;
}

/// What peers have begun by way of it may go on for a while. Whoever moves one queue pair after the
/// other to error would wait once for each; so it is waited for when the queue pair is used anew or
/// goes, and from when it was shut.
void noteShut(QueuePair& qp) {
  if (qp.canReceive()) {
    qp.shutNs = 0;
  } else if (qp.shutNs == 0) {
    qp.shutNs = base::monotonicNs();
  }
}

}  // namespace

ibv_qp* createQp(ibv_pd* pd, ibv_qp_init_attr* wanted) {
  bool knownType = wanted->qp_type == IBV_QPT_RC || wanted->qp_type == IBV_QPT_UD;
  if (!knownType || !validSizes(wanted->cap) || !validQueues(pd, *wanted)) {
    errno = knownType ? EINVAL : EOPNOTSUPP;
    return nullptr;
  }
  if (wanted->srq != nullptr) wanted->cap.max_recv_wr = wanted->cap.max_recv_sge = 0;
  auto qp = orNoMemory<std::unique_ptr<QueuePair>>(nullptr, [&] { return makeQp(*pd, *wanted); });
  if (qp == nullptr) return nullptr;
  joinAll(*qp);
  Context& context = qp->owner();
  std::lock_guard guard(context.lock);
  if (!orNoMemory(false, [&] { return context.enlist(*qp); })) {
    leaveAll(*qp);
    return nullptr;
  }
  qp->faultCounts.qpPlace = ++context.ports.qpsMade;
  return qp.release();
}

int modifyQp(ibv_qp* handle, ibv_qp_attr* attributes, int mask) {
  auto& qp = *static_cast<QueuePair*>(handle);
  Context& context = qp.owner();
  std::unique_lock guard(context.lock);
  if ((mask & IBV_QP_STATE) != 0 && attributes->qp_state == IBV_QPS_RESET) endLongCopy(qp, guard);
  int rc = ENOMEM;
  context.attempt([&] { rc = changeState(qp, *attributes, mask); });
  noteShut(qp);
  if (qp.state == IBV_QPS_RESET) letInitiatorsLeave(context, guard, qp.index, qp.shutNs);
  context.makeCopies(guard);
  return rc;
}

int queryQp(ibv_qp* handle, ibv_qp_attr* attributes, int, ibv_qp_init_attr* initial) {
  auto& qp = *static_cast<QueuePair*>(handle);
  std::lock_guard guard(qp.owner().lock);
  *attributes = qp.attributes;
  bool unfinished = qp.sends.done != qp.sends.sent || qp.copy.running;
  attributes->qp_state = attributes->cur_qp_state = qp.state;
  attributes->sq_draining = qp.state == IBV_QPS_SQD && unfinished ? 1 : 0;
  *initial = qp.initial;
  return 0;
}

int destroyQp(ibv_qp* handle) {
  auto& qp = *static_cast<QueuePair*>(handle);
  Context& context = qp.owner();
  {
    std::unique_lock guard(context.lock);
    endLongCopy(qp, guard);
    if (qp.pending) {  // what the peer is still to be told
      context.attempt([&] {
        sendAnswers(qp);
        qp.link->publish();
      });
    }
    resetQp(qp);
    noteShut(qp);
    letInitiatorsLeave(context, guard, qp.index, qp.shutNs);  // before another gets the number
    context.delist(qp);
  }
  waitForAcknowledged(qp, qp.events_completed, qp.asyncEventsTaken);
  leaveAll(qp);
  delete &qp;
  return 0;
}

}  // namespace verbena::softnic
