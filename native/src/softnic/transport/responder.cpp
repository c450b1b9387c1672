// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/responder.h"

#include "base/whole_words.h"
#include "softnic/device/context.h"
#include "softnic/memory/atomics.h"
#include "softnic/memory/scatter.h"
#include "softnic/transport/completer.h"
#include "softnic/transport/datagram.h"
#include "softnic/transport/faulty.h"
#include "verbs/wiring.h"

namespace verbena::softnic {
namespace {

/// Refusals remembered per link; more than that are silent, as all of them would be on a fabric.
constexpr size_t kMaxDrops = 1024;

LocalMemory receiveMemory(const QueuePair& qp) {
  return {qp.owner().regions, qp.pd->handle, qp.current.list()};
}

void finishReceive(QueuePair& qp, ibv_wc_status status, const Packet& packet, uint64_t bytes) {
  ibv_wc completion = receiveCompletion(qp, qp.current);
  completion.status = status;
  completion.byte_len = static_cast<uint32_t>(bytes);
  bool write = packet.header.kind == PacketKind::Write;
  completion.opcode = write ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
  if (packet.has(kImmediate)) {
    completion.wc_flags = IBV_WC_WITH_IMM;
    completion.imm_data = packet.header.immediate;
  }
  qp.current.taken = false;
  complete(qp, qp.recvCq(), completion, packet.has(kSolicited));
}

/// The request is wrong in itself: the sender is told, and the connection is over.
void refuseForGood(QueuePair& qp, Syndrome syndrome) {
  refuse(qp, syndrome);
  ibv_event_type event =
      syndrome == Syndrome::RemoteAccess ? IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR;
  qp.owner().raise(event, qp);
  enterError(qp);
}

/// What was wrong shows in the receive request, so no event is needed to tell it here.
void failReceive(QueuePair& qp, const Packet& packet, ibv_wc_status status, Syndrome syndrome) {
  refuse(qp, syndrome);
  finishReceive(qp, status, packet, 0);
  enterError(qp);
}

// --- executing

void executed(QueuePair& qp) {
  ResponderState& state = qp.responder;
  state.expectedPsn = psnPlus(state.expectedPsn, 1);
  state.inMessage = false;
  state.messageOffset = 0;
}

void acknowledge(QueuePair& qp) {
  executed(qp);
  qp.responder.acksDue = true;
  deferAck(qp);
}

bool refuseIfNotReady(QueuePair& qp) {
  if (takeReceive(qp)) return false;
  refuse(qp, Syndrome::ReceiverNotReady, qp.attributes.min_rnr_timer);
  return true;
}

void executeSend(QueuePair& qp, const Packet& packet) {
  ResponderState& state = qp.responder;
  if (packet.has(kFirst)) {
    if (refuseIfNotReady(qp)) return;
    Fault fault = chooseFault(qp, OperationKind::Receive);
    if (fault.action == FaultAction::Fail) {
      return failReceive(qp, packet, fault.status, Syndrome::RemoteOperational);
    }
  }
  state.inMessage = true;
  size_t bytes = packet.payload.size();
  LocalMemory memory = receiveMemory(qp);
  if (state.messageOffset + bytes > totalBytes(memory.sges)) {
    return failReceive(qp, packet, IBV_WC_LOC_LEN_ERR, Syndrome::InvalidRequest);
  }
  if (!scatter(memory, state.messageOffset, packet.payload.data(), bytes)) {
    return failReceive(qp, packet, IBV_WC_LOC_PROT_ERR, Syndrome::RemoteOperational);
  }
  state.messageOffset += bytes;
  if (!packet.has(kLast)) return;
  uint64_t total = state.messageOffset;
  acknowledge(qp);
  finishReceive(qp, IBV_WC_SUCCESS, packet, total);
}

bool permits(const QueuePair& qp, uint32_t access) {
  return (qp.attributes.qp_access_flags & access) != 0;
}

/// What a region has to allow. Over TCP anybody at the peer's address may have made the packet,
/// unless the peer has proved that it has the cluster's key.
uint32_t neededOf(const QueuePair& qp, uint32_t access) {
  return qp.link->mayWrite() ? access : access | verbs::kWithoutProof;
}

void finishWrite(QueuePair& qp, const Packet& packet) {
  if (packet.has(kImmediate) && refuseIfNotReady(qp)) return;
  uint64_t total = qp.responder.write.lengthBytes;
  acknowledge(qp);
  if (packet.has(kImmediate)) finishReceive(qp, IBV_WC_SUCCESS, packet, total);
}

void executeWrite(QueuePair& qp, const Packet& packet) {
  ResponderState& state = qp.responder;
  if (packet.has(kFirst)) {
    if (!permits(qp, IBV_ACCESS_REMOTE_WRITE)) return refuseForGood(qp, Syndrome::InvalidRequest);
    state.write = packet.rdma;
  }
  state.inMessage = true;
  size_t bytes = packet.payload.size();
  uint64_t total = state.write.lengthBytes;
  bool whole = packet.has(kLast) && !packet.has(kPlaced);
  if (state.messageOffset + bytes > total || (whole && state.messageOffset + bytes != total)) {
    return refuseForGood(qp, Syndrome::InvalidRequest);
  }
  if (total != 0) {
    std::byte* target = remoteTarget(qp, state.write, neededOf(qp, IBV_ACCESS_REMOTE_WRITE));
    if (target == nullptr) return refuseForGood(qp, Syndrome::RemoteAccess);
    if (bytes != 0) {
      base::copyWhole(target + state.messageOffset, packet.payload.data(), bytes);
    }
  } else if (!qp.link->mayWrite()) {
    return refuseForGood(qp, Syndrome::RemoteAccess);  // it names no memory, and may be a signal
  }
  state.messageOffset += bytes;
  if (packet.has(kLast)) finishWrite(qp, packet);
}

/// Where the response lies until it is sent. Null if the peer asks for more at a time than was
/// agreed.
PendingResponse* queueResponse(QueuePair& qp, const PendingResponse& response) {
  if (qp.responder.responses.size() >= qp.attributes.max_dest_rd_atomic) return nullptr;
  qp.responder.responses.push_back(response);
  executed(qp);
  deferSend(qp);
  return &qp.responder.responses.back();
}

void executeRead(QueuePair& qp, const Packet& packet) {
  if (!permits(qp, IBV_ACCESS_REMOTE_READ)) return refuseForGood(qp, Syndrome::InvalidRequest);
  const RdmaHeader& read = packet.rdma;
  if (read.lengthBytes != 0 && remoteTarget(qp, read, IBV_ACCESS_REMOTE_READ) == nullptr) {
    return refuseForGood(qp, Syndrome::RemoteAccess);
  }
  if (queueResponse(qp, {packet.header.psn, false, read, 0, 0}) == nullptr) {
    refuseForGood(qp, Syndrome::InvalidRequest);
  }
}

void executeAtomic(QueuePair& qp, const Packet& packet) {
  if (!permits(qp, IBV_ACCESS_REMOTE_ATOMIC)) return refuseForGood(qp, Syndrome::InvalidRequest);
  const AtomicHeader& atomic = packet.atomic;
  if (atomic.remoteAddress % sizeof(uint64_t) != 0) {
    return refuseForGood(qp, Syndrome::InvalidRequest);
  }
  std::byte* target = remoteTarget(qp, {atomic.remoteAddress, atomic.rkey, sizeof(uint64_t)},
                                   neededOf(qp, IBV_ACCESS_REMOTE_ATOMIC));
  if (target == nullptr) return refuseForGood(qp, Syndrome::RemoteAccess);
  // Before the memory is changed: there may be none for the response.
  PendingResponse* response = queueResponse(qp, {packet.header.psn, true, {}, 0, 0});
  if (response == nullptr) return refuseForGood(qp, Syndrome::InvalidRequest);
  Atomics how = qp.owner().ports.atomics;
  response->original = packet.has(kFetchAdd)
                           ? executeFetchAdd(how, target, atomic.compareAdd)
                           : executeCompareSwap(how, target, atomic.compareAdd, atomic.swap);
}

void execute(QueuePair& qp, const Packet& packet) {
  switch (packet.header.kind) {
    case PacketKind::Send: return executeSend(qp, packet);
    case PacketKind::Write: return executeWrite(qp, packet);
    case PacketKind::ReadRequest: return executeRead(qp, packet);
    default: return executeAtomic(qp, packet);
  }
}

// --- taking in

void drop(Link& link, const Packet& packet) {
  if (!packet.has(kFirst) || link.drops.size() >= kMaxDrops) return;
  link.drops.push_back({packet.header.srcQpn, packet.header.destQpn, packet.header.psn});
}

bool isConnected(const QueuePair* qp, const Link& link, const Packet& packet) {
  return qp != nullptr && qp->qp_type == IBV_QPT_RC && qp->link.get() == &link &&
         qp->attributes.dest_qp_num == packet.header.srcQpn;
}

void reportEstablished(QueuePair& qp) {
  if (qp.established) return;
  qp.established = true;
  if (qp.state == IBV_QPS_RTR) qp.owner().raise(IBV_EVENT_COMM_EST, qp);
}

void handleRequest(QueuePair* found, Link& link, const Packet& packet) {
  if (!isConnected(found, link, packet) || !found->canReceive()) return drop(link, packet);
  QueuePair& qp = *found;
  ResponderState& state = qp.responder;
  if (packet.header.psn != state.expectedPsn) {
    // Behind a refused message, what was already on its way is ignored: it will come again.
    if (!state.refusing) drop(link, packet);
    return;
  }
  bool interrupts = packet.has(kFirst) || packet.header.kind != state.kind;
  if (state.inMessage && interrupts) return refuseForGood(qp, Syndrome::InvalidRequest);
  if (!state.inMessage && !packet.has(kFirst)) return;  // the tail of a message that was refused
  state.kind = packet.header.kind;
  reportEstablished(qp);
  state.refusing = false;
  execute(qp, packet);
}

}  // namespace

void refuse(QueuePair& qp, Syndrome syndrome, uint32_t timer) {
  ResponderState& state = qp.responder;
  state.refusing = true;
  state.inMessage = false;
  state.messageOffset = 0;
  state.nakDue = true;
  state.nakPsn = state.expectedPsn;
  state.nakImmediate = static_cast<uint32_t>(syndrome) | timer << 8;
  deferSend(qp);
}

std::byte* remoteTarget(const QueuePair& qp, const RdmaHeader& rdma, uint32_t access) {
  return qp.owner().regions.resolve(
      {rdma.rkey, qp.pd->handle, rdma.remoteAddress, rdma.lengthBytes, access});
}

void handlePacket(Context& context, Link& link, const Packet& packet) {
  QueuePair* qp = context.findQp(packet.header.destQpn);
  switch (packet.header.kind) {
    case PacketKind::Ack:
    case PacketKind::Nak:
    case PacketKind::Dropped:
    case PacketKind::ReadResponse:
    case PacketKind::AtomicResponse:
      if (isConnected(qp, link, packet)) handleAnswer(*qp, packet);
      return;
    case PacketKind::Datagram: return handleDatagram(context, qp, packet);
    default: return handleRequest(qp, link, packet);
  }
}

ibv_wc receiveCompletion(const QueuePair& qp, const CurrentReceive& receive) {
  ibv_wc completion{};
  completion.wr_id = receive.wrId;
  completion.qp_num = qp.qp_num;
  completion.src_qp = qp.attributes.dest_qp_num;
  return completion;
}

}  // namespace verbena::softnic
