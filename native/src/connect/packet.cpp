// SPDX-License-Identifier: Apache-2.0
#include "connect/packet.h"

#include <algorithm>
#include <cstring>

#include "base/wire.h"

namespace verbena::connect {
namespace {

// Offsets in bytes.
constexpr size_t kMagicAt = 0;
constexpr size_t kVersionAt = 4;
constexpr size_t kKindAt = 5;
constexpr size_t kReasonAt = 6;
constexpr size_t kLengthAt = 7;  // of the text, or of the end
constexpr size_t kSourceAt = 8;  // the lower halves of the ids
constexpr size_t kDestinationAt = 10;
constexpr size_t kSourceHighAt = 12;  // their higher halves
constexpr size_t kDestinationHighAt = 14;
constexpr size_t kSourceIncarnationAt = 16;
constexpr size_t kDestinationIncarnationAt = 24;
constexpr size_t kClusterAt = 32;
constexpr size_t kDiallerAt = 48;
constexpr size_t kAccepterAt = 64;
constexpr size_t kCounterAt = 80;
constexpr size_t kLinkAt = 88;
constexpr size_t kLinkBytes = 12;
constexpr size_t kEndAt = 100;
constexpr size_t kTextAt = 128;
constexpr size_t kProofAt = 224;
static_assert(kLinkAt + kLinkBytes == kEndAt && kEndAt + LinkEnd::kMostBytes == kProofAt);
static_assert(kTextAt + kTextBytes == kProofAt && kProofAt + sizeof(Digest) == kPacketBytes);

// Within the link.
constexpr size_t kOffererAt = kLinkAt;  // 0: there is no link; 1: the sender; 2: the other side
constexpr size_t kLinkReservedAt = kLinkAt + 1;
constexpr size_t kServiceAt = kLinkAt + 2;
constexpr size_t kRailAt = kLinkAt + 4;
constexpr size_t kRailReservedAt = kLinkAt + 6;
constexpr size_t kNumberAt = kLinkAt + 8;

constexpr uint32_t kMagic = 0x50514256;  // "VBQP"
constexpr uint8_t kOfSender = 1, kOfOther = 2;

using base::getLittle;
using base::putLittle;
using Bytes = std::span<const std::byte>;

template <size_t N>
void putArray(Datagram& into, size_t at, const std::array<std::byte, N>& value) {
  std::copy(value.begin(), value.end(), into.begin() + static_cast<ptrdiff_t>(at));
}

template <size_t N>
std::array<std::byte, N> getArray(Bytes from, size_t at) {
  std::array<std::byte, N> value;
  std::copy_n(from.begin() + static_cast<ptrdiff_t>(at), N, value.begin());
  return value;
}

bool allZero(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// Two halves of a byte: version 1 had its number alone there, and so has no least one.
uint8_t byteOf(const Versions& versions) {
  return static_cast<uint8_t>(versions.least << 4 | versions.greatest);
}

Versions versionsOf(uint8_t byte) {
  auto greatest = static_cast<uint8_t>(byte & 15);
  auto least = static_cast<uint8_t>(byte >> 4);
  return {least == 0 ? greatest : least, greatest};
}

void putLink(Datagram& into, const LinkRef& link) {
  putLittle(into, kOffererAt, link.ofSender ? kOfSender : kOfOther);
  putLittle(into, kServiceAt, link.name.service);
  putLittle(into, kRailAt, link.name.rail);
  putLittle(into, kNumberAt, link.number);
}

void putNode(Datagram& into, size_t lowAt, size_t highAt, NodeId node) {
  putLittle(into, lowAt, static_cast<uint16_t>(node));
  putLittle(into, highAt, static_cast<uint16_t>(node >> 16));
}

NodeId getNode(Bytes from, size_t lowAt, size_t highAt) {
  return NodeId{getLittle<uint16_t>(from, highAt)} << 16 | getLittle<uint16_t>(from, lowAt);
}

LinkRef getLink(Bytes from) {
  return {{getLittle<uint16_t>(from, kServiceAt), getLittle<uint16_t>(from, kRailAt)},
          getLittle<uint32_t>(from, kNumberAt),
          getLittle<uint8_t>(from, kOffererAt) == kOfSender};
}

void putBytes(Datagram& into, size_t at, Bytes bytes) {
  putLittle(into, kLengthAt, static_cast<uint8_t>(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), into.begin() + static_cast<ptrdiff_t>(at));
}

/// What a kind carries besides what all carry.
struct Shape {
  bool counter = false, accepter = false, link = false, reason = false, text = false, end = false;
};

Shape shapeOf(PacketKind kind) {
  Shape inSession{.counter = true, .accepter = true};
  Shape ofLink{.counter = true, .accepter = true, .link = true};
  switch (kind) {
    case PacketKind::hello: return {.text = true};
    case PacketKind::challenge: return {.accepter = true};
    case PacketKind::refuse: return {.accepter = true, .reason = true, .text = true};
    case PacketKind::offer:
    case PacketKind::answer: ofLink.end = true; return ofLink;
    case PacketKind::confirm:
    case PacketKind::closed: return ofLink;
    case PacketKind::decline: ofLink.reason = ofLink.text = true; return ofLink;
    case PacketKind::close: ofLink.text = true; return ofLink;
    case PacketKind::end: inSession.text = true; return inSession;
    case PacketKind::ping:
    case PacketKind::pong: return inSession;
  }
  return {};
}

bool isKind(uint8_t code) {
  return code >= static_cast<uint8_t>(PacketKind::hello) &&
         code <= static_cast<uint8_t>(PacketKind::end);
}

bool versionsFit(uint8_t byte, PacketKind kind) {
  if (kind == PacketKind::hello || kind == PacketKind::refuse) return true;
  Versions versions = versionsOf(byte);
  bool isOne = kind == PacketKind::challenge || versions.least == versions.greatest;
  return isOne && versions.least <= versions.greatest && kVersions.common(versions).has_value();
}

bool reasonFits(uint8_t reason, bool carried) {
  if (!carried) return reason == static_cast<uint8_t>(Refusal::none);
  return reason >= static_cast<uint8_t>(Refusal::protocol) &&
         reason <= static_cast<uint8_t>(Refusal::closing);
}

bool noncesFit(Bytes from, PacketKind kind, bool accepterCarried) {
  bool accepterZero = allZero(from.subspan(kAccepterAt, sizeof(Nonce)));
  bool accepterFits = kind == PacketKind::refuse || accepterZero == !accepterCarried;
  return !allZero(from.subspan(kDiallerAt, sizeof(Nonce))) && accepterFits;
}

bool linkFits(Bytes from, bool carried) {
  if (!carried) return allZero(from.subspan(kLinkAt, kLinkBytes));
  uint8_t offerer = getLittle<uint8_t>(from, kOffererAt);
  bool isZero = getLittle<uint8_t>(from, kLinkReservedAt) == 0 &&
                getLittle<uint16_t>(from, kRailReservedAt) == 0;
  return (offerer == kOfSender || offerer == kOfOther) && isZero &&
         getLittle<uint16_t>(from, kServiceAt) != 0 && getLittle<uint32_t>(from, kNumberAt) != 0;
}

/// Zeros before and behind the text or end, and nothing where there is neither.
bool payloadFits(Bytes from, const Shape& shape) {
  size_t length = getLittle<uint8_t>(from, kLengthAt);
  size_t most = shape.end ? LinkEnd::kMostBytes : shape.text ? kTextBytes : 0;
  if (length > most) return false;
  size_t begin = shape.end ? kEndAt : kTextAt;
  return allZero(from.subspan(kEndAt, begin - kEndAt)) &&
         allZero(from.subspan(begin + length, kProofAt - begin - length));
}

bool nodesFit(Bytes from, PacketKind kind) {
  NodeId destination = getNode(from, kDestinationAt, kDestinationHighAt);
  bool isKnown = destination <= kMostNode || (kind == PacketKind::hello && destination == kAnyNode);
  return isKnown && getNode(from, kSourceAt, kSourceHighAt) <= kMostNode;
}

bool fieldsFit(Bytes from) {
  if (getLittle<uint32_t>(from, kMagicAt) != kMagic || !isKind(getLittle<uint8_t>(from, kKindAt)))
    return false;
  auto kind = static_cast<PacketKind>(getLittle<uint8_t>(from, kKindAt));
  Shape shape = shapeOf(kind);
  bool headFits = versionsFit(getLittle<uint8_t>(from, kVersionAt), kind) &&
                  reasonFits(getLittle<uint8_t>(from, kReasonAt), shape.reason) &&
                  nodesFit(from, kind) && getLittle<uint64_t>(from, kSourceIncarnationAt) != 0;
  bool livesFit =
      kind != PacketKind::hello || getLittle<uint64_t>(from, kDestinationIncarnationAt) == 0;
  bool counterFits = shape.counter || getLittle<uint64_t>(from, kCounterAt) == 0;
  return headFits && livesFit && counterFits && noncesFit(from, kind, shape.accepter) &&
         linkFits(from, shape.link) && payloadFits(from, shape);
}

std::string getText(Bytes from) {
  std::string text(getLittle<uint8_t>(from, kLengthAt), ' ');
  std::memcpy(text.data(), from.data() + kTextAt, text.size());
  auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return !printable(c); }, '?');
  return text;
}

Packet getPacket(Bytes from) {
  Packet packet;
  packet.kind = static_cast<PacketKind>(getLittle<uint8_t>(from, kKindAt));
  packet.versions = versionsOf(getLittle<uint8_t>(from, kVersionAt));
  packet.reason = static_cast<Refusal>(getLittle<uint8_t>(from, kReasonAt));
  packet.source = getNode(from, kSourceAt, kSourceHighAt);
  packet.destination = getNode(from, kDestinationAt, kDestinationHighAt);
  packet.sourceIncarnation = getLittle<uint64_t>(from, kSourceIncarnationAt);
  packet.destinationIncarnation = getLittle<uint64_t>(from, kDestinationIncarnationAt);
  packet.cluster = getArray<sizeof(ClusterHash)>(from, kClusterAt);
  packet.dialler = getArray<sizeof(Nonce)>(from, kDiallerAt);
  packet.accepter = getArray<sizeof(Nonce)>(from, kAccepterAt);
  packet.counter = getLittle<uint64_t>(from, kCounterAt);
  Shape shape = shapeOf(packet.kind);
  if (shape.link) packet.link = getLink(from);
  if (shape.end) packet.end = LinkEnd(from.subspan(kEndAt, getLittle<uint8_t>(from, kLengthAt)));
  if (shape.text) packet.text = getText(from);
  return packet;
}

/// Over everything before it; zeros where there is no key.
Digest proofOf(Bytes packet, const std::optional<Hmac>& key) {
  return key ? key->of(packet.first(kProofAt)) : Digest{};
}

}  // namespace

