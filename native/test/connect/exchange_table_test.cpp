// SPDX-License-Identifier: Apache-2.0
//
// Each kind of packet in each state: the table of docs/protocol.md, cell by cell.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "puppet.h"

namespace verbena::connect::testing {
namespace {

using State = Peer::State;

const std::vector<std::pair<PacketKind, std::string>> kKinds{
    {PacketKind::hello, "HELLO"},     {PacketKind::challenge, "CHALLENGE"},
    {PacketKind::offer, "OFFER"},     {PacketKind::answer, "ANSWER"},
    {PacketKind::confirm, "CONFIRM"}, {PacketKind::refuse, "REFUSE"},
    {PacketKind::close, "CLOSE"},     {PacketKind::ping, "PING"},
    {PacketKind::pong, "PONG"}};

std::string nameOfKind(PacketKind kind) {
  for (auto& [each, name] : kKinds) {
    if (each == kind) return name;
  }
  return "?";
}

std::string nameOfState(State state) {
  switch (state) {
    case State::idle: return "idle";
    case State::hello: return "hello";
    case State::offer: return "offer";
    case State::answered: return "answered";
    case State::up: return "up";
    case State::closing: return "closing";
  }
  return "?";
}

struct Row {
  const char* state;
  void (Puppet::*enter)();  ///< nullptr: nothing has happened
  /// For HELLO, CHALLENGE, OFFER, ANSWER, CONFIRM, REFUSE, CLOSE, PING, PONG: what is answered and
  /// the state afterwards; "-" for no answer, "." for the same state.
  const char* matching;  ///< packets with the nonces of this dial or connection
  const char* foreign;   ///< packets with other nonces
};

constexpr const char* kForeign = "CHALLENGE/. -/. CHALLENGE/. CLOSE/. CLOSE/. -/. -/. CLOSE/. -/.";
constexpr const char* kForeignWhileDialling =
    "REFUSE/. -/. CHALLENGE/. CLOSE/. CLOSE/. -/. -/. CLOSE/. -/.";

// The subject has the lower id, so its own dial goes first.
const Row kTable[] = {
    {"idle", nullptr, kForeign, kForeign},
    {"hello", &Puppet::toHello,
     "REFUSE/. OFFER/offer CHALLENGE/. CLOSE/. CLOSE/. -/idle -/. CLOSE/. -/.",
     kForeignWhileDialling},
    {"offer", &Puppet::toOffer, "REFUSE/. -/. -/. CONFIRM/up -/. -/closing -/closing -/. -/.",
     kForeignWhileDialling},
    {"answered", &Puppet::toAnswered, "CHALLENGE/. -/. ANSWER/. -/. -/up -/. -/closing PONG/up -/.",
     kForeign},
    {"up", &Puppet::toUpDialled, "CHALLENGE/. -/. -/. CONFIRM/. -/. -/. -/closing PONG/. -/.",
     kForeign},
    {"up", &Puppet::toUpAccepted, "CHALLENGE/. -/. -/. -/. -/. -/. -/closing PONG/. -/.", kForeign},
    {"closing", &Puppet::toClosing, kForeign, kForeign},
};

std::vector<std::string> words(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

/// What the subject does with one packet, as the table writes it.
std::string reaction(const Row& row, PacketKind kind, bool matching) {
  World world;
  SimulatedNode& subject = world.start(1, 1001);
  Puppet puppet(world, subject, 2);
  if (row.enter != nullptr) (puppet.*row.enter)();
  EXPECT_EQ(nameOfState(subject.exchange->stateOf(2)), row.state);
  if (!matching || row.enter == nullptr) {
    puppet.dialler = randomNonce(world);
    puppet.accepter = randomNonce(world);
  }
  puppet.say(kind);
  std::vector<Packet> answers = puppet.hear();
  EXPECT_LE(answers.size(), 1U);
  EXPECT_EQ(subject.owner.breaches(), std::vector<std::string>{});
  std::string after = nameOfState(subject.exchange->stateOf(2));
  return (answers.empty() ? "-" : nameOfKind(answers[0].kind)) + "/" +
         (after == row.state ? "." : after);
}

TEST(ExchangeTable, EveryKindInEveryState) {
  for (const Row& row : kTable) {
    std::vector<std::string> matching = words(row.matching);
    std::vector<std::string> foreign = words(row.foreign);
    ASSERT_EQ(matching.size(), kKinds.size());
    ASSERT_EQ(foreign.size(), kKinds.size());
    for (size_t i = 0; i < kKinds.size(); i++) {
      auto& [kind, name] = kKinds[i];
      EXPECT_EQ(reaction(row, kind, true), matching[i]) << name << " in " << row.state;
      EXPECT_EQ(reaction(row, kind, false), foreign[i])
          << "foreign " << name << " in " << row.state;
    }
  }
}

/// An OFFER with a good nonce, from a node whose own dial goes first, or not.
struct OfferRow {
  const char* state;
  void (Puppet::*enter)();
  NodeId from;
  const char* answer;
  const char* after;
  bool answeredAfterClosed;  ///< once the owner has closed the former queue pair
};

const OfferRow kOffers[] = {
    {"idle", nullptr, 2, "ANSWER", "answered", false},
    {"hello", &Puppet::toHello, 2, "REFUSE", "hello", false},
    {"offer", &Puppet::toOffer, 2, "REFUSE", "offer", false},
    {"hello", &Puppet::toHello, 0, "ANSWER", "answered", false},
    {"offer", &Puppet::toOffer, 0, "-", "closing", true},
    {"answered", &Puppet::toAnswered, 2, "-", "closing", true},
    {"up", &Puppet::toUpDialled, 2, "-", "closing", true},
    {"up", &Puppet::toUpAccepted, 2, "-", "closing", true},
    {"closing", &Puppet::toClosing, 2, "-", "closing", true},
};

TEST(ExchangeTable, ANewDialInEveryState) {
  for (const OfferRow& row : kOffers) {
    SCOPED_TRACE(std::string(row.state) + ", dialled by node " + std::to_string(row.from));
    World world;
    SimulatedNode& subject = world.start(1, 1001);
    Puppet puppet(world, subject, row.from);
    // The challenge comes first: a dial of the subject in between does not make it void.
    puppet.askForChallenge();
    Puppet other = puppet;
    if (row.enter != nullptr) (puppet.*row.enter)();
    EXPECT_EQ(nameOfState(subject.exchange->stateOf(row.from)), row.state);
    bool connectionsWereMade =
        row.enter == &Puppet::toAnswered || row.enter == &Puppet::toUpDialled ||
        row.enter == &Puppet::toUpAccepted || row.enter == &Puppet::toClosing;
    if (connectionsWereMade) other.askForChallenge();
    other.counter = 1000;
    other.say(PacketKind::offer);
    std::vector<Packet> answers = other.hear();
    EXPECT_EQ(answers.empty() ? "-" : nameOfKind(answers[0].kind), row.answer);
    EXPECT_EQ(nameOfState(subject.exchange->stateOf(row.from)), row.after);
    world.run(world.mostClosing);
    answers = other.hear();
    bool answered = !answers.empty() && answers.back().kind == PacketKind::answer &&
                    answers.back().dialler == other.dialler;
    EXPECT_TRUE(answered || !row.answeredAfterClosed);
    EXPECT_EQ(subject.owner.breaches(), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace verbena::connect::testing
