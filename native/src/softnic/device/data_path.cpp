// SPDX-License-Identifier: Apache-2.0
#include "softnic/device/data_path.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "softnic/device/context.h"
#include "softnic/memory/scatter.h"
#include "softnic/transport/requester.h"

namespace verbena::softnic {
namespace {

bool allowedOpcode(const QueuePair& qp, ibv_wr_opcode opcode) {
  switch (opcode) {
    case IBV_WR_SEND:
    case IBV_WR_SEND_WITH_IMM: return true;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_RDMA_READ:
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD: return qp.qp_type == IBV_QPT_RC;
    default: return false;
  }
}

bool allowedInline(ibv_wr_opcode opcode) {
  return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE ||
         opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

/// The errno of a request that cannot be posted at all, 0 if it can.
int checkPost(QueuePair& qp, const ibv_send_wr& wr) {
  bool posts = qp.state == IBV_QPS_RTS || qp.state == IBV_QPS_SQD || qp.state == IBV_QPS_SQE ||
               qp.state == IBV_QPS_ERR;
  if (!posts || !allowedOpcode(qp, wr.opcode)) return EINVAL;
  if (wr.num_sge < 0 || static_cast<uint32_t>(wr.num_sge) > qp.sends.maxSge()) return EINVAL;
  if ((wr.send_flags & IBV_SEND_INLINE) != 0 && !allowedInline(wr.opcode)) return EINVAL;
  if (qp.qp_type == IBV_QPT_UD && wr.wr.ud.ah == nullptr) return EINVAL;
  return qp.sends.full() ? ENOMEM : 0;
}

/// False if the data is longer than the queue pair takes inline.
bool copyInline(SendQueue& queue, const ibv_send_wr& wr) {
  std::byte* place = queue.inlineData(queue.posted);
  size_t used = 0;
  for (int i = 0; i < wr.num_sge; i++) {
    const ibv_sge& sge = wr.sg_list[i];
    if (sge.length > queue.maxInline() - used) return false;
    if (sge.length != 0) {
      std::memcpy(place + used, reinterpret_cast<const void*>(sge.addr), sge.length);
    }
    used += sge.length;
  }
  return true;
}

void fillTarget(SendRequest& request, const QueuePair& qp, const ibv_send_wr& wr) {
  if (qp.qp_type == IBV_QPT_UD) {
    request.destination = static_cast<const AddressHandle*>(wr.wr.ud.ah);
    request.remoteQpn = wr.wr.ud.remote_qpn;
    request.remoteQkey = wr.wr.ud.remote_qkey;
  } else if (request.isAtomic()) {
    request.remoteAddress = wr.wr.atomic.remote_addr;
    request.compareAdd = wr.wr.atomic.compare_add;
    request.swap = wr.wr.atomic.swap;
    request.rkey = wr.wr.atomic.rkey;
  } else {
    request.remoteAddress = wr.wr.rdma.remote_addr;
    request.rkey = wr.wr.rdma.rkey;
  }
}

int enqueue(QueuePair& qp, const ibv_send_wr& wr) {
  if (int rc = checkPost(qp, wr); rc != 0) return rc;
  SendQueue& queue = qp.sends;
  bool isInline = (wr.send_flags & IBV_SEND_INLINE) != 0;
  if (isInline && !copyInline(queue, wr)) return EINVAL;
  SendRequest& request = queue.at(queue.posted);
  request.wrId = wr.wr_id;
  request.opcode = wr.opcode;
  request.flags = wr.send_flags;
  if (qp.initial.sq_sig_all != 0) request.flags |= IBV_SEND_SIGNALED;
  request.immediate = wr.imm_data;
  request.sgeCount = static_cast<uint32_t>(wr.num_sge);
  request.answeredBytes = 0;
  request.answered = false;
  request.placed = false;
  request.faultChosen = false;
  fillTarget(request, qp, wr);
  request.lengthBytes = totalBytes({wr.sg_list, request.sgeCount});
  if (!isInline) std::copy_n(wr.sg_list, request.sgeCount, queue.sges(queue.posted));
  queue.posted++;
  return 0;
}

int checkPost(const ReceiveQueue& queue, const ibv_recv_wr& wr) {
  if (wr.num_sge < 0 || static_cast<uint32_t>(wr.num_sge) > queue.maxSge()) return EINVAL;
  return queue.full() ? ENOMEM : 0;
}

int takeFrom(CompletionQueue& cq, ibv_wc* into, int count) {
  auto held = cq.use.hold();
  return cq.take(into, count);
}

bool hasOverrun(CompletionQueue& cq) {
  auto held = cq.use.hold();
  return cq.overrun;
}

/// Asking for any completion is not taken back by asking for fewer.
void arm(CompletionQueue& cq, bool solicitedOnly) {
  auto held = cq.use.hold();
  if (!solicitedOnly) {
    cq.armed = CompletionQueue::Armed::ForAny;
  } else if (cq.armed == CompletionQueue::Armed::No) {
    cq.armed = CompletionQueue::Armed::ForSolicited;
  }
}

}  // namespace

int postSend(ibv_qp* handle, ibv_send_wr* request, ibv_send_wr** bad) {
  auto& qp = *static_cast<QueuePair*>(handle);
  std::unique_lock guard(qp.owner().lock);
  int rc = ENOMEM;
  *bad = request;
  // What has been posted when memory runs out completes, flushed, when the device fails.
  qp.owner().attempt([&] {
    rc = 0;
    for (; request != nullptr; request = request->next) {
      rc = enqueue(qp, *request);
      if (rc != 0) {
        *bad = request;
        break;
      }
    }
    startSends(qp);
  });
  if (!qp.owner().copiesDue.empty()) qp.owner().makeCopies(guard);
  return rc;
}

int postReceive(ibv_qp* handle, ibv_recv_wr* request, ibv_recv_wr** bad) {
  auto& qp = *static_cast<QueuePair*>(handle);
  std::lock_guard guard(qp.owner().lock);
  for (; request != nullptr; request = request->next) {
    bool posts = qp.state != IBV_QPS_RESET && qp.srq == nullptr;
    if (int rc = posts ? checkPost(qp.receives, *request) : EINVAL; rc != 0) {
      *bad = request;
      return rc;
    }
    qp.receives.post(*request);
    if (qp.state == IBV_QPS_ERR) qp.owner().attempt([&] { flushReceives(qp); });
  }
  return 0;
}

int postSharedReceive(ibv_srq* handle, ibv_recv_wr* request, ibv_recv_wr** bad) {
  auto& srq = *static_cast<SharedReceiveQueue*>(handle);
  std::unique_lock guard = lockHome(srq);
  auto held = srq.use.hold();
  for (; request != nullptr; request = request->next) {
    if (int rc = checkPost(srq.queue, *request); rc != 0) {
      *bad = request;
      return rc;
    }
    srq.queue.post(*request);
  }
  return 0;
}

int pollCq(ibv_cq* handle, int count, ibv_wc* into) {
  auto& cq = *static_cast<CompletionQueue*>(handle);
  Context& context = *cq.home;
  std::unique_lock guard(context.lock);
  int taken = takeFrom(cq, into, count);
  if (taken < count) {
    context.service.notePoll();
    context.attempt([&] {
      context.progress(Context::Acks::MayWait);
      taken += takeFrom(cq, into + taken, count - taken);
      if (taken == 0) context.flushAll();
    });
    if (!context.copiesDue.empty()) {
      context.makeCopies(guard);
      taken += takeFrom(cq, into + taken, count - taken);
    }
  }
  return taken == 0 && hasOverrun(cq) ? -EIO : taken;
}

int armCq(ibv_cq* handle, int solicitedOnly) {
  auto& cq = *static_cast<CompletionQueue*>(handle);
  Context& context = *cq.home;
  std::unique_lock guard(context.lock);
  arm(cq, solicitedOnly != 0);
  context.service.expectBell();
  // What came while nobody was told to ring is taken now, and raises the event if it completes.
  context.attempt([&] { context.progress(); });
  context.makeCopies(guard);
  if (context.hasArrivals()) context.service.wake();
  return 0;
}

}  // namespace verbena::softnic
