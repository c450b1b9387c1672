// SPDX-License-Identifier: Apache-2.0
//
// What travels between two softnic ports, on either wire: the layouts and their parser.
//
// A packet is a PacketHeader, an extension that depends on the kind, and a payload. All fields are
// little endian except immediate data and GIDs, which stay in network order as in verbs. On a wire
// each packet starts at a multiple of kPacketAlignment bytes after the one before.
//
// Wires are reliable and keep order as long as both ends live, so a sequence number (psn) counts
// messages, not packets: all packets of a message carry the same one.
#pragma once

#include <infiniband/verbs.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace verbena::softnic {

static_assert(std::endian::native == std::endian::little, "packets are written as they lie");

inline constexpr uint32_t kPacketAlignment = 8;
/// A message is cut into packets of this payload; small enough for several to be under way in one
/// ring, large enough for the copy to dominate.
inline constexpr uint32_t kFragmentBytes = 16 * 1024;
inline constexpr uint32_t kMaxMessageBytes = 1U << 30;
/// A datagram must fit the path MTU, as on every fabric.
inline constexpr uint32_t kMaxDatagramBytes = 4096;
inline constexpr uint32_t kQpnMask = 0xffffff;
inline constexpr uint32_t kPsnMask = 0xffffff;

enum class PacketKind : uint8_t {
  Pad = 0,           // fills the end of a ring; nothing in it
  Send = 1,          // payload for a receive request
  Write = 2,         // RdmaHeader in the first packet of a message, payload for the target's memory
  ReadRequest = 3,   // RdmaHeader
  ReadResponse = 4,  // payload; psn is the request's
  Atomic = 5,        // AtomicHeader
  AtomicResponse = 6,  // 8 bytes of payload, the original value; psn is the request's
  Ack = 7,             // everything up to psn is executed and answered
  Nak = 8,             // everything before psn is executed, psn is refused: a Syndrome
  Dropped = 9,         // psn was dropped unexecuted: a fabric would have been silent
  Datagram = 10,       // DatagramHeader, payload
  Growth = 11,         // of the ring, which goes on behind what it was; nothing in it
};

enum PacketFlags : uint8_t {
  kFirst = 1,      // first packet of its message
  kLast = 2,       // last packet of its message
  kSolicited = 4,  // the receiver's completion is a solicited event
  kImmediate = 8,  // `immediate` is valid
  kPlaced = 16,    // a write whose payload the initiator has already copied itself
  kFetchAdd = 32,  // of an Atomic: fetch and add; otherwise compare and swap
};

constexpr unsigned flagIf(bool condition, PacketFlags flag) {
  return condition ? static_cast<unsigned>(flag) : 0U;
}

/// Why a request was refused, in the low byte of a Nak's `immediate`; for ReceiverNotReady the
/// encoded timer (ibv_qp_attr.min_rnr_timer) is in the byte above.
enum class Syndrome : uint8_t {
  ReceiverNotReady = 1,
  InvalidRequest = 2,
  RemoteAccess = 3,
  RemoteOperational = 4,
};

struct PacketHeader {
  uint32_t sizeBytes;  // header, extension and payload, without padding
  PacketKind kind;
  uint8_t flags;
  uint16_t reserved;
  uint32_t destQpn;
  uint32_t srcQpn;
  uint32_t psn;
  uint32_t immediate;
};
static_assert(sizeof(PacketHeader) == 24);

struct RdmaHeader {
  uint64_t remoteAddress;
  uint32_t rkey;
  uint32_t lengthBytes;  // of the whole message
};
static_assert(sizeof(RdmaHeader) == 16);

struct AtomicHeader {
  uint64_t remoteAddress;
  uint64_t compareAdd;
  uint64_t swap;
  uint32_t rkey;
  uint32_t reserved;
};
static_assert(sizeof(AtomicHeader) == 32);

struct DatagramHeader {
  uint32_t qkey;
  uint32_t versionTclassFlow;  // as in ibv_grh, network order
  uint8_t hopLimit;
  uint8_t serviceLevel;
  uint16_t reserved;
  uint32_t reserved2;
  ibv_gid sgid;
  ibv_gid dgid;
};
static_assert(sizeof(DatagramHeader) == 48);

inline constexpr uint32_t kMaxPacketBytes =
    sizeof(PacketHeader) + sizeof(DatagramHeader) + kFragmentBytes;

/// A packet taken apart. Headers are copies: what a peer does to shared memory afterwards changes
/// nothing that was checked. The payload still lies on the wire.
struct Packet {
  PacketHeader header;
  union {
    RdmaHeader rdma;
    AtomicHeader atomic;
    DatagramHeader datagram;
  };
  std::span<const std::byte> payload;

  bool has(PacketFlags flag) const { return (header.flags & flag) != 0; }
};

/// How many bytes `sizeBytes` take on a wire.
constexpr uint32_t padded(uint32_t sizeBytes) {
  return (sizeBytes + kPacketAlignment - 1) & ~(kPacketAlignment - 1);
}

/// Takes the packet at the start of `bytes` apart. False if its bytes are not one: every length,
/// kind and flag is checked here, and nothing later trusts the wire for them. Numbers that
/// mean something to a queue pair (destination, key, address) are the responder's to check.
bool parsePacket(std::span<const std::byte> bytes, Packet& packet);

/// Distance from `b` to `a` in the 24-bit circle of packet sequence numbers; negative if `a` is
/// before `b`.
constexpr int32_t psnDistance(uint32_t a, uint32_t b) {
  return static_cast<int32_t>((a - b) << 8) >> 8;
}

constexpr uint32_t psnPlus(uint32_t psn, uint32_t n) {
  return (psn + n) & kPsnMask;
}

}  // namespace verbena::softnic
