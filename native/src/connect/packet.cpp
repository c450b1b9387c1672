// SPDX-License-Identifier: Apache-2.0
#include "connect/packet.h"

#include <algorithm>
#include <cstring>

namespace verbena::connect {
namespace {

// Offsets in bytes.
constexpr size_t kMagicAt = 0;
constexpr size_t kVersionAt = 4;
constexpr size_t kKindAt = 5;
constexpr size_t kReasonAt = 6;
constexpr size_t kTextLengthAt = 7;
constexpr size_t kSourceAt = 8;
constexpr size_t kDestinationAt = 10;
constexpr size_t kReservedAt = 12;
constexpr size_t kSourceIncarnationAt = 16;
constexpr size_t kDestinationIncarnationAt = 24;
constexpr size_t kClusterAt = 32;
constexpr size_t kDiallerAt = 48;
constexpr size_t kAccepterAt = 64;
constexpr size_t kCounterAt = 80;
constexpr size_t kEndAt = 88;
constexpr size_t kEndBytes = 40;
constexpr size_t kTextAt = 128;
constexpr size_t kProofAt = 224;
static_assert(kEndAt + kEndBytes == kTextAt && kTextAt + kTextBytes == kProofAt);
static_assert(kProofAt + sizeof(Digest) == kPacketBytes);

// Within the queue pair's end.
constexpr size_t kQpNum = kEndAt;
constexpr size_t kSendPsn = kEndAt + 4;
constexpr size_t kGid = kEndAt + 8;
constexpr size_t kLid = kEndAt + 24;
constexpr size_t kMtu = kEndAt + 26;
constexpr size_t kMaxReadsServed = kEndAt + 27;
constexpr size_t kEngineVersion = kEndAt + 28;
constexpr size_t kWindow = kEndAt + 30;
constexpr size_t kMaxSendBytes = kEndAt + 32;
constexpr size_t kEndReserved = kEndAt + 36;

constexpr uint32_t kMagic = 0x50514256;  // "VBQP"
constexpr uint32_t kMask24 = 0xffffff;

using Bytes = std::span<const std::byte>;

template <typename T>
void put(Datagram& into, size_t at, T value) {
  for (size_t i = 0; i < sizeof(T); i++)
    into[at + i] = static_cast<std::byte>(static_cast<uint64_t>(value) >> 8 * i);
}

template <typename T>
T get(Bytes from, size_t at) {
  uint64_t value = 0;
  for (size_t i = sizeof(T); i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(from[at + i]);
  return static_cast<T>(value);
}

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

void putEnd(Datagram& into, const QueuePairEnd& end) {
  put(into, kQpNum, end.qpNum);
  put(into, kSendPsn, end.sendPsn);
  std::memcpy(into.data() + kGid, end.gid.raw, sizeof end.gid.raw);
  put(into, kLid, end.lid);
  put(into, kMtu, end.mtu);
  put(into, kMaxReadsServed, end.maxReadsServed);
  put(into, kEngineVersion, end.engineVersion);
  put(into, kWindow, end.window);
  put(into, kMaxSendBytes, end.maxSendBytes);
}

QueuePairEnd getEnd(Bytes from) {
  QueuePairEnd end;
  end.qpNum = get<uint32_t>(from, kQpNum);
  end.sendPsn = get<uint32_t>(from, kSendPsn);
  std::memcpy(end.gid.raw, from.data() + kGid, sizeof end.gid.raw);
  end.lid = get<uint16_t>(from, kLid);
  end.mtu = get<uint8_t>(from, kMtu);
  end.maxReadsServed = get<uint8_t>(from, kMaxReadsServed);
  end.engineVersion = get<uint16_t>(from, kEngineVersion);
  end.window = get<uint16_t>(from, kWindow);
  end.maxSendBytes = get<uint32_t>(from, kMaxSendBytes);
  return end;
}

/// What a kind carries besides what all carry.
struct Shape {
  bool end, text, counter, accepter;
};

Shape shapeOf(PacketKind kind) {
  switch (kind) {
    case PacketKind::hello: return {false, true, false, false};
    case PacketKind::challenge: return {false, false, false, true};
    case PacketKind::offer: return {true, false, true, true};
    case PacketKind::answer: return {true, false, true, true};
    case PacketKind::confirm: return {false, false, true, true};
    case PacketKind::refuse: return {false, true, false, true};
    case PacketKind::close: return {false, true, true, true};
    case PacketKind::ping: return {false, false, true, true};
    case PacketKind::pong: return {false, false, true, true};
  }
  return {};
}

bool isKind(uint8_t code) {
  return code >= static_cast<uint8_t>(PacketKind::hello) &&
         code <= static_cast<uint8_t>(PacketKind::pong);
}

bool versionAndKindFit(uint8_t version, PacketKind kind) {
  if (version == kExchangeVersion) return true;
  return kind == PacketKind::hello || kind == PacketKind::refuse;
}

bool reasonFits(PacketKind kind, uint8_t reason) {
  if (kind != PacketKind::refuse) return reason == static_cast<uint8_t>(Refusal::none);
  return reason >= static_cast<uint8_t>(Refusal::protocol) &&
         reason <= static_cast<uint8_t>(Refusal::closing);
}

bool endFits(Bytes from, bool carried) {
  if (!carried) return allZero(from.subspan(kEndAt, kEndBytes));
  QueuePairEnd end = getEnd(from);
  return end.qpNum <= kMask24 && end.sendPsn <= kMask24 && end.mtu >= IBV_MTU_256 &&
         end.mtu <= IBV_MTU_4096 && get<uint32_t>(from, kEndReserved) == 0;
}

bool noncesFit(Bytes from, PacketKind kind, bool accepterCarried) {
  bool accepterZero = allZero(from.subspan(kAccepterAt, sizeof(Nonce)));
  bool accepterFits = kind == PacketKind::refuse || accepterZero == !accepterCarried;
  return !allZero(from.subspan(kDiallerAt, sizeof(Nonce))) && accepterFits;
}

bool textFits(Bytes from, bool carried) {
  size_t length = get<uint8_t>(from, kTextLengthAt);
  if (length > (carried ? kTextBytes : 0)) return false;
  return allZero(from.subspan(kTextAt + length, kTextBytes - length));
}

bool fieldsFit(Bytes from) {
  if (get<uint32_t>(from, kMagicAt) != kMagic || !isKind(get<uint8_t>(from, kKindAt))) return false;
  auto kind = static_cast<PacketKind>(get<uint8_t>(from, kKindAt));
  Shape shape = shapeOf(kind);
  bool headFits = versionAndKindFit(get<uint8_t>(from, kVersionAt), kind) &&
                  reasonFits(kind, get<uint8_t>(from, kReasonAt)) &&
                  get<uint32_t>(from, kReservedAt) == 0 &&
                  get<uint64_t>(from, kSourceIncarnationAt) != 0;
  bool livesFit = kind != PacketKind::hello || get<uint64_t>(from, kDestinationIncarnationAt) == 0;
  bool counterFits = shape.counter || get<uint64_t>(from, kCounterAt) == 0;
  return headFits && livesFit && counterFits && noncesFit(from, kind, shape.accepter) &&
         endFits(from, shape.end) && textFits(from, shape.text);
}

std::string getText(Bytes from) {
  std::string text(get<uint8_t>(from, kTextLengthAt), ' ');
  std::memcpy(text.data(), from.data() + kTextAt, text.size());
  auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return !printable(c); }, '?');
  return text;
}

Packet getPacket(Bytes from) {
  Packet packet;
  packet.kind = static_cast<PacketKind>(get<uint8_t>(from, kKindAt));
  packet.version = get<uint8_t>(from, kVersionAt);
  packet.reason = static_cast<Refusal>(get<uint8_t>(from, kReasonAt));
  packet.source = get<uint16_t>(from, kSourceAt);
  packet.destination = get<uint16_t>(from, kDestinationAt);
  packet.sourceIncarnation = get<uint64_t>(from, kSourceIncarnationAt);
  packet.destinationIncarnation = get<uint64_t>(from, kDestinationIncarnationAt);
  packet.cluster = getArray<sizeof(ClusterHash)>(from, kClusterAt);
  packet.dialler = getArray<sizeof(Nonce)>(from, kDiallerAt);
  packet.accepter = getArray<sizeof(Nonce)>(from, kAccepterAt);
  packet.counter = get<uint64_t>(from, kCounterAt);
  if (shapeOf(packet.kind).end) packet.end = getEnd(from);
  packet.text = getText(from);
  return packet;
}

/// Over everything before it; zeros where there is no key.
Digest proofOf(Bytes packet, const std::optional<Hmac>& key) {
  return key ? key->of(packet.first(kProofAt)) : Digest{};
}

}  // namespace

