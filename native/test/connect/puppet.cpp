// SPDX-License-Identifier: Apache-2.0
#include "puppet.h"

#include <gtest/gtest.h>

namespace verbena::connect::testing {

Nonce randomNonce(World& world) {
  Nonce nonce;
  for (std::byte& each : nonce) each = static_cast<std::byte>(world.random() | 1);
  return nonce;
}

Puppet::Puppet(World& inWorld, SimulatedNode& node, NodeId ownId)
    : world(inWorld),
      subject(node),
      id(ownId),
      address(addressAt(static_cast<uint16_t>(2000 + ownId))),
      incarnation(inWorld.random() | 1),
      key(Hmac(keyOf("a cluster key"))) {
  subject.exchange->addPeer(world.now, id, {address});
}

Packet Puppet::make(PacketKind kind) {
  using enum PacketKind;
  Packet packet;
  packet.kind = kind;
  packet.source = id;
  packet.destination = subject.id();
  packet.sourceIncarnation = incarnation;
  packet.destinationIncarnation = kind == hello ? 0 : subject.options.incarnation;
  packet.cluster = hashOfCluster("default");
  packet.dialler = dialler;
  if (kind != hello) packet.accepter = accepter;
  packet.versions = kVersions;
  if (kind == refuse || kind == decline) packet.reason = Refusal::identity;
  if (kind != hello && kind != challenge && kind != refuse) packet.counter = ++counter;
  packet.link = link;
  if (kind == offer || kind == answer) packet.end = this->end;
  return packet;
}

void Puppet::say(const Packet& packet) {
  world.inject(address, subject.address, encode(packet, key));
}

std::vector<Packet> Puppet::hear() {
  std::vector<Packet> heard;
  for (const Sent& sent : world.sent) {
    EXPECT_EQ(sent.packet.size(), kPacketBytes);
    if (sent.to == address) heard.push_back(decode(sent.packet, key).packet);
  }
  world.sent.clear();
  return heard;
}

Packet Puppet::hearOne() {
  std::vector<Packet> heard = hear();
  EXPECT_EQ(heard.size(), 1U);
  return heard.empty() ? make(PacketKind::ping) : heard.back();
}

void Puppet::toHello() {
  subject.dial(id);
  dialler = hearOne().dialler;
  accepter = randomNonce(world);
}

void Puppet::toOffered() {
  toHello();
  say(PacketKind::challenge);
  EXPECT_EQ(hearOne().kind, PacketKind::offer);
  link = {kMain, 1, false};
}

void Puppet::toUpDialled() {
  toOffered();
  say(PacketKind::answer);
  EXPECT_EQ(hearOne().kind, PacketKind::confirm);
}

void Puppet::askForChallenge() {
  dialler = randomNonce(world);
  say(PacketKind::hello);
  Packet challenge = hearOne();
  EXPECT_EQ(challenge.kind, PacketKind::challenge);
  accepter = challenge.accepter;
  link = {kMain, 1, true};
}

void Puppet::toAnswered() {
  askForChallenge();
  say(PacketKind::offer);
  EXPECT_EQ(hearOne().kind, PacketKind::answer);
}

void Puppet::toUpAccepted() {
  toAnswered();
  say(PacketKind::confirm);
  EXPECT_EQ(hear().size(), 0U);
}

void Puppet::toClosing() {
  toUpAccepted();
  subject.exchange->close(world.now, subject.live(id), "the test says so");
  EXPECT_EQ(hearOne().kind, PacketKind::close);
}

}  // namespace verbena::connect::testing
