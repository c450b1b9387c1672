// SPDX-License-Identifier: Apache-2.0
#include "softnic/direct_request.h"

#include "softnic/context.h"
#include "softnic/direct.h"
#include "softnic/send_packets.h"

namespace verbena::softnic {
namespace {

/// The remote right that a request needs; 0 for one that cannot go directly.
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
      uint64_t original = request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD
                              ? executeFetchAdd(remote, request.compareAdd)
                              : executeCompareSwap(remote, request.compareAdd, request.swap);
      return scatter(localMemory(qp, index), 0, reinterpret_cast<std::byte*>(&original),
                     sizeof original);
    }
    default: return gatherPayload(qp, index, 0, remote, request.lengthBytes);
  }
}

}  // namespace

DirectOutcome executeDirectly(QueuePair& qp, SendRequest& request) {
  DirectWindow* window = qp.link->direct;
  bool begun = qp.requester.midMessage || request.placed;
  if (window == nullptr || !qp.link->canSend() || begun) return DirectOutcome::GoesAsPackets;
  uint32_t access = neededAccess(request);
  if (access == 0 || request.lengthBytes == 0) return DirectOutcome::GoesAsPackets;
  bool overtakes = qp.sends.sent != qp.sends.done;
  if (overtakes && !mayOvertake(qp, access)) return DirectOutcome::GoesAsPackets;
  DirectAccess granted =
      window->access({qp.attributes.dest_qp_num, qp.qp_num, request.rkey, access,
                      request.remoteAddress, request.lengthBytes, overtakes});
  if (!granted) return DirectOutcome::GoesAsPackets;
  if (!qp.link->used) {
    qp.link->used = true;
    qp.owner().service.attend();
  }
  if (!copyWith(qp, request, granted.memory())) return DirectOutcome::BadLocalMemory;
  request.placed = overtakes || request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  return request.placed ? DirectOutcome::GoesAsPackets : DirectOutcome::Done;
}

}  // namespace verbena::softnic
