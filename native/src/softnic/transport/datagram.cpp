// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/datagram.h"

#include <endian.h>

#include <cstring>
#include <utility>

#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/memory/scatter.h"
#include "softnic/transport/completer.h"
#include "softnic/transport/faulty.h"
#include "softnic/transport/responder.h"
#include "softnic/transport/send_packets.h"

namespace verbena::softnic {
namespace {

constexpr uint32_t kOwnQkeyBit = 1U << 31;  // "use the queue pair's own Q_Key", as in verbs
constexpr uint8_t kNextHeaderBth = 0x1b;

/// Null if there is no way to the destination.
std::shared_ptr<Link> routeOf(QueuePair& qp, const SendRequest& request) {
  const AddressHandle& destination = *request.destination;
  auto matches = [&](const AddressHandle::Route& route) {
    return route.from == &qp.owner() && route.slot == slotOf(request.remoteQpn);
  };
  std::lock_guard guard(destination.lock);
  for (const AddressHandle::Route& route : destination.routes) {
    if (matches(route) && route.link->canSend()) return route.link;
  }
  std::shared_ptr<Link> link = qp.owner().links.to(destination.peerGid, request.remoteQpn);
  if (link == nullptr) return nullptr;
  std::erase_if(destination.routes, matches);
  destination.routes.push_back({&qp.owner(), slotOf(request.remoteQpn), link});
  return link;
}

DatagramHeader datagramHeader(const QueuePair& qp, const SendRequest& request) {
  const ibv_ah_attr& to = request.destination->attributes;
  DatagramHeader header{};
  bool own = (request.remoteQkey & kOwnQkeyBit) != 0;
  header.qkey = own ? qp.attributes.qkey : request.remoteQkey;
  constexpr uint32_t kIpVersion6 = 6U << 28;
  uint32_t trafficClass = static_cast<uint32_t>(to.grh.traffic_class) << 20;
  header.versionTclassFlow = htobe32(kIpVersion6 | trafficClass | (to.grh.flow_label & 0xfffff));
  header.hopLimit = to.grh.hop_limit;
  header.serviceLevel = to.sl;
  header.sgid = qp.owner().port().gids[to.grh.sgid_index];
  header.dgid = to.grh.dgid;
  return header;
}

/// False if our own memory is wrong. A datagram that finds no room or nobody there is dropped; one
/// that is held goes out behind the next.
bool sendDatagram(QueuePair& qp, const SendRequest& request, bool hold) {
  std::shared_ptr<Link> link = routeOf(qp, request);
  auto length = static_cast<uint32_t>(request.lengthBytes);
  std::byte dropped[kMaxDatagramBytes];
  PacketHeader header{};
  header.sizeBytes = static_cast<uint32_t>(sizeof header + sizeof(DatagramHeader)) + length;
  std::byte* place =
      link == nullptr ? nullptr : link->out.reserve(header.sizeBytes, kControlReserveBytes);
  std::byte* payload = place == nullptr ? dropped : place + sizeof header + sizeof(DatagramHeader);
  if (length != 0 && !gatherPayload(qp, qp.sends.sent, 0, payload, length)) return false;
  if (place == nullptr) return true;
  header.kind = PacketKind::Datagram;
  unsigned flags = kFirst | kLast;
  if (request.has(IBV_SEND_SOLICITED)) flags |= kSolicited;
  if (request.hasImmediate()) flags |= kImmediate;
  header.flags = static_cast<uint8_t>(flags);
  header.destQpn = request.remoteQpn & kQpnMask;
  header.srcQpn = qp.qp_num;
  header.immediate = request.immediate;
  DatagramHeader extension = datagramHeader(qp, request);
  std::memcpy(place, &header, sizeof header);
  std::memcpy(place + sizeof header, &extension, sizeof extension);
  if (hold) {
    qp.heldBy = link;
    qp.held.assign(place, place + header.sizeBytes);
    return true;
  }
  link->out.commit(header.sizeBytes);
  link->used = true;
  return true;
}

/// Sends what the fault script has put behind the datagram before.
void sendHeld(QueuePair& qp) {
  if (qp.heldBy == nullptr) return;
  auto bytes = static_cast<uint32_t>(qp.held.size());
  std::byte* place = qp.heldBy->out.reserve(bytes, kControlReserveBytes);
  if (place != nullptr) {
    std::memcpy(place, qp.held.data(), bytes);
    qp.heldBy->out.commit(bytes);
  }
  qp.heldBy = nullptr;
}

/// Sends a datagram as often, and in the order, that the fault script says. One that is longer than
/// a packet is not sent and no error (InfiniBand Architecture Specification, volume 1, C10-93.1.1).
bool sendAsScripted(QueuePair& qp, const SendRequest& request, const Fault& fault) {
  if (request.lengthBytes > kMaxDatagramBytes) return true;
  if (fault.action == FaultAction::PortDown) takePortDown(qp.owner(), fault.durationNs);
  if (fault.action == FaultAction::Drop || !qp.owner().portUp) return true;
  bool holds = fault.action == FaultAction::Reorder && qp.heldBy == nullptr;
  if (!sendDatagram(qp, request, holds)) return false;
  if (holds) return true;
  if (fault.action == FaultAction::Duplicate && !sendDatagram(qp, request, false)) return false;
  sendHeld(qp);
  return true;
}

void finish(QueuePair& qp, ibv_wc_status status) {
  const SendRequest& request = qp.sends.at(qp.sends.done);
  qp.sends.sent = ++qp.sends.done;
  if (status == IBV_WC_SUCCESS && !request.has(IBV_SEND_SIGNALED)) return;
  ibv_wc completion{};
  completion.wr_id = request.wrId;
  completion.status = status;
  completion.opcode = IBV_WC_SEND;
  completion.qp_num = qp.qp_num;
  complete(qp, qp.sendCq(), completion, false);
}

/// An error of its own stops the sending half alone; receiving goes on (state SQE).
void failSending(QueuePair& qp, ibv_wc_status status) {
  finish(qp, status);
  if (qp.state == IBV_QPS_RTS) qp.state = IBV_QPS_SQE;
  flushSends(qp);
}

ibv_grh receivedHeader(const Packet& packet) {
  ibv_grh grh{};
  grh.version_tclass_flow = packet.datagram.versionTclassFlow;
  grh.paylen = htobe16(static_cast<uint16_t>(packet.payload.size()));
  grh.next_hdr = kNextHeaderBth;
  grh.hop_limit = packet.datagram.hopLimit;
  grh.sgid = packet.datagram.sgid;
  grh.dgid = packet.datagram.dgid;
  return grh;
}

/// The datagram does not say anything that the receiver has not checked: no queue, or a wrong key.
bool isWelcome(const QueuePair* qp, const Packet& packet) {
  if (qp == nullptr || qp->qp_type != IBV_QPT_UD || !qp->canReceive()) return false;
  return packet.datagram.qkey == qp->attributes.qkey;
}

}  // namespace

void sendDatagrams(QueuePair& qp) {
  while (qp.sends.done != qp.sends.posted && qp.state == IBV_QPS_RTS) {
    const SendRequest& request = qp.sends.at(qp.sends.done);
    Fault fault = chooseFault(qp, OperationKind::Datagram);
    if (fault.action == FaultAction::Fail) return failSending(qp, fault.status);
    if (fault.action == FaultAction::DeviceFatal) return failDevice(qp.owner());
    if (!sendAsScripted(qp, request, fault)) return failSending(qp, IBV_WC_LOC_PROT_ERR);
    finish(qp, IBV_WC_SUCCESS);
  }
  for (const std::shared_ptr<Link>& link : qp.owner().links) link->publish();
  qp.owner().service.attend();
}

void handleDatagram(Context& context, QueuePair* found, const Packet& packet) {
  if (!isWelcome(found, packet)) return;
  if (!takeReceive(*found, packet.payload.size() + kGrhBytes)) return;
  QueuePair& qp = *found;
  ibv_grh grh = receivedHeader(packet);
  static_assert(sizeof grh == kGrhBytes);
  LocalMemory memory{context.regions, qp.pd->handle, qp.current.list()};
  bool placed = scatter(memory, 0, reinterpret_cast<const std::byte*>(&grh), sizeof grh) &&
                scatter(memory, sizeof grh, packet.payload.data(), packet.payload.size());
  ibv_wc completion = receiveCompletion(qp, qp.current);
  completion.status = placed ? IBV_WC_SUCCESS : IBV_WC_LOC_PROT_ERR;
  completion.opcode = IBV_WC_RECV;
  completion.byte_len = static_cast<uint32_t>(sizeof grh + packet.payload.size());
  completion.src_qp = packet.header.srcQpn;
  completion.sl = packet.datagram.serviceLevel;
  completion.wc_flags = IBV_WC_GRH;
  if (packet.has(kImmediate)) {
    completion.wc_flags |= IBV_WC_WITH_IMM;
    completion.imm_data = packet.header.immediate;
  }
  qp.current.taken = false;
  complete(qp, qp.recvCq(), completion, packet.has(kSolicited));
  if (!placed) enterError(qp);
}

}  // namespace verbena::softnic
