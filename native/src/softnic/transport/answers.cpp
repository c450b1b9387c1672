// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/answers.h"

#include <algorithm>
#include <cstring>

#include "softnic/device/context.h"
#include "softnic/transport/responder.h"

namespace verbena::softnic {
namespace {

PacketHeader answerHeader(const QueuePair& qp, PacketKind kind, uint32_t psn) {
  PacketHeader header{};
  header.sizeBytes = sizeof header;
  header.kind = kind;
  header.destQpn = qp.attributes.dest_qp_num;
  header.srcQpn = qp.qp_num;
  header.psn = psn;
  return header;
}

bool sendResponseData(QueuePair& qp, PacketHeader header, const std::byte* data, size_t bytes) {
  header.sizeBytes = static_cast<uint32_t>(sizeof header + bytes);
  std::byte* place = qp.link->out.reserve(header.sizeBytes, kControlReserveBytes);
  if (place == nullptr) return false;
  std::memcpy(place, &header, sizeof header);
  if (bytes != 0) std::memcpy(place + sizeof header, data, bytes);
  qp.link->out.commit(header.sizeBytes);
  return true;
}

/// The memory of an accepted READ has been deregistered before all of it was sent.
void abandonResponses(QueuePair& qp, uint32_t psn) {
  qp.responder.responses.clear();
  refuse(qp, Syndrome::RemoteOperational);
  qp.responder.nakPsn = psn;
  qp.owner().raise(IBV_EVENT_QP_ACCESS_ERR, qp);
  enterError(qp);
}

/// False if the ring is full before the last fragment.
bool sendRead(QueuePair& qp, PendingResponse& response) {
  const RdmaHeader& read = response.read;
  while (true) {
    uint32_t bytes = std::min(read.lengthBytes - response.sentBytes, kFragmentBytes);
    const std::byte* from = nullptr;
    if (bytes != 0) {
      from = remoteTarget(qp, read, IBV_ACCESS_REMOTE_READ);
      if (from == nullptr) {
        abandonResponses(qp, response.psn);
        return false;
      }
    }
    PacketHeader header = answerHeader(qp, PacketKind::ReadResponse, response.psn);
    bool last = response.sentBytes + bytes == read.lengthBytes;
    header.flags =
        static_cast<uint8_t>(flagIf(response.sentBytes == 0, kFirst) | flagIf(last, kLast));
    if (!sendResponseData(qp, header, from + response.sentBytes, bytes)) return false;
    if (bytes == kFragmentBytes) qp.link->publishPart();
    response.sentBytes += bytes;
    if (last) return true;
  }
}

bool sendAtomic(QueuePair& qp, const PendingResponse& response) {
  PacketHeader header = answerHeader(qp, PacketKind::AtomicResponse, response.psn);
  header.flags = kFirst | kLast;
  return sendResponseData(qp, header, reinterpret_cast<const std::byte*>(&response.original),
                          sizeof response.original);
}

bool sendResponses(QueuePair& qp) {
  std::vector<PendingResponse>& responses = qp.responder.responses;
  while (!responses.empty()) {
    PendingResponse& response = responses.front();
    if (!(response.isAtomic ? sendAtomic(qp, response) : sendRead(qp, response))) return false;
    responses.erase(responses.begin());
  }
  return true;
}

bool sendAck(QueuePair& qp) {
  uint32_t last = psnPlus(qp.responder.expectedPsn, kPsnMask);
  if (!qp.link->sendControl(answerHeader(qp, PacketKind::Ack, last))) return false;
  qp.responder.acksDue = false;
  return true;
}

bool sendNak(QueuePair& qp) {
  PacketHeader header = answerHeader(qp, PacketKind::Nak, qp.responder.nakPsn);
  header.immediate = qp.responder.nakImmediate;
  if (!qp.link->sendControl(header)) return false;
  qp.responder.nakDue = false;
  qp.responder.acksDue = false;  // a refusal acknowledges what comes before
  return true;
}

}  // namespace

/// In the order of execution: responses, then the acknowledgement of what came after them.
bool sendAnswers(QueuePair& qp) {
  ResponderState& state = qp.responder;
  if (!qp.link->canSend()) {
    state.responses.clear();
    state.acksDue = state.nakDue = false;
    return true;
  }
  if (!sendResponses(qp)) return false;
  if (state.nakDue) return sendNak(qp);
  return !state.acksDue || sendAck(qp);
}

bool sendDropped(Link& link, const DroppedMessage& drop) {
  PacketHeader header{};
  header.sizeBytes = sizeof header;
  header.kind = PacketKind::Dropped;
  header.destQpn = drop.destQpn;
  header.srcQpn = drop.srcQpn;
  header.psn = drop.psn;
  return link.sendControl(header);
}

}  // namespace verbena::softnic
