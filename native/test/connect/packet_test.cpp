// SPDX-License-Identifier: Apache-2.0
#include "connect/packet.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "world.h"

namespace verbena::connect::testing {
namespace {

using Verdict = Received::Verdict;

const std::optional<Hmac> kKey = Hmac(keyOf("0123456789abcdef"));

constexpr PacketKind kAllKinds[] = {PacketKind::hello,  PacketKind::challenge, PacketKind::offer,
                                    PacketKind::answer, PacketKind::confirm,   PacketKind::refuse,
                                    PacketKind::close,  PacketKind::ping,      PacketKind::pong,
                                    PacketKind::closed, PacketKind::decline,   PacketKind::end};

Nonce nonceOf(int value) {
  Nonce nonce;
  nonce.fill(static_cast<std::byte>(value));
  return nonce;
}

bool isOneOf(PacketKind kind, std::initializer_list<PacketKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// One of this kind that is in order.
Packet goodPacket(PacketKind kind) {
  using enum PacketKind;
  Packet packet;
  packet.kind = kind;
  packet.source = 0x0102;
  packet.destination = 0x0304;
  packet.sourceIncarnation = 0x1112131415161718;
  packet.destinationIncarnation = kind == hello ? 0 : 0x2122232425262728;
  packet.cluster = hashOfCluster("default");
  packet.dialler = nonceOf(0xd1);
  if (kind != hello) packet.accepter = nonceOf(0xac);
  if (isOneOf(kind, {refuse, decline})) packet.reason = Refusal::identity;
  if (!isOneOf(kind, {hello, challenge, refuse})) packet.counter = 0x3132333435363738;
  if (isOneOf(kind, {hello, refuse, close, decline, end})) packet.text = "some text";
  if (isOneOf(kind, {offer, answer, confirm, close, closed, decline})) {
    packet.link = {{0x4142, 0x4344}, 0x45464748, isOneOf(kind, {offer, confirm})};
  }
  if (!isOneOf(kind, {offer, answer})) return packet;
  std::array<std::byte, 5> bytes;
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<std::byte>(0x81 + i);
  packet.end = LinkEnd(bytes);
  return packet;
}

Datagram goodDatagram(PacketKind kind) {
  return encode(goodPacket(kind), kKey);
}

/// The same with other bytes, and a proof that is right all the same.
Datagram altered(PacketKind kind, const std::function<void(Datagram&)>& change) {
  Datagram datagram = goodDatagram(kind);
  change(datagram);
  Digest proof = kKey->of(std::span(datagram).first(224));
  std::copy(proof.begin(), proof.end(), datagram.begin() + 224);
  return datagram;
}

Datagram with(PacketKind kind, size_t offset, std::vector<int> bytes) {
  return altered(kind, [&](Datagram& datagram) {
    for (size_t i = 0; i < bytes.size(); i++)
      datagram[offset + i] = static_cast<std::byte>(bytes[i]);
  });
}

bool isGood(std::span<const std::byte> datagram) {
  return decode(datagram, kKey).verdict == Verdict::good;
}

TEST(Packet, ComesOutAsItWentIn) {
  for (PacketKind kind : kAllKinds) {
    Packet in = goodPacket(kind);
    Received received = decode(encode(in, kKey), kKey);
    const Packet& out = received.packet;
    ASSERT_EQ(received.verdict, Verdict::good) << static_cast<int>(kind);
    EXPECT_TRUE(received.proved);
    EXPECT_EQ(out.kind, in.kind);
    EXPECT_EQ(out.versions, in.versions);
    EXPECT_EQ(out.reason, in.reason);
    EXPECT_EQ(out.source, in.source);
    EXPECT_EQ(out.destination, in.destination);
    EXPECT_EQ(out.sourceIncarnation, in.sourceIncarnation);
    EXPECT_EQ(out.destinationIncarnation, in.destinationIncarnation);
    EXPECT_EQ(out.cluster, in.cluster);
    EXPECT_EQ(out.dialler, in.dialler);
    EXPECT_EQ(out.accepter, in.accepter);
    EXPECT_EQ(out.counter, in.counter);
    EXPECT_EQ(out.link, in.link);
    EXPECT_TRUE(out.end == in.end);
    EXPECT_EQ(out.text, in.text);
  }
}

TEST(Packet, HasIdsOf31Bits) {
  Packet packet = goodPacket(PacketKind::ping);
  packet.source = kMostNode;
  packet.destination = 0x12345678;
  Packet out = decode(encode(packet, kKey), kKey).packet;
  EXPECT_EQ(out.source, kMostNode);
  EXPECT_EQ(out.destination, 0x12345678U);
}

TEST(Packet, IsForAnyNodeOnlyIfItIsAQuestion) {
  for (PacketKind kind : kAllKinds) {
    Packet packet = goodPacket(kind);
    packet.destination = kAnyNode;
    Received received = decode(encode(packet, kKey), kKey);
    EXPECT_EQ(received.verdict == Verdict::good, kind == PacketKind::hello);
  }
}

TEST(Packet, HasTheBytesOfTheProtocolDocument) {
  Datagram datagram = goodDatagram(PacketKind::offer);
  std::string hex;
  for (std::byte each : datagram) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(each));
    hex += digits;
  }
  EXPECT_EQ(hex.substr(0, 2 * 105),
            "5642515022030005"
            "0201040300000000"
            "1817161514131211"
            "2827262524232221"
            "37a8eec1ce19687d132fe29051dca629"
            "d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1"
            "acacacacacacacacacacacacacacacac"
            "3837363534333231"
            "01004241"
            "44430000"
            "48474645"
            "8182838485");
  EXPECT_EQ(hex.substr(2 * 105, 2 * 119), std::string(2 * 119, '0'));
  EXPECT_EQ(hex.substr(2 * 224),
            "d23d167ab86c1aa3584a08b9c2fb301703a9b2f0f6c2be5ec02f5538d2c2e3bf");
}

TEST(Packet, OfAnyOtherLengthIsNotRead) {
  Datagram good = goodDatagram(PacketKind::ping);
  std::vector<std::byte> bytes(good.begin(), good.end());
  bytes.resize(512);
  for (size_t length = 0; length <= bytes.size(); length++) {
    // A buffer of exactly this size: a byte that is read beyond it is found by the sanitizer.
    std::vector<std::byte> exact(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(length));
    exact.shrink_to_fit();
    Verdict expected = length == kPacketBytes ? Verdict::good : Verdict::length;
    EXPECT_EQ(decode(exact, kKey).verdict, expected) << length;
  }
}

TEST(Packet, WithAnyBitFlippedIsNotProved) {
  for (PacketKind kind : kAllKinds) {
    Datagram good = goodDatagram(kind);
    for (size_t bit = 0; bit < 8 * kPacketBytes; bit++) {
      Datagram bad = good;
      bad[bit / 8] ^= std::byte{1} << bit % 8;
      Received received = decode(bad, kKey);
      EXPECT_FALSE(received.verdict == Verdict::good && received.proved) << bit;
    }
  }
}

TEST(Packet, WithoutAKeyHasAProofOfZeros) {
  Datagram datagram = encode(goodPacket(PacketKind::ping), std::nullopt);
  EXPECT_TRUE(decode(datagram, std::nullopt).proved);
  EXPECT_TRUE(decode(datagram, kKey).hasNoProof);
  EXPECT_FALSE(decode(datagram, kKey).proved);
  EXPECT_FALSE(decode(goodDatagram(PacketKind::ping), std::nullopt).proved);
}

struct Hostile {
  const char* what;
  PacketKind kind;
  size_t offset;
  std::vector<int> bytes;
};

TEST(Packet, WithAFieldThatCannotBeIsRefused) {
  using enum PacketKind;
  const std::vector<int> zero8(8), zero16(16);
  const Hostile all[] = {
      {"magic", ping, 0, {'X'}},
      {"version of a kind that does not keep its layout", ping, 4, {0x33}},
      {"two versions in a session", ping, 4, {0x23}},
      {"no version in common", challenge, 4, {0x43}},
      {"version 0", challenge, 4, {0}},
      {"more for the least version than for the greatest", challenge, 4, {0x32}},
      {"kind 0", ping, 5, {0}},
      {"kind beyond the last", ping, 5, {13}},
      {"kind 255", ping, 5, {255}},
      {"reason outside REFUSE", ping, 6, {1}},
      {"REFUSE without a reason", refuse, 6, {0}},
      {"DECLINE without a reason", decline, 6, {0}},
      {"reason that is never sent", refuse, 6, {6}},
      {"unknown reason", refuse, 6, {255}},
      {"text where there is none", ping, 7, {1}},
      {"text longer than its place", close, 7, {97}},
      {"text of 255 bytes", close, 7, {255}},
      {"bytes behind the text", close, 7, {8}},
      {"bytes before the text", close, 127, {1}},
      {"end longer than its place", offer, 7, {125}},
      {"bytes behind the end", offer, 7, {4}},
      {"sender's id too large", ping, 13, {128}},
      {"destination's id too large", ping, 15, {128}},
      {"incarnation 0", ping, 16, zero8},
      {"destination's incarnation in HELLO", hello, 24, {1}},
      {"dialling side's nonce 0", ping, 48, zero16},
      {"accepting side's nonce in HELLO", hello, 64, {1}},
      {"accepting side's nonce 0", challenge, 64, zero16},
      {"accepting side's nonce 0 in a session", ping, 64, zero16},
      {"counter in HELLO", hello, 80, {1}},
      {"counter in CHALLENGE", challenge, 87, {1}},
      {"link where there is none", ping, 88, {1}},
      {"link that nobody offered", offer, 88, {0}},
      {"link that a third offered", offer, 88, {3}},
      {"reserved of the link", offer, 89, {1}},
      {"service 0", offer, 90, {0, 0}},
      {"reserved of the link, last byte", answer, 95, {1}},
      {"link number 0", closed, 96, {0, 0, 0, 0}},
      {"text bytes where there is none", ping, 128, {'x'}},
      {"text bytes at the end", ping, 223, {'x'}},
  };
  for (const Hostile& each : all) {
    Received received = decode(with(each.kind, each.offset, each.bytes), kKey);
    EXPECT_EQ(received.verdict, Verdict::protocol) << each.what;
  }
}

TEST(Packet, OfAForeignVersionIsReadIfItsLayoutStays) {
  for (PacketKind kind : kAllKinds) {
    bool stays = kind == PacketKind::hello || kind == PacketKind::refuse;
    EXPECT_EQ(isGood(with(kind, 4, {0x98})), stays) << static_cast<int>(kind);
  }
}

TEST(Packet, OfVersionOneHasItsNumberAlone) {
  Versions versions = decode(with(PacketKind::hello, 4, {1}), kKey).packet.versions;
  EXPECT_EQ(versions, (Versions{1, 1}));
}

TEST(Versions, SpeakTheGreatestInCommon) {
  EXPECT_EQ((Versions{1, 3}.common({2, 5})), 3);
  EXPECT_EQ((Versions{2, 5}.common({1, 3})), 3);
  EXPECT_EQ((Versions{2, 2}.common({2, 2})), 2);
  EXPECT_EQ((Versions{1, 2}.common({3, 4})), std::nullopt);
  EXPECT_EQ((Versions{3, 4}.common({1, 2})), std::nullopt);
}

TEST(Packet, ShowsUnprintableTextAsQuestionMarks) {
  Packet packet = goodPacket(PacketKind::close);
  packet.text = "a\x1b[31m\n\x80z";
  EXPECT_EQ(decode(encode(packet, kKey), kKey).packet.text, "a?[31m??z");
}

TEST(Packet, CutsTextThatIsTooLong) {
  Packet packet = goodPacket(PacketKind::close);
  packet.text = std::string(300, 'y');
  EXPECT_EQ(decode(encode(packet, kKey), kKey).packet.text, std::string(kTextBytes, 'y'));
}

TEST(Packet, OfRandomBytesIsRefused) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; round++) {
    Datagram datagram = goodDatagram(kAllKinds[random() % std::size(kAllKinds)]);
    size_t changes = 1 + random() % 32;
    for (size_t i = 0; i < changes; i++)
      datagram[random() % 224] = static_cast<std::byte>(random());
    Received received = decode(datagram, kKey);
    EXPECT_LE(received.packet.text.size(), kTextBytes);
  }
}

}  // namespace
}  // namespace verbena::connect::testing