ClusterHash hashOfCluster(const std::string& name) {
  return getArray<sizeof(ClusterHash)>(sha256(std::as_bytes(std::span(name))), 0);
}

Datagram encode(const Packet& packet, const std::optional<Hmac>& key) {
  Datagram into{};
  size_t textBytes = std::min(packet.text.size(), kTextBytes);
  put(into, kMagicAt, kMagic);
  put(into, kVersionAt, packet.version);
  put(into, kKindAt, static_cast<uint8_t>(packet.kind));
  put(into, kReasonAt, static_cast<uint8_t>(packet.reason));
  put(into, kTextLengthAt, static_cast<uint8_t>(textBytes));
  put(into, kSourceAt, packet.source);
  put(into, kDestinationAt, packet.destination);
  put(into, kSourceIncarnationAt, packet.sourceIncarnation);
  put(into, kDestinationIncarnationAt, packet.destinationIncarnation);
  putArray(into, kClusterAt, packet.cluster);
  putArray(into, kDiallerAt, packet.dialler);
  putArray(into, kAccepterAt, packet.accepter);
  put(into, kCounterAt, packet.counter);
  if (shapeOf(packet.kind).end) putEnd(into, packet.end);
  std::memcpy(into.data() + kTextAt, packet.text.data(), textBytes);
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
