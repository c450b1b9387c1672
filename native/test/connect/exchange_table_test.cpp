// SPDX-License-Identifier: Apache-2.0
//
// Each kind of packet in each state: the table of docs/protocol.md, cell by cell.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "puppet.h"

namespace verbena::connect::testing {
namespace {

const std::vector<std::pair<PacketKind, std::string>> kKinds{
    {PacketKind::hello, "HELLO"},     {PacketKind::challenge, "CHALLENGE"},
    {PacketKind::offer, "OFFER"},     {PacketKind::answer, "ANSWER"},
    {PacketKind::confirm, "CONFIRM"}, {PacketKind::refuse, "REFUSE"},
    {PacketKind::close, "CLOSE"},     {PacketKind::ping, "PING"},
    {PacketKind::pong, "PONG"},       {PacketKind::closed, "CLOSED"},
    {PacketKind::decline, "DECLINE"}, {PacketKind::end, "END"}};

std::string nameOfKind(PacketKind kind) {
  for (auto& [each, name] : kKinds) {
    if (each == kind) return name;
  }
  return "?";
}

std::string nameOfState(Peer::State state) {
  switch (state) {
    case Peer::State::idle: return "idle";
    case Peer::State::hello: return "hello";
    case Peer::State::opening: return "opening";
    case Peer::State::open: return "open";
  }
  return "?";
}

std::string nameOfState(Links::State state) {
  switch (state) {
    case Links::State::none: return "none";
    case Links::State::offered: return "offered";
    case Links::State::answered: return "answered";
    case Links::State::up: return "up";
    case Links::State::closing: return "closing";
  }
  return "?";
}

/// Of the session and of the link.
std::string statesOf(const SimulatedNode& subject, NodeId peer) {
  return nameOfState(subject.exchange->stateOf(peer)) + "," +
         nameOfState(subject.exchange->stateOf(peer, kMain));
}

struct Row {
  const char* states;
  void (Puppet::*enter)();  ///< nullptr: nothing has happened
  /// For each of kKinds: what is answered and the states afterwards; "-" for no answer, "." for the
  /// same states.
  const char* matching;  ///< packets of this dial or session, about its link
  const char* foreign;   ///< packets with other nonces
};

constexpr const char* kForeign =
    "CHALLENGE/. -/. CHALLENGE/. END/. END/. -/. END/. END/. -/. -/. END/. -/.";
constexpr const char* kForeignWhileDialling =
    "REFUSE/. -/. CHALLENGE/. END/. END/. -/. END/. END/. -/. -/. END/. -/.";

// The subject has the lower id, so its own dial goes first.
const Row kTable[] = {
    {"idle,none", nullptr, kForeign, kForeign},
    {"hello,none", &Puppet::toHello,
     "REFUSE/. OFFER/opening,offered CHALLENGE/. END/. END/. -/idle,none END/. END/. -/. -/. "
     "END/. -/.",
     kForeignWhileDialling},
    {"opening,offered", &Puppet::toOffered,
     "REFUSE/. -/. CLOSE/open,offered CONFIRM/open,up CLOSE/open,offered -/idle,closing "
     "CLOSED/idle,closing PONG/open,offered -/open,offered -/open,offered -/idle,closing "
     "-/idle,closing",
     kForeignWhileDialling},
    {"open,answered", &Puppet::toAnswered,
     "CHALLENGE/. -/. ANSWER/. CLOSE/. -/open,up -/. CLOSED/idle,closing PONG/. -/. -/. -/. "
     "-/idle,closing",
     kForeign},
    {"open,up", &Puppet::toUpDialled,
     "CHALLENGE/. -/. CLOSE/. CONFIRM/. CLOSE/. -/. CLOSED/idle,closing PONG/. -/. -/. -/. "
     "-/idle,closing",
     kForeign},
    {"open,up", &Puppet::toUpAccepted,
     "CHALLENGE/. -/. -/. CLOSE/. -/. -/. CLOSED/idle,closing PONG/. -/. -/. -/. "
     "-/idle,closing",
     kForeign},
    {"open,closing", &Puppet::toClosing,
     "CHALLENGE/. -/. CLOSE/. CLOSE/. CLOSE/. -/. CLOSED/. PONG/. -/. -/idle,closing -/. "
     "-/idle,closing",
     kForeign},
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
  EXPECT_EQ(statesOf(subject, 2), row.states);
  if (!matching || row.enter == nullptr) {
    puppet.dialler = randomNonce(world);
    puppet.accepter = randomNonce(world);
  }
  puppet.say(kind);
  std::vector<Packet> answers = puppet.hear();
  EXPECT_LE(answers.size(), 1U);
  EXPECT_EQ(subject.owner.breaches(), std::vector<std::string>{});
  std::string after = statesOf(subject, 2);
  return (answers.empty() ? "-" : nameOfKind(answers[0].kind)) + "/" +
         (after == row.states ? "." : after);
}

TEST(ExchangeTable, EveryKindInEveryState) {
  for (const Row& row : kTable) {
    std::vector<std::string> matching = words(row.matching);
    std::vector<std::string> foreign = words(row.foreign);
    ASSERT_EQ(matching.size(), kKinds.size());
    ASSERT_EQ(foreign.size(), kKinds.size());
    for (size_t i = 0; i < kKinds.size(); i++) {
      auto& [kind, name] = kKinds[i];
      EXPECT_EQ(reaction(row, kind, true), matching[i]) << name << " in " << row.states;
      EXPECT_EQ(reaction(row, kind, false), foreign[i])
          << "foreign " << name << " in " << row.states;
    }
  }
}

/// An OFFER with good nonces of its own, from a node whose dial goes first, or not.
struct DialRow {
  const char* states;
  void (Puppet::*enter)();
  NodeId from;
  const char* answer;
  const char* after;
  bool answeredAfterClosed;  ///< once the owner has closed the former end
};

const DialRow kDials[] = {
    {"idle,none", nullptr, 2, "ANSWER", "open,answered", false},
    {"hello,none", &Puppet::toHello, 2, "REFUSE", "hello,none", false},
    {"opening,offered", &Puppet::toOffered, 2, "REFUSE", "opening,offered", false},
    {"hello,none", &Puppet::toHello, 0, "ANSWER", "open,answered", false},
    {"opening,offered", &Puppet::toOffered, 0, "-", "open,closing", true},
    {"open,answered", &Puppet::toAnswered, 2, "-", "open,closing", true},
    {"open,up", &Puppet::toUpDialled, 2, "-", "open,closing", true},
    {"open,up", &Puppet::toUpAccepted, 2, "-", "open,closing", true},
    {"open,closing", &Puppet::toClosing, 2, "-", "open,closing", true},
};

TEST(ExchangeTable, ANewDialInEveryState) {
  for (const DialRow& row : kDials) {
    SCOPED_TRACE(std::string(row.states) + ", dialled by node " + std::to_string(row.from));
    World world;
    SimulatedNode& subject = world.start(1, 1001);
    Puppet puppet(world, subject, row.from);
    // The challenge comes first: a dial of the subject in between does not make it void.
    puppet.askForChallenge();
    Puppet other = puppet;
    if (row.enter != nullptr) (puppet.*row.enter)();
    EXPECT_EQ(statesOf(subject, row.from), row.states);
    bool sessionsWereMade = subject.exchange->stateOf(row.from) == Peer::State::open;
    if (sessionsWereMade) other.askForChallenge();
    other.counter = 1000;
    other.say(PacketKind::offer);
    std::vector<Packet> answers = other.hear();
    EXPECT_EQ(answers.empty() ? "-" : nameOfKind(answers[0].kind), row.answer);
    EXPECT_EQ(statesOf(subject, row.from), row.after);
    world.run(world.mostClosing);
    answers = other.hear();
    bool answered = !answers.empty() && answers.back().kind == PacketKind::answer &&
                    answers.back().dialler == other.dialler;
    EXPECT_TRUE(answered || !row.answeredAfterClosed);
    EXPECT_EQ(subject.owner.breaches(), std::vector<std::string>{});
  }
}

/// An OFFER of the link in the session, with a number that is new.
const DialRow kOffers[] = {
    {"open,answered", &Puppet::toAnswered, 2, "-", "open,closing", true},
    {"open,up", &Puppet::toUpDialled, 2, "-", "open,closing", true},
    {"open,up", &Puppet::toUpAccepted, 2, "-", "open,closing", true},
    {"open,closing", &Puppet::toClosing, 2, "-", "open,closing", true},
    {"opening,offered", &Puppet::toOffered, 2, "DECLINE", "open,offered", false},
    {"opening,offered", &Puppet::toOffered, 0, "-", "open,closing", true},
};

TEST(ExchangeTable, ANewOfferInEveryState) {
  for (const DialRow& row : kOffers) {
    SCOPED_TRACE(std::string(row.states) + ", offered by node " + std::to_string(row.from));
    World world;
    SimulatedNode& subject = world.start(1, 1001);
    Puppet puppet(world, subject, row.from);
    (puppet.*row.enter)();
    EXPECT_EQ(statesOf(subject, row.from), row.states);
    puppet.link = {kMain, 9, true};
    puppet.say(PacketKind::offer);
    std::vector<Packet> answers = puppet.hear();
    EXPECT_EQ(answers.empty() ? "-" : nameOfKind(answers[0].kind), row.answer);
    EXPECT_EQ(statesOf(subject, row.from), row.after);
    world.run(world.mostClosing);
    answers = puppet.hear();
    bool answered = !answers.empty() && answers.back().kind == PacketKind::answer &&
                    answers.back().link == puppet.link.mirrored();
    EXPECT_TRUE(answered || !row.answeredAfterClosed);
    EXPECT_EQ(subject.owner.breaches(), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace verbena::connect::testing
