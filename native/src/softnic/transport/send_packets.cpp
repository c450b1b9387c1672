// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/send_packets.h"

#include <algorithm>
#include <cstring>

#include "softnic/device/context.h"

namespace verbena::softnic {
namespace {

/// From this size on a reader starts on a fragment while we write the next.
constexpr uint32_t kPublishBytes = 4096;

PacketKind packetKindOf(const SendRequest& request) {
  switch (request.opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM: return PacketKind::Write;
    case IBV_WR_RDMA_READ: return PacketKind::ReadRequest;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD: return PacketKind::Atomic;
    default: return PacketKind::Send;
  }
}

/// The next packet of the request: how much it carries and in what headers.
struct Fragment {
  PacketHeader header;
  uint32_t extensionBytes;
  uint32_t payloadBytes;
};

uint32_t extensionBytesOf(PacketKind kind, bool first) {
  if (kind == PacketKind::Atomic) return sizeof(AtomicHeader);
  if (kind == PacketKind::ReadRequest) return sizeof(RdmaHeader);
  return kind == PacketKind::Write && first ? sizeof(RdmaHeader) : 0;
}

Fragment nextFragment(const QueuePair& qp, const SendRequest& request, uint32_t psn) {
  Fragment fragment{};
  PacketKind kind = packetKindOf(request);
  bool first = !qp.requester.midMessage;
  bool carries = !request.hasResponse() && !request.placed;
  uint64_t left = carries ? request.lengthBytes - qp.requester.fragmentOffset : 0;
  fragment.payloadBytes = static_cast<uint32_t>(std::min<uint64_t>(left, kFragmentBytes));
  bool last = fragment.payloadBytes == left;
  fragment.extensionBytes = extensionBytesOf(kind, first);
  PacketHeader& header = fragment.header;
  header.sizeBytes =
      static_cast<uint32_t>(sizeof header) + fragment.extensionBytes + fragment.payloadBytes;
  header.kind = kind;
  unsigned flags = flagIf(first, kFirst) | flagIf(last, kLast) | flagIf(request.placed, kPlaced);
  if (request.has(IBV_SEND_SOLICITED)) flags |= kSolicited;
  if (request.hasImmediate()) flags |= kImmediate;
  if (request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) flags |= kFetchAdd;
  header.flags = static_cast<uint8_t>(flags);
  header.destQpn = qp.attributes.dest_qp_num;
  header.srcQpn = qp.qp_num;
  header.psn = psn;
  header.immediate = request.immediate;
  return fragment;
}

void writeExtension(const SendRequest& request, std::byte* into) {
  if (request.isAtomic()) {
    AtomicHeader atomic{request.remoteAddress, request.compareAdd, request.swap, request.rkey, 0};
    std::memcpy(into, &atomic, sizeof atomic);
  } else {
    RdmaHeader rdma{request.remoteAddress, request.rkey,
                    static_cast<uint32_t>(request.lengthBytes)};
    std::memcpy(into, &rdma, sizeof rdma);
  }
}

}  // namespace

LocalMemory localMemory(QueuePair& qp, uint64_t index) {
  return {qp.owner().regions, qp.pd->handle, {qp.sends.sges(index), qp.sends.at(index).sgeCount}};
}

bool gatherPayload(QueuePair& qp, uint64_t index, uint64_t offset, std::byte* into, size_t length) {
  if (!qp.sends.at(index).has(IBV_SEND_INLINE)) {
    return gather(localMemory(qp, index), offset, into, length);
  }
  std::memcpy(into, qp.sends.inlineData(index) + offset, length);
  return true;
}

PacketsOutcome sendAsPackets(QueuePair& qp, const SendRequest& request, uint32_t psn) {
  RequesterState& state = qp.requester;
  Link& link = *qp.link;
  if (!link.canSend()) return PacketsOutcome::Sent;  // and never answered
  while (true) {
    Fragment fragment = nextFragment(qp, request, psn);
    std::byte* place = link.out.reserve(fragment.header.sizeBytes, kControlReserveBytes);
    if (place == nullptr) return PacketsOutcome::NoRoom;
    std::byte* payload = place + sizeof(PacketHeader) + fragment.extensionBytes;
    if (fragment.payloadBytes != 0 &&
        !gatherPayload(qp, qp.sends.sent, state.fragmentOffset, payload, fragment.payloadBytes)) {
      return PacketsOutcome::BadLocalMemory;
    }
    std::memcpy(place, &fragment.header, sizeof fragment.header);
    if (fragment.extensionBytes != 0) writeExtension(request, place + sizeof(PacketHeader));
    link.out.commit(fragment.header.sizeBytes);
    if (fragment.payloadBytes >= kPublishBytes) link.publishPart();
    bool last = (fragment.header.flags & kLast) != 0;
    state.midMessage = !last;
    state.fragmentOffset = last ? 0 : state.fragmentOffset + fragment.payloadBytes;
    if (last) return PacketsOutcome::Sent;
  }
}

}  // namespace verbena::softnic
