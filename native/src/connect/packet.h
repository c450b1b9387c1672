// SPDX-License-Identifier: Apache-2.0
//
// The packets of the exchange (docs/protocol.md, "Sessions and links"): 256 bytes each, so that no
// answer is larger than its question. Nothing here remembers anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/sha256.h"
#include "connect/link.h"
#include "connect/observer.h"

namespace verbena::connect {

using base::Digest;
using base::equalInConstantTime;
using base::Hmac;
using base::sha256;

/// Versions of the exchange that a node speaks: all from the least to the greatest.
struct Versions {
  uint8_t least = 0;
  uint8_t greatest = 0;

  bool has(uint8_t version) const { return least <= version && version <= greatest; }
  /// The greatest that both speak, if there is one.
  std::optional<uint8_t> common(const Versions& other) const;
  /// "version 2", "versions 2 to 4"
  std::string text() const;

  friend bool operator==(const Versions&, const Versions&) = default;
};

inline constexpr Versions kVersions{2, 2};
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
  offer,      ///< a new link: this side's end; the first one begins the session
  answer,     ///< the accepting end of the link, which receives already
  confirm,    ///< the offering end receives, too
  refuse,     ///< no session, and why
  close,      ///< this link is not there, or no more; repeated until a CLOSED comes
  ping,
  pong,
  closed,   ///< the link is no more on this side either
  decline,  ///< no link, and why; the session stays
  end,      ///< this session is not there, or no more, and none of its links
};

/// A link within its session, as the sender of a packet sees it.
struct LinkRef {
  LinkName name{};
  uint32_t number = 0;    ///< each side counts the links that it offers, from 1 on
  bool ofSender = false;  ///< the packet's sender has offered it

  /// As the other side sees it.
  LinkRef mirrored() const { return {name, number, !ofSender}; }

  friend bool operator==(const LinkRef&, const LinkRef&) = default;
};

struct Packet {
  PacketKind kind = PacketKind::hello;
  /// HELLO, CHALLENGE, REFUSE: what the sender speaks; else what is spoken in the session.
  Versions versions = kVersions;
  Refusal reason = Refusal::none;  ///< of REFUSE and DECLINE
  NodeId source = 0;
  NodeId destination = 0;
  uint64_t sourceIncarnation = 0;
  uint64_t destinationIncarnation = 0;  ///< 0 where it is not known
  ClusterHash cluster{};
  Nonce dialler{};
  Nonce accepter{};
  uint64_t counter = 0;  ///< of those that belong to a session: rises with each packet of a side
  LinkRef link{};        ///< of those that are about one
  LinkEnd end;           ///< of OFFER and ANSWER
  std::string text;      ///< HELLO: the cluster's name; REFUSE, DECLINE, CLOSE, END: why
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
