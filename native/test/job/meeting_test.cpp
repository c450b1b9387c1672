// SPDX-License-Identifier: Apache-2.0
//
// Ranks that meet at rank 0, each with what it has from nobody but itself; and strangers there.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>

#include "base/clock.h"
#include "deadlines.h"
#include "job/contract.h"
#include "job/first_rank.h"
#include "job/job.h"
#include "job/key_file.h"
#include "job/other_rank.h"
#include "job/proving.h"
#include "named_variables.h"
#include "random_frames.h"

namespace verbena::job {
namespace {

using namespace std::chrono_literals;

/// A bound against hanging, never a measure.
constexpr std::chrono::seconds kPatience{120};
constexpr uint64_t kSeeds = 300;

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string textOf(const base::Result<std::span<const std::byte>>& bytes) {
  if (!bytes) return bytes.error().sentence();
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

/// All that comes until the connection ends.
std::string heardOn(const base::FileDescriptor& socket) {
  std::string heard;
  std::array<char, 256> some;
  while (base::waitReadable(socket.get(), kPatience)) {
    ssize_t got = recv(socket.get(), some.data(), some.size(), 0);
    if (got <= 0) break;
    heard.append(some.data(), static_cast<size_t>(got));
  }
  return heard;
}

/// As much as there is room for.
bool hear(const base::FileDescriptor& socket, std::span<std::byte> into) {
  for (; !into.empty() && base::waitReadable(socket.get(), kPatience);) {
    ssize_t got = recv(socket.get(), into.data(), into.size(), 0);
    if (got <= 0) return false;
    into = into.subspan(static_cast<size_t>(got));
  }
  return into.empty();
}

void say(const base::FileDescriptor& socket, std::span<const std::byte> bytes) {
  ASSERT_EQ(send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

class Meeting : public ::testing::Test {
 protected:
  static Party party(uint32_t rank, uint32_t size, std::chrono::nanoseconds patience = kPatience) {
    return {"a job", rank, size, "its key", patience};
  }
  std::unique_ptr<FirstRank> first(uint32_t size, std::chrono::nanoseconds patience = kPatience) {
    auto rank = FirstRank::listen(party(0, size, patience), {"127.0.0.1", 0});
    if (!rank) throw std::runtime_error(rank.error().sentence());
    at_ = {"127.0.0.1", (*rank)->port()};
    return std::move(*rank);
  }
  std::unique_ptr<OtherRank> other(const Party& party) {
    auto rank = OtherRank::join(party, at_);
    if (!rank) throw std::runtime_error(rank.error().sentence());
    return std::move(*rank);
  }
  std::string refusal(const Party& party) {
    auto rank = OtherRank::join(party, at_);
    return rank ? "" : rank.error().sentence();
  }
  /// A connection on which nothing was said.
  base::FileDescriptor stranger() const {
    return std::move(*connectTo(at_, base::monotonicNs() + 10'000'000'000));
  }

  /// Such a one from another address of this host.
  base::FileDescriptor from(const char* address) const {
    base::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in here{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
    inet_pton(AF_INET, address, &here.sin_addr);
    sockaddr_in there = here;
    inet_pton(AF_INET, at_.host.c_str(), &there.sin_addr);
    there.sin_port = htons(at_.port);
    EXPECT_EQ(bind(socket.get(), reinterpret_cast<sockaddr*>(&here), sizeof here), 0);
    EXPECT_EQ(connect(socket.get(), reinterpret_cast<sockaddr*>(&there), sizeof there), 0);
    return socket;
  }

  /// As rank 0 does, with the key.
  static Stream welcome(base::FileDescriptor socket) {
    Hello hello;
    base::Digest proof;
    EXPECT_TRUE(hear(socket, hello.bytes));
    Challenge challenge = Challenge::make().value();
    say(socket, challenge.bytes);
    EXPECT_TRUE(hear(socket, proof));
    Proofs proofs("its key");
    say(socket, proofs.answer(Verdict::welcome, hello, challenge).bytes);
    Stream stream = std::move(*streamOver(std::move(socket)));
    stream.seal(proofs.sealOfFirst(hello, challenge));
    return stream;
  }

  struct Answered {
    base::FileDescriptor socket;
    Challenge challenge;
  };
  /// One that is proved, and was told whether it may come in.
  Answered answered(const Hello& hello, Verdict expected) const {
    base::FileDescriptor socket = stranger();
    Challenge challenge;
    Answer answer;
    say(socket, hello.bytes);
    EXPECT_TRUE(hear(socket, challenge.bytes));
    say(socket, Proofs("its key").ofOther(hello, challenge));
    EXPECT_TRUE(hear(socket, answer.bytes));
    EXPECT_EQ(answer.verdict(), expected);
    return {std::move(socket), challenge};
  }
  Stream welcomed(const Hello& hello) const {
    Answered in = answered(hello, Verdict::welcome);
    Stream stream = std::move(*streamOver(std::move(in.socket)));
    stream.seal(Proofs("its key").sealOfOther(hello, in.challenge));
    return stream;
  }
  Hello hello(uint32_t rank, uint32_t size) const { return Hello::of(party(rank, size)).value(); }

  /// What a rank says until it is known to be in, and then nothing.
  Stream enter(uint32_t rank, uint32_t size) const {
    Stream stream = welcomed(hello(rank, size));
    stream.send(FrameKind::alive, rank, {});
    stream.flush();
    return stream;
  }

  HostPort at_;
};

TEST_F(Meeting, AllLearnAll) {
  constexpr uint32_t kSize = 40;
  std::vector<std::unique_ptr<NetworkedRank>> ranks;
  ranks.push_back(first(kSize));
  for (uint32_t rank = 1; rank < kSize; rank++) ranks.push_back(other(party(rank, kSize)));
  for (uint32_t rank = kSize; rank-- > 0;) {
    ASSERT_TRUE(ranks[rank]->publish(bytesOf("address of " + std::to_string(rank))));
  }
  for (const auto& rank : ranks) {
    ASSERT_TRUE(rank->table().awaitAll(kForever));
    for (uint32_t each = 0; each < kSize; each++) {
      EXPECT_EQ(textOf(rank->table().address(each, kNow)), "address of " + std::to_string(each));
    }
  }
  // In this order, too, because rank 0 stays only for those who do not know all.
  ranks.clear();
}

TEST_F(Meeting, OneLearnsAnotherThoughAThirdHasNotCome) {
  auto zero = first(3, 1ms);
  auto one = other(party(1, 3));
  ASSERT_TRUE(zero->publish(bytesOf("here")));
  EXPECT_EQ(textOf(one->table().address(0, kForever)), "here");
  ASSERT_TRUE(one->publish(bytesOf("there")));
  EXPECT_EQ(textOf(zero->table().address(1, kForever)), "there");
}

TEST_F(Meeting, WhoComesLateLearnsWhatWasBefore) {
  auto zero = first(3, 1ms);
  {
    auto one = other(party(1, 3));
    ASSERT_TRUE(one->publish(bytesOf("there")));
    EXPECT_EQ(textOf(zero->table().address(1, kForever)), "there");
  }
  ASSERT_TRUE(zero->table().end(0, kForever));
  auto two = other(party(2, 3));
  EXPECT_EQ(textOf(two->table().address(1, kForever)), "there");
  EXPECT_EQ(two->table().end(0, kForever)->rank, 1U);
}

TEST_F(Meeting, ARankThatNeverPublishesIsNamed) {
  auto zero = first(3, 1ms);
  auto one = other(party(1, 3));
  auto two = other(party(2, 3));
  ASSERT_TRUE(zero->publish({}));
  ASSERT_TRUE(two->publish({}));
  ASSERT_TRUE(one->table().address(0, kForever));
  ASSERT_TRUE(one->table().address(2, kForever));
  EXPECT_EQ(one->table().awaitAll(kNow).error().sentence(),
            "cannot learn all addresses: ETIMEDOUT; rank 1 of 3 has not published one");
}

TEST_F(Meeting, OnceIsEnoughForAnAddress) {
  auto zero = first(2, 1ms);
  auto one = other(party(1, 2));
  for (auto* rank :
       {static_cast<NetworkedRank*>(zero.get()), static_cast<NetworkedRank*>(one.get())}) {
    ASSERT_TRUE(rank->publish(bytesOf("here")));
    EXPECT_NE(
        rank->publish(bytesOf("there")).error().sentence().find("it has published one already"),
        std::string::npos);
  }
}

TEST_F(Meeting, TwoOfOneNumberAreRefused) {
  auto zero = first(3, 1ms);
  auto one = other(party(1, 3));
  EXPECT_EQ(refusal(party(1, 3)),
            "cannot reach rank 0 on " + at_.text() +
                ": there is a rank 1 already, and no two processes have one number");
  EXPECT_NE(refusal(party(0, 3)).find("there is a rank 0 already"), std::string::npos);
  EXPECT_NE(refusal(party(3, 3)).find("there is a rank 3 already"), std::string::npos);
}

TEST_F(Meeting, OtherKeysJobsAndSizesAreRefused) {
  auto zero = first(3, 1ms);
  Party wrong = party(1, 3);
  wrong.key = "another key";
  EXPECT_EQ(refusal(wrong), "cannot reach rank 0 on " + at_.text() +
                                ": it has another key; all ranks are to have one");
  wrong = party(1, 3);
  wrong.id = "another job";
  EXPECT_EQ(refusal(wrong), "cannot reach rank 0 on " + at_.text() +
                                ": it is of another job than 'another job'; choose another port by "
                                "VERBENA_JOB_PORT");
  EXPECT_EQ(refusal(party(1, 4)), "cannot reach rank 0 on " + at_.text() +
                                      ": it was told another number of ranks than 4");
  EXPECT_EQ(refusal(party(1, 3)), "");
}

TEST_F(Meeting, RankZeroIsWaitedForUntilTheTimeIsOver) {
  at_ = {"127.0.0.1", 9};
  std::string sentence = refusal(party(1, 2, 20ms));
  // What the last try met with is chance on a machine that is busy.
  EXPECT_EQ(sentence.find("cannot reach rank 0 on 127.0.0.1:9: ETIMEDOUT; within 0 s "
                          "(VERBENA_JOB_START_TIMEOUT) it was not there; the last try: cannot "
                          "connect on 127.0.0.1:9: E"),
            0U)
      << sentence;
}

TEST_F(Meeting, RankZeroMayComeLate) {
  uint16_t port;
  {
    auto probe = listenAt(HostPort{"127.0.0.1", 0});
    ASSERT_TRUE(probe);
    port = portOf(*probe);
  }
  at_ = {"127.0.0.1", port};
  std::string sentence = "not joined";
  std::thread early([&] { sentence = refusal(party(1, 2)); });
  auto zero = FirstRank::listen(party(0, 2, 1ms), at_);
  ASSERT_TRUE(zero) << zero.error().sentence();
  early.join();
  EXPECT_EQ(sentence, "");
}

/// It proves itself and is gone before it is told that it is welcome.
TEST_F(Meeting, ARankThatHasNotHeardTheAnswerMayComeAgain) {
  auto zero = first(2);
  Hello hello = this->hello(1, 2);
  answered(hello, Verdict::welcome);
  ASSERT_TRUE(hello.again());
  Stream stream = welcomed(hello);
  stream.send(FrameKind::published, 1, bytesOf("there"));
  stream.flush();
  EXPECT_EQ(textOf(zero->table().address(1, kForever)), "there");
  EXPECT_FALSE(zero->table().hasEnded(1));
  zero->abandon();
}

TEST_F(Meeting, ARankMayComeAgainBeforeItsFirstConnectionHasEnded) {
  auto zero = first(2);
  Hello hello = this->hello(1, 2);
  base::FileDescriptor before = answered(hello, Verdict::welcome).socket;
  ASSERT_TRUE(hello.again());
  Stream stream = welcomed(hello);
  EXPECT_EQ(heardOn(before), "");
  stream.send(FrameKind::published, 1, bytesOf("there"));
  stream.flush();
  EXPECT_EQ(textOf(zero->table().address(1, kForever)), "there");
  zero->abandon();
}

TEST_F(Meeting, AnEarlierTryAndOneOfARankThatWasHeardAreRefused) {
  auto zero = first(3, 1ms);
  Hello earlier = hello(1, 3);
  Hello later = earlier;
  ASSERT_TRUE(later.again());
  Stream stream = welcomed(later);
  answered(earlier, Verdict::taken);
  answered(hello(1, 3), Verdict::taken);
  stream.send(FrameKind::published, 1, bytesOf("there"));
  stream.flush();
  EXPECT_EQ(textOf(zero->table().address(1, kForever)), "there");
  ASSERT_TRUE(later.again());
  answered(later, Verdict::taken);
}

TEST_F(Meeting, ARankThatDoesNotComeAgainHasEnded) {
  auto zero = first(2, 1ms);
  answered(hello(1, 2), Verdict::welcome);
  auto end = zero->table().end(0, kForever);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exitStatus(), 137);
}

/// A program of somebody else's has the port at first, takes who comes, and says nothing.
TEST_F(Meeting, ASilentProgramAtThePortDoesNotTakeAllTheTime) {
  auto silent = listenAt(HostPort{"127.0.0.1", 0});
  ASSERT_TRUE(silent);
  at_ = {"127.0.0.1", portOf(*silent)};
  std::string sentence = "not joined";
  std::thread early([&] { sentence = refusal(party(1, 2)); });
  base::FileDescriptor kept;
  while (!kept && base::waitReadable(silent->get(), kPatience)) {
    kept = base::FileDescriptor(accept4(silent->get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
  *silent = base::FileDescriptor();
  auto zero = FirstRank::listen(party(0, 2, 1ms), at_);
  EXPECT_TRUE(zero) << zero.error().sentence();
  early.join();
  EXPECT_EQ(sentence, "");
}

TEST_F(Meeting, ASilentProgramAtThePortIsNamed) {
  auto silent = listenAt(HostPort{"127.0.0.1", 0});
  ASSERT_TRUE(silent);
  at_ = {"127.0.0.1", portOf(*silent)};
  std::string sentence = refusal(party(1, 2, 1s));
  EXPECT_NE(sentence.find("a program listens there that has not answered for "), std::string::npos)
      << sentence;
}

/// Of a host with two addresses one is behind a wall: a listener whose queue is full is silent.
TEST_F(Meeting, AnAddressThatSwallowsEverythingLeavesTimeForTheNext) {
  auto good = listenAt(HostPort{"127.0.0.1", 0});
  ASSERT_TRUE(good);
  at_ = {"127.0.0.1", portOf(*good)};
  sockaddr_in there{
      .sin_family = AF_INET, .sin_port = htons(at_.port), .sin_addr = {}, .sin_zero = {}};
  inet_pton(AF_INET, "127.0.0.1", &there.sin_addr);
  sockaddr_in wall = there;
  inet_pton(AF_INET, "127.0.0.3", &wall.sin_addr);
  base::FileDescriptor silent(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(bind(silent.get(), reinterpret_cast<sockaddr*>(&wall), sizeof wall), 0);
  ASSERT_EQ(listen(silent.get(), 0), 0);
  std::vector<base::FileDescriptor> queue;
  for (int i = 0; i < 4; i++) {
    queue.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    connect(queue.back().get(), reinterpret_cast<sockaddr*>(&wall), sizeof wall);
  }
  addrinfo second{};
  second.ai_family = AF_INET;
  second.ai_socktype = SOCK_STREAM;
  addrinfo first = second;
  second.ai_addr = reinterpret_cast<sockaddr*>(&there);
  first.ai_addr = reinterpret_cast<sockaddr*>(&wall);
  first.ai_addrlen = second.ai_addrlen = sizeof there;
  first.ai_next = &second;
  EXPECT_TRUE(connectToAny(&first, base::monotonicNs() + 60'000'000'000)) << strerror(errno);
  // Alone it is what it seems to be, or this test shows nothing.
  first.ai_next = nullptr;
  EXPECT_FALSE(connectToAny(&first, base::monotonicNs() + 100'000'000));
  EXPECT_EQ(errno, ETIMEDOUT);
}

TEST_F(Meeting, AHostWhoseNameIsUnknownIsNamed) {
  at_ = {"no-such-host.invalid", 20'000};
  std::string sentence = refusal(party(1, 2, 20ms));
  EXPECT_NE(sentence.find("cannot resolve the name of the host on no-such-host.invalid: "),
            std::string::npos)
      << sentence;
}

TEST_F(Meeting, APortThatIsTakenIsNamed) {
  auto zero = first(2, 1ms);
  auto again = FirstRank::listen(party(0, 2), at_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().sentence(), "cannot listen for the other ranks on " + at_.text() +
                                          ": EADDRINUSE; choose another port by VERBENA_JOB_PORT");
}

// ---- ends

TEST_F(Meeting, ARankThatFreesItsJobHasEndedWell) {
  auto zero = first(3, 1ms);
  auto one = other(party(1, 3));
  other(party(2, 3)).reset();
  for (const Table* table : {&zero->table(), &one->table()}) {
    auto end = table->end(0, kForever);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->rank, 2U);
    EXPECT_EQ(end->exitStatus(), 0);
  }
}

TEST_F(Meeting, ARankThatGoesWithoutAWordHasNot) {
  auto zero = first(3, 1ms);
  auto one = other(party(1, 3));
  enter(2, 3).close();
  for (const Table* table : {&zero->table(), &one->table()}) {
    auto end = table->end(0, kForever);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->rank, 2U);
    EXPECT_EQ(end->exitStatus(), 137);
  }
  EXPECT_NE(textOf(one->table().address(2, kForever)).find("before it published one"),
            std::string::npos);
}

TEST_F(Meeting, TheEndOfRankZeroIsToldToo) {
  auto zero = first(2);
  auto one = other(party(1, 2));
  zero.reset();
  auto end = one->table().end(0, kForever);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->rank, 0U);
  EXPECT_EQ(end->exitStatus(), 0);
  EXPECT_NE(one->publish({}).error().sentence().find(
                "ECONNRESET; rank 0, which passes addresses on, has ended"),
            std::string::npos);
}

TEST_F(Meeting, RankZeroStaysUntilAllKnowEachOther) {
  auto zero = first(3);
  ASSERT_TRUE(zero->publish(bytesOf("here")));
  std::thread leaving([&] { zero.reset(); });
  auto one = other(party(1, 3));
  auto two = other(party(2, 3));
  ASSERT_TRUE(one->publish(bytesOf("there")));
  ASSERT_TRUE(two->publish(bytesOf("yonder")));
  EXPECT_TRUE(one->table().awaitAll(kForever));
  EXPECT_TRUE(two->table().awaitAll(kForever));
  leaving.join();
}

TEST_F(Meeting, RankZeroStaysUntilAllHaveComeThoughItHasPublishedNothing) {
  auto zero = first(3);
  std::thread leaving([&] { zero.reset(); });
  auto one = other(party(1, 3));
  auto two = other(party(2, 3));
  leaving.join();
  EXPECT_EQ(two->table().end(0, kForever)->rank, 0U);
}

TEST_F(Meeting, RankZeroWaitsForNobodyWhoIsGone) {
  auto zero = first(3);
  ASSERT_TRUE(zero->publish(bytesOf("here")));
  other(party(1, 3)).reset();
  other(party(2, 3)).reset();
  zero.reset();
}

// ---- strangers

TEST_F(Meeting, AStrangerHearsAChallengeAndNothingElse) {
  auto zero = first(2, 1ms);
  ASSERT_TRUE(zero->publish(bytesOf("a secret place")));
  base::FileDescriptor socket = stranger();
  Party impostor = party(1, 2);
  impostor.key = "guessed";
  Hello hello = Hello::of(impostor).value();
  say(socket, hello.bytes);
  say(socket, base::Digest{});
  std::string heard = heardOn(socket);
  ASSERT_EQ(heard.size(), Challenge::kBytes + Answer::kBytes);
  Answer answer;
  std::memcpy(answer.bytes.data(), heard.data() + Challenge::kBytes, Answer::kBytes);
  EXPECT_EQ(answer.verdict(), Verdict::otherKey);
  for (size_t at = 4; at < Answer::kBytes; at++) EXPECT_EQ(answer.bytes[at], std::byte{0});
}

TEST_F(Meeting, WhoSpeaksSomethingElseIsToldNothing) {
  auto zero = first(2, 1ms);
  base::FileDescriptor socket = stranger();
  say(socket, bytesOf("GET / HTTP/1.1\r\nHost: here\r\nAccept: everything that there is, and more "
                      "than that\r\n"));
  EXPECT_EQ(heardOn(socket), "");
}

TEST_F(Meeting, WhatAStrangerSaysChangesNothing) {
  auto zero = first(2, 1ms);
  base::FileDescriptor silent = stranger();
  base::FileDescriptor socket = stranger();
  Hello hello = Hello::of(party(1, 2)).value();
  say(socket, hello.bytes);
  say(socket, base::Digest{});
  heardOn(socket);
  EXPECT_EQ(refusal(party(1, 2)), "");
}

/// Whoever fills rank 0's port is in nobody's way but those of its own address.
TEST_F(Meeting, AFloodPushesNobodyOutWhoComesFromElsewhere) {
  auto zero = first(2, 1ms);
  base::FileDescriptor patient = stranger();
  Hello hello = Hello::of(party(1, 2)).value();
  Challenge challenge;
  say(patient, hello.bytes);
  ASSERT_TRUE(hear(patient, challenge.bytes));
  std::vector<base::FileDescriptor> flood;
  for (int i = 0; i < 300; i++) flood.push_back(from("127.0.0.2"));
  for (size_t i = 0; i < 200; i++) EXPECT_EQ(heardOn(flood[i]), "") << "it was let go";
  Answer answer;
  say(patient, Proofs("its key").ofOther(hello, challenge));
  ASSERT_TRUE(hear(patient, answer.bytes));
  EXPECT_EQ(answer.verdict(), Verdict::welcome);
}

TEST_F(Meeting, AProofIsOfOneChallengeAlone) {
  auto zero = first(2, 1ms);
  Hello hello = Hello::of(party(1, 2)).value();
  Proofs proofs("its key");
  Challenge former = Challenge::make().value();
  base::FileDescriptor socket = stranger();
  say(socket, hello.bytes);
  say(socket, proofs.ofOther(hello, former));
  EXPECT_EQ(heardOn(socket).size(), Challenge::kBytes + Answer::kBytes);
  EXPECT_EQ(refusal(party(1, 2)), "");
}

TEST_F(Meeting, ARankSaysNothingOfAnotherOne) {
  auto zero = first(3, 1ms);
  Stream stream = enter(1, 3);
  stream.send(FrameKind::published, 2, bytesOf("not its own"));
  stream.flush();
  auto end = zero->table().end(0, kForever);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->rank, 1U);
  EXPECT_FALSE(zero->table().hasPublished(2));
}

/// It has the key, and is broken, or worse.
TEST_F(Meeting, ARankThatSaysAnythingCostsItselfAlone) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto zero = first(3, 1ms);
    Stream hostile = enter(1, 3);
    hostile.sendText(testing::randomFrames(seed, 3));
    while (hostile.hasUnsent()) hostile.flush();
    hostile.close();
    auto two = other(party(2, 3));
    ASSERT_TRUE(two->publish(bytesOf("there")));
    EXPECT_EQ(textOf(zero->table().address(2, kForever)), "there");
    auto end = two->table().end(0, kForever);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->rank, 1U);
    EXPECT_FALSE(zero->table().hasEnded(2));
  }
}

TEST_F(Meeting, ARankZeroThatSaysAnythingHasEndedForTheOthers) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto listener = listenAt(HostPort{"127.0.0.1", 0});
    ASSERT_TRUE(listener);
    at_ = {"127.0.0.1", portOf(*listener)};
    std::thread hostile([&] {
      ASSERT_TRUE(base::waitReadable(listener->get(), kPatience));
      base::FileDescriptor socket(accept(listener->get(), nullptr, nullptr));
      Stream stream = welcome(std::move(socket));
      stream.sendText(testing::randomFrames(seed, 3));
      while (stream.hasUnsent()) stream.flush();
    });
    auto one = other(party(1, 3));
    hostile.join();
    std::optional<End> end;
    for (uint32_t number = 0; !end || end->rank != 0; number++) {
      end = one->table().end(number, kForever);
      ASSERT_TRUE(end);
    }
    EXPECT_FALSE(one->publish({}));
  }
}

/// Somebody on the way changes an address, which he can read.
TEST_F(Meeting, WhoIsOnTheWayChangesNothing) {
  auto zero = first(2, 1ms);
  HostPort there = at_;
  auto listener = listenAt(HostPort{"127.0.0.1", 0});
  ASSERT_TRUE(listener);
  at_.port = portOf(*listener);
  std::thread between([&] {
    ASSERT_TRUE(base::waitReadable(listener->get(), kPatience));
    base::FileDescriptor near(accept(listener->get(), nullptr, nullptr));
    base::FileDescriptor far = std::move(*connectTo(there, base::monotonicNs() + 60'000'000'000));
    bool isOver = false;
    auto pass = [&](const base::FileDescriptor& from, const base::FileDescriptor& to) {
      std::array<char, 4096> some;
      ssize_t got = recv(from.get(), some.data(), some.size(), 0);
      isOver |= got <= 0;
      std::string_view text(some.data(), static_cast<size_t>(std::max<ssize_t>(got, 0)));
      size_t at = text.find("there");
      if (at != text.npos) some[at] = 'T';
      send(to.get(), text.data(), text.size(), MSG_NOSIGNAL);
    };
    while (!isOver) {
      Poll poll;
      poll.watch(near.get(), POLLIN, [&] { pass(near, far); });
      poll.watch(far.get(), POLLIN, [&] { pass(far, near); });
      poll.wait();
    }
  });
  auto one = other(party(1, 2));
  ASSERT_TRUE(one->publish(bytesOf("there")));
  EXPECT_EQ(zero->table().end(0, kForever)->exitStatus(), 137);
  EXPECT_FALSE(zero->table().hasPublished(1));
  one.reset();
  between.join();
}

/// Rank 0's place is taken by somebody who does what the test says.
TEST_F(Meeting, WhoPretendsToBeRankZeroIsNotBelieved) {
  auto listener = listenAt(HostPort{"127.0.0.1", 0});
  ASSERT_TRUE(listener);
  at_ = {"127.0.0.1", portOf(*listener)};
  std::atomic<bool> isOver = false;
  std::thread impostor([&] {
    while (!isOver) {
      if (!base::waitReadable(listener->get(), 10ms)) continue;
      base::FileDescriptor socket(accept(listener->get(), nullptr, nullptr));
      Hello hello;
      base::Digest proof;
      Challenge challenge = Challenge::make().value();
      bool isThere = hear(socket, hello.bytes);
      send(socket.get(), challenge.bytes.data(), Challenge::kBytes, MSG_NOSIGNAL);
      if (!isThere || !hear(socket, proof)) continue;
      Answer answer = Proofs("guessed").answer(Verdict::welcome, hello, challenge);
      send(socket.get(), answer.bytes.data(), Answer::kBytes, MSG_NOSIGNAL);
      heardOn(socket);
    }
  });
  std::string sentence = refusal(party(1, 2, 300ms));
  isOver = true;
  impostor.join();
  // The last try may have been cut off by the end of the time.
  bool isTold =
      sentence.find("EPROTO; who answers there is no rank of this job") != sentence.npos ||
      sentence.find("a program listens there that has not answered") != sentence.npos;
  EXPECT_TRUE(isTold) << sentence;
}

// ---- whole jobs, by their environment

class Pods : public ::testing::Test {
 protected:
  Pods() {
    std::string pattern = std::filesystem::temp_directory_path() / "vbn-pods-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    keyFile_ = folder_ + "/key";
    EXPECT_TRUE(writeKeyFile(keyFile_, "the key of a Secret"));
    auto probe = listenAt(HostPort{"", 0});
    port_ = portOf(*probe);
  }
  ~Pods() override { std::filesystem::remove_all(folder_); }

  /// What the manifest gives a pod; hosts are addresses of this one.
  Named pod(uint32_t index, uint32_t size) const {
    return {{"JOB_COMPLETION_INDEX", std::to_string(index)},
            {kSize, std::to_string(size)},
            {kId, "pods"},
            {kHosts, "127.0.1.1{}"},
            {kInterface, "lo"},
            {kPort, std::to_string(port_)},
            {kKeyFile, keyFile_},
            {kStartTimeout, "60"}};
  }

  std::string folder_;
  std::string keyFile_;
  uint16_t port_ = 0;
};

TEST_F(Pods, OfAnIndexedJobLearnEachOther) {
  constexpr uint32_t kSize = 5;
  std::vector<std::thread> pods;
  std::atomic<uint32_t> learnt = 0;
  for (uint32_t index = 0; index < kSize; index++) {
    pods.emplace_back([&, index] {
      Named named = pod(index, kSize);
      auto job = Job::open(variables(named));
      ASSERT_TRUE(job) << job.error().sentence();
      EXPECT_EQ((*job)->key(), "the key of a Secret");
      EXPECT_EQ((*job)->place().hostAddress, "127.0.0.1");
      ASSERT_TRUE((*job)->publish(bytesOf(std::to_string(index))));
      ASSERT_TRUE((*job)->awaitAll(kPatience));
      for (uint32_t each = 0; each < kSize; each++) {
        EXPECT_EQ(textOf((*job)->address(each, 0ns)), std::to_string(each));
      }
      learnt++;
    });
  }
  for (std::thread& each : pods) each.join();
  EXPECT_EQ(learnt, kSize);
}

TEST_F(Pods, WithAKeyFileThatOthersMayReadAreRefused) {
  ASSERT_EQ(chmod(keyFile_.c_str(), 0644), 0);
  Named named = pod(0, 2);
  auto job = Job::open(variables(named));
  ASSERT_FALSE(job);
  EXPECT_NE(job.error().sentence().find("its mode is 644; run 'chmod 600 "), std::string::npos);
}

TEST_F(Pods, WithoutHostsOrWithANumberThatIsNoneAreRefused) {
  Named named = pod(1, 2);
  named.erase(kHosts);
  EXPECT_NE(Job::open(variables(named)).error().sentence().find(kHosts), std::string::npos);
  for (const char* name : {kPort, kStartTimeout}) {
    for (const char* value : {"0", "x", "100000"}) {
      named = pod(1, 2);
      named[name] = value;
      EXPECT_NE(Job::open(variables(named)).error().sentence().find(name), std::string::npos);
    }
  }
}

TEST_F(Pods, OfWhichTheFirstIsMissingSayWhere) {
  Named named = pod(1, 2);
  named[kStartTimeout] = "1";
  std::string sentence = Job::open(variables(named)).error().sentence();
  EXPECT_NE(sentence.find("cannot reach rank 0 on 127.0.1.10:" + std::to_string(port_)),
            std::string::npos)
      << sentence;
}

}  // namespace
}  // namespace verbena::job
