// SPDX-License-Identifier: Apache-2.0
//
// The far side of an exchange, moved by hand: says what it is told to, and shows what it hears.
#pragma once

#include <optional>
#include <vector>

#include "world.h"

namespace verbena::connect::testing {

class Puppet {
 public:
  /// At port `id` + 2000, where no node of the world is.
  Puppet(World& world, SimulatedNode& subject, NodeId id);

  /// A packet with this puppet's nonces, and a counter where the kind has one.
  Packet make(PacketKind kind);
  void say(const Packet& packet);
  void say(PacketKind kind) { say(make(kind)); }
  /// What the subject has sent here since the last call.
  std::vector<Packet> hear();
  /// The one packet that came; a failed expectation and PING if it was not one.
  Packet hearOne();

  // The subject's state, brought about by these packets.
  void toHello();
  void toOffered();
  void toUpDialled();
  void toAnswered();
  void toUpAccepted();
  void toClosing();
  /// HELLO of its own with a new nonce, and the nonce of the CHALLENGE that comes.
  void askForChallenge();

  World& world;
  SimulatedNode& subject;
  NodeId id;
  Address address;
  uint64_t incarnation;
  Nonce dialler{};
  Nonce accepter{};
  uint64_t counter = 0;
  LinkRef link{kMain, 1, false};  ///< as the puppet sees it
  LinkEnd end = FakeOwner::endOf(1, 77);
  std::optional<Hmac> key;
};

Nonce randomNonce(World& world);

}  // namespace verbena::connect::testing
