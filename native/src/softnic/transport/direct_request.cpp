// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/direct_request.h"

#include "softnic/device/context.h"
#include "softnic/memory/atomics.h"
#include "softnic/memory/direct.h"
#include "softnic/transport/long_copy.h"
#include "softnic/transport/send_packets.h"

namespace verbena::softnic {
namespace {

/// Relaxed ordering is for writes, and they pass no atomic; nor does a READ that was asked for
/// before see what comes after it.
bool mayOvertake(const QueuePair& qp, uint32_t access) {
  return access == IBV_ACCESS_REMOTE_WRITE && qp.requester.responsesAwaited == 0;
}

bool copyWith(QueuePair& qp, const SendRequest& request, std::byte* remote) {
  uint64_t index = qp.sends.sent;
  switch (request.opcode) {
    case IBV_WR_RDMA_READ: return scatter(localMemory(qp, index), 0, remote, request.lengthBytes);
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD: {
      uint64_t original = executeAtomic(request, remote);
      return scatter(localMemory(qp, index), 0, reinterpret_cast<std::byte*>(&original),
                     sizeof original);
    }
    default: return gatherPayload(qp, index, 0, remote, request.lengthBytes);
  }
}

void noteUse(QueuePair& qp) {
  if (qp.link->used) return;
  qp.link->used = true;
  qp.owner().service.attend();
}

}  // namespace

uint32_t neededAccess(const SendRequest& request) {
  switch (request.opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM: return IBV_ACCESS_REMOTE_WRITE;
    case IBV_WR_RDMA_READ: return IBV_ACCESS_REMOTE_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      return request.remoteAddress % sizeof(uint64_t) == 0 ? IBV_ACCESS_REMOTE_ATOMIC : 0;
    default: return 0;
  }
}

bool staysPlaced(const SendRequest& request, bool overtook) {
  return overtook || request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

uint64_t executeAtomic(const SendRequest& request, std::byte* target) {
  return request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD
             ? executeFetchAdd(Atomics::OfProcessors, target, request.compareAdd)
             : executeCompareSwap(Atomics::OfProcessors, target, request.compareAdd, request.swap);
}

DirectOutcome executeDirectly(QueuePair& qp, SendRequest& request) {
  uint32_t access = neededAccess(request);
  if (access == 0 || request.lengthBytes == 0) return DirectOutcome::GoesAsPackets;
  bool isOfTarget = request.isAtomic() && qp.owner().ports.atomics == Atomics::OfDevice;
  if (isOfTarget) return DirectOutcome::GoesAsPackets;
  DirectWindow* window = qp.link->direct;
  bool begun = qp.requester.midMessage || request.placed;
  if (window == nullptr || !qp.link->canSend() || begun) return DirectOutcome::GoesAsPackets;
  bool overtakes = qp.sends.sent != qp.sends.done;
  if (overtakes && !mayOvertake(qp, access)) return DirectOutcome::GoesAsPackets;
  DirectAccess granted = window->access({qp.attributes.dest_qp_num, qp.qp_num, request.rkey, access,
                                         request.remoteAddress, request.lengthBytes, overtakes});
  if (!granted) return DirectOutcome::GoesAsPackets;
  noteUse(qp);
  if (isLongCopy(request)) {
    expectLongCopy(qp);
    return DirectOutcome::TakesLong;
  }
  if (!copyWith(qp, request, granted.memory())) return DirectOutcome::BadLocalMemory;
  if (!granted.release()) {
    return request.isAtomic() ? DirectOutcome::Unknown : DirectOutcome::GoesAsPackets;
  }
  request.placed = staysPlaced(request, overtakes);
  return request.placed ? DirectOutcome::GoesAsPackets : DirectOutcome::Done;
}

}  // namespace verbena::softnic
