// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/packet.h"

#include <cstring>

namespace verbena::softnic {
namespace {

template <typename Extension>
bool takeExtension(Extension& into, std::span<const std::byte>& rest) {
  if (rest.size() < sizeof(Extension)) return false;
  std::memcpy(&into, rest.data(), sizeof(Extension));
  rest = rest.subspan(sizeof(Extension));
  return true;
}

bool parseWrite(Packet& packet, std::span<const std::byte>& rest) {
  if (!packet.has(kFirst)) return !packet.has(kPlaced);
  if (!takeExtension(packet.rdma, rest)) return false;
  if (packet.rdma.lengthBytes > kMaxMessageBytes) return false;
  if (packet.has(kPlaced)) return rest.empty() && packet.has(kLast);
  return rest.size() <= packet.rdma.lengthBytes;
}

bool parseReadRequest(Packet& packet, std::span<const std::byte>& rest) {
  return takeExtension(packet.rdma, rest) && rest.empty() &&
         packet.rdma.lengthBytes <= kMaxMessageBytes;
}

/// Only the last packet of a message may be short: no peer can keep a message going for ever.
bool fullUnlessLast(const Packet& packet, std::span<const std::byte> payload) {
  if (packet.header.kind == PacketKind::Write && packet.has(kPlaced)) return true;
  return packet.has(kLast) ? payload.size() <= kFragmentBytes : payload.size() == kFragmentBytes;
}

bool parseBody(Packet& packet, std::span<const std::byte>& rest) {
  switch (packet.header.kind) {
    case PacketKind::Send:
    case PacketKind::ReadResponse: return fullUnlessLast(packet, rest);
    case PacketKind::Write: return parseWrite(packet, rest) && fullUnlessLast(packet, rest);
    case PacketKind::ReadRequest: return parseReadRequest(packet, rest);
    case PacketKind::Atomic: return takeExtension(packet.atomic, rest) && rest.empty();
    case PacketKind::AtomicResponse: return rest.size() == sizeof(uint64_t);
    case PacketKind::Ack:
    case PacketKind::Nak:
    case PacketKind::Dropped: return rest.empty();
    case PacketKind::Datagram:
      return takeExtension(packet.datagram, rest) && rest.size() <= kMaxDatagramBytes;
    case PacketKind::Pad:
    case PacketKind::Growth: return false;
  }
  return false;
}

}  // namespace

bool parsePacket(std::span<const std::byte> bytes, Packet& packet) {
  if (bytes.size() < sizeof(PacketHeader)) return false;
  std::memcpy(&packet.header, bytes.data(), sizeof(PacketHeader));
  const PacketHeader& header = packet.header;
  if (header.sizeBytes < sizeof(PacketHeader) || header.sizeBytes > bytes.size()) return false;
  if ((header.destQpn | header.srcQpn | header.psn) > kPsnMask) return false;
  std::span<const std::byte> rest =
      bytes.subspan(sizeof(PacketHeader), header.sizeBytes - sizeof(PacketHeader));
  if (!parseBody(packet, rest)) return false;
  packet.payload = rest;
  return true;
}

}  // namespace verbena::softnic
