// SPDX-License-Identifier: Apache-2.0
//
// The packets of the exchange (docs/protocol.md, "Exchange of queue pairs"): 256 bytes each, so
// that no answer is larger than its question. Nothing here remembers anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "connect/observer.h"
#include "connect/queue_pairs.h"
#include "connect/sha256.h"

namespace verbena::connect {

inline constexpr uint8_t kExchangeVersion = 1;
inline constexpr size_t kPacketBytes = 256;
inline constexpr size_t kTextBytes = 96;

/// Random, new in each dial (the dialling side's) or unpredictable (the accepting side's); never
/// all zero.
using Nonce = std::array<std::byte, 16>;
using ClusterHash = std::array<std::byte, 16>;
using Datagram = std::array<std::byte, kPacketBytes>;

enum class PacketKind : uint8_t {
  hello = 1,  ///< I would dial; no state is made for it
  challenge,  ///< the accepting side's nonce
  offer,      ///< the dialling side's queue pair
  answer,     ///< the accepting side's queue pair, which receives already
  confirm,    ///< the dialling side's receives, too
  refuse,     ///< no connection, and why
  close,      ///< this connection is not there, or no more
  ping,
  pong,
};

struct Packet {
  PacketKind kind = PacketKind::hello;
  uint8_t version = kExchangeVersion;
  Refusal reason = Refusal::none;  ///< of REFUSE
  NodeId source = 0;
  NodeId destination = 0;
  uint64_t sourceIncarnation = 0;
  uint64_t destinationIncarnation = 0;  ///< 0 where it is not known
  ClusterHash cluster{};
  Nonce dialler{};
  Nonce accepter{};
  uint64_t counter = 0;  ///< of those that belong to a connection: rises with each packet of a side
  QueuePairEnd end;      ///< of OFFER and ANSWER
  std::string text;      ///< HELLO: the cluster's name; REFUSE, CLOSE: why
};

/// What a datagram turned out to be.
struct Received {
  enum class Verdict {
    good,
    length,   ///< not of a packet's length
    protocol  ///< not ours, or a field has a value that it cannot have
  };
  Verdict verdict = Verdict::protocol;
  bool proved = false;      ///< its proof is right; nothing else of it may be believed otherwise
  bool hasNoProof = false;  ///< it is all zero: the sender has no key
  Packet packet;
};

ClusterHash hashOfCluster(const std::string& name);

/// Text that is too long is cut.
Datagram encode(const Packet& packet, const std::optional<Hmac>& key);

/// Checks the length before anything is read, then each field, then the proof. Of a foreign version
/// only HELLO and REFUSE are read: they keep their layout in every version. Characters of the text
/// that are not printable ASCII come out as '?'.
Received decode(std::span<const std::byte> datagram, const std::optional<Hmac>& key);

}  // namespace verbena::connect