std::optional<uint8_t> Versions::common(const Versions& other) const {
  uint8_t version = std::min(greatest, other.greatest);
  if (!has(version) || !other.has(version)) return std::nullopt;
  return version;
}

std::string Versions::text() const {
  if (least == greatest) return "version " + std::to_string(greatest);
  return "versions " + std::to_string(least) + " to " + std::to_string(greatest);
}

ClusterHash hashOfCluster(const std::string& name) {
  return getArray<sizeof(ClusterHash)>(sha256(std::as_bytes(std::span(name))), 0);
}

Datagram encode(const Packet& packet, const std::optional<Hmac>& key) {
  Datagram into{};
  Shape shape = shapeOf(packet.kind);
  putLittle(into, kMagicAt, kMagic);
  putLittle(into, kVersionAt, byteOf(packet.versions));
  putLittle(into, kKindAt, static_cast<uint8_t>(packet.kind));
  putLittle(into, kReasonAt, static_cast<uint8_t>(packet.reason));
  putNode(into, kSourceAt, kSourceHighAt, packet.source);
  putNode(into, kDestinationAt, kDestinationHighAt, packet.destination);
  putLittle(into, kSourceIncarnationAt, packet.sourceIncarnation);
  putLittle(into, kDestinationIncarnationAt, packet.destinationIncarnation);
  putArray(into, kClusterAt, packet.cluster);
  putArray(into, kDiallerAt, packet.dialler);
  putArray(into, kAccepterAt, packet.accepter);
  putLittle(into, kCounterAt, packet.counter);
  if (shape.link) putLink(into, packet.link);
  if (shape.end) putBytes(into, kEndAt, packet.end.bytes());
  if (shape.text) {
    Bytes text = std::as_bytes(std::span(packet.text));
    putBytes(into, kTextAt, text.first(std::min(text.size(), kTextBytes)));
  }
  putArray(into, kProofAt, proofOf(into, key));
  return into;
}

Received decode(std::span<const std::byte> datagram, const std::optional<Hmac>& key) {
  Received received;
  if (datagram.size() != kPacketBytes) {
    received.verdict = Received::Verdict::length;
    return received;
  }
  if (!fieldsFit(datagram)) return received;
  received.verdict = Received::Verdict::good;
  Bytes proof = datagram.subspan(kProofAt);
  received.proved = equalInConstantTime(proof, proofOf(datagram, key));
  received.hasNoProof = allZero(proof);
  received.packet = getPacket(datagram);
  return received;
}

}  // namespace verbena::connect
