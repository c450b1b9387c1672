// SPDX-License-Identifier: Apache-2.0
//
// What two lives of two nodes have with each other: a name that nobody else can know, the version
// they speak, and when the far side was last heard. Links are made inside of it.
#pragma once

#include <map>
#include <string>

#include "connect/own_node.h"

namespace verbena::connect {

/// A session is *open* when the far side is known to have it. Until then the side that dials has
/// only the CHALLENGE's word for it.
class Session {
 public:
  Session(const OwnNode& own, NodeId peer) : own_(own), peer_(peer) {}
  Session& operator=(Session&&) = delete;
  Session(Session&&) = default;

  Nonce dialler{};
  Nonce accepter{};
  bool dialled = false;  ///< by this side
  bool open = false;
  uint8_t version = kVersions.greatest;
  uint64_t incarnation = 0;  ///< of the peer
  Address address;           ///< of the peer
  uint64_t heard = 0;        ///< highest counter that came
  Time heardAt{0};
  unsigned offersSent = 0;                ///< while it was not open
  uint32_t lastOffered = 0;               ///< number of the last link that this side has offered
  std::map<LinkName, uint32_t> accepted;  ///< highest number accepted of each

  /// The next packet of it.
  Packet make(PacketKind kind) {
    Packet packet;
    packet.kind = kind;
    packet.versions = {version, version};
    packet.source = own_.options.self;
    packet.destination = peer_;
    packet.sourceIncarnation = own_.options.incarnation;
    packet.destinationIncarnation = incarnation;
    packet.cluster = own_.cluster;
    packet.dialler = dialler;
    packet.accepter = accepter;
    packet.counter = ++said_;
    return packet;
  }

  bool isNamedIn(const Packet& packet) const {
    return packet.dialler == dialler && packet.accepter == accepter;
  }
  bool isOf(const Packet& packet) const {
    return isNamedIn(packet) && packet.sourceIncarnation == incarnation &&
           packet.versions == Versions{version, version};
  }

 private:
  const OwnNode& own_;
  const NodeId peer_;
  uint64_t said_ = 0;  ///< counter of the last packet
};

}  // namespace verbena::connect
