// SPDX-License-Identifier: Apache-2.0
//
// Puts that signal, flushes, and waiting for either.
#include <poll.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "memories.h"

namespace verbena::fabric::testing {
namespace {

using Outcome = Done::Outcome;
using Clock = std::chrono::steady_clock;

/// Signals go by the device; each test has the puts beside them go either way.
class SignalsTest : public Memories, public ::testing::WithParamInterface<Wire> {
 protected:
  SignalsTest() : Memories(GetParam()) {}

  static constexpr uint32_t kRoom = OneSidedOptions{}.signals;

  /// Posts signals 0, 1, and so on as long as there is room for them, or until so many are posted.
  uint32_t postAll(uint32_t most) {
    uint32_t posted = 0;
    while (posted < most) {
      Request next = signal(posted);
      if (must(left_.memory().post(kLink, std::span(&next, 1))) == 0) break;
      posted++;
    }
    return posted;
  }
};

INSTANTIATE_TEST_SUITE_P(Wires, SignalsTest, ::testing::ValuesIn(wires()), nameOfWire);

TEST_P(SignalsTest, ArriveBehindTheirBytes) {
  for (uint32_t i = 1; i <= 500; i++) {
    wordAt(*here_, 64) = i;
    ASSERT_EQ(left_.run(kLink, signal(i, 64)), Outcome::done);
    std::vector<Signal> came = right_.awaitSignals(1);
    ASSERT_EQ(came.size(), 1U);
    ASSERT_EQ(came.front().value, i);
    ASSERT_EQ(came.front().peer, left_.id());
    ASSERT_EQ(came.front().link, kLink);
    ASSERT_EQ(wordAt(*there_, 64), i);
  }
}

TEST_P(SignalsTest, ComeOnceAndInOrderHoweverSlowlyTheyAreTaken) {
  constexpr uint32_t kCount = 5'000;
  std::jthread taker([&] {
    for (uint32_t next = 0; next < kCount;) {
      std::vector<Signal> came = right_.awaitSignals(std::min(7U, kCount - next));
      ASSERT_FALSE(came.empty());
      for (const Signal& each : came) ASSERT_EQ(each.value, next++);
    }
  });
  std::array<Done, 64> done;
  uint32_t posted = 0, told = 0;
  for (auto end = Clock::now() + kPatience; told < kCount && Clock::now() < end;) {
    Request next = signal(posted);
    if (posted < kCount) posted += must(left_.memory().post(kLink, std::span(&next, 1)));
    left_.worker().progress();
    told += static_cast<uint32_t>(left_.memory().poll(done));
  }
  EXPECT_EQ(told, kCount);
}

TEST_P(SignalsTest, ThereIsRoomForAsManyAsTheTargetSays) {
  EXPECT_EQ(postAll(1'000), kRoom);
  Request plain = put(0, 0, 8);
  EXPECT_EQ(must(left_.memory().post(kLink, std::span(&plain, 1))), 1U) << "others go on";
  left_.await(kRoom + 1);
  EXPECT_EQ(postAll(1'000), 0U) << "they are done, and not taken";
  right_.awaitSignals(kRoom);
  uint32_t posted = 0;
  for (auto end = Clock::now() + kPatience; posted == 0 && Clock::now() < end;) {
    right_.worker().progress();
    left_.worker().progress();
    posted = postAll(1);
  }
  EXPECT_EQ(posted, 1U);
}

/// With what it has taken; the manager's thread does its rounds meanwhile.
TEST_P(SignalsTest, WhoTakesThemAndIsBusyThenReportsAllTheSame) {
  ASSERT_EQ(postAll(1'000), kRoom);
  left_.await(kRoom);
  std::array<Signal, 2 * kRoom> came;
  size_t taken = 0;
  auto end = Clock::now() + kPatience;
  // All are there: taken at once, nothing of them is reported before this thread is busy.
  for (int rounds = 0; rounds < 1'000; rounds++) right_.worker().progress();
  while (taken < kRoom && Clock::now() < end) {
    size_t more = right_.memory().takeSignals(std::span(came).subspan(taken));
    if (more == 0) right_.worker().progress();
    taken += more;
  }
  ASSERT_EQ(taken, kRoom);
  uint32_t posted = 0;
  while (posted == 0 && Clock::now() < end) {
    right_.worker().watch(Clock::now().time_since_epoch());
    left_.worker().progress();
    posted = postAll(1);
  }
  EXPECT_EQ(posted, 1U);
}

TEST_P(SignalsTest, WhoTakesThemReportsAlsoBehindAQueueThatIsAlwaysFull) {
  std::jthread flood([&](const std::stop_token& stop) {
    // Not where signals come: who puts reads its source by itself.
    std::vector<Request> puts(64, put(4096, 4096, 64));
    for (Request& each : puts) each.key = must(here_->share(0, kBytes, kAllAccess));
    for (Request& each : puts) each.local = there_.get();
    std::array<Done, 64> done;
    while (!stop.stop_requested()) {
      must(right_.memory().post(kLink, puts));
      right_.memory().poll(done);
    }
  });
  std::jthread taker([&](const std::stop_token& stop) {
    std::array<Signal, 8> came;
    while (!stop.stop_requested()) {
      right_.worker().progress();
      right_.memory().takeSignals(came);
    }
  });
  std::array<Done, 64> done;
  uint32_t posted = 0;
  for (auto end = Clock::now() + kPatience; posted < 10 * kRoom && Clock::now() < end;) {
    Request next = signal(posted);
    posted += must(left_.memory().post(kLink, std::span(&next, 1)));
    left_.worker().progress();
    left_.memory().poll(done);
  }
  EXPECT_EQ(posted, 10 * kRoom);
}

TEST_P(SignalsTest, OfALinkThatHasEndedAreStillTakenAndTheirRoomIsNotGivenTwice) {
  ASSERT_EQ(postAll(5), 5U);
  left_.await(5);
  auto end = Clock::now() + kPatience;
  while (!right_.memory().hasArrivals() && Clock::now() < end) right_.worker().progress();
  left_.close(kLink);
  right_.close(kLink);
  std::vector<Signal> came = right_.awaitSignals(5);
  ASSERT_EQ(came.size(), 5U);
  EXPECT_EQ(came.back().value, 4U);
  EXPECT_EQ(came.back().link, kLink);
}

TEST_P(SignalsTest, ATargetThatTakesNoneHasRoomForNoneAfterSomeLinks) {
  bool isMapped = GetParam() == Wire::Mapped;
  Node one(3, 303, {.maxLinks = 1}, isMapped, wiringOf(GetParam()));
  Node two(4, 404, {.maxLinks = 1}, isMapped, wiringOf(GetParam()));
  auto from = one.region(4096), to = two.region(4096);
  Request request = signal(1);
  request.local = from.get();
  request.key = must(to->share(0, 4096, kRemotePut));
  connect::LinkId link = 50;
  for (int round = 0; round < 3; round++) {  // what is given back is neither lost nor doubled
    uint32_t all = 0;
    for (connect::LinkId end = link + 3; link < end; link++) {
      connect(one, two, link);
      std::vector<Request> many(kRoom * 3 / 4, request);
      auto posted = one.memory().post(link, many);
      if (posted) {
        one.await(*posted);
        all += *posted;
      } else {
        EXPECT_EQ(posted.error().code, ENOBUFS) << "the link has room for none";
      }
      while (two.worker().progress() != 0) {  // a link that closes hears nothing any more
      }
      one.close(link);
      two.close(link);
    }
    EXPECT_EQ(all, kRoom) << "of three links together";
    EXPECT_EQ(two.awaitSignals(kRoom).size(), kRoom);
  }
}

/// Receives that were posted to any shared queue of a context whose calls are counted.
std::atomic<uint32_t> postedReceives;
int (*postUncounted)(ibv_srq*, ibv_recv_wr*, ibv_recv_wr**);

int postCounted(ibv_srq* srq, ibv_recv_wr* chain, ibv_recv_wr** refused) {
  for (ibv_recv_wr* each = chain; each != nullptr; each = each->next) postedReceives++;
  return postUncounted(srq, chain, refused);
}

/// With the device's whole room posted at once, a node with room for many links takes longer to
/// open than a small program runs.
TEST_P(SignalsTest, ReceivesGrowWithLinksAndAreThereForEach) {
  constexpr uint32_t kLinks = 4;
  constexpr uint32_t kEach = kRoom + Signals::kReportsUnderWay;
  bool isMapped = GetParam() == Wire::Mapped;
  Node one(3, 303, {.maxLinks = kLinks}, isMapped, wiringOf(GetParam()));
  Node two(4, 404, {.maxLinks = kLinks}, isMapped, wiringOf(GetParam()));
  ibv_context_ops& ops = two.worker().domain().context.get()->ops;
  postUncounted = ops.post_srq_recv;
  ops.post_srq_recv = postCounted;
  postedReceives = 0;
  for (connect::LinkId link = 1; link <= kLinks; link++) {
    connect(one, two, link);
    EXPECT_EQ(postedReceives, link * kEach);
  }
  one.close(1);
  two.close(1);
  connect(one, two, kLinks + 1);
  EXPECT_EQ(postedReceives, kLinks * kEach) << "those of the link before serve this one";
}

TEST_P(SignalsTest, WhoSignalsMoreThanThereIsRoomForIsCutOff) {
  constexpr connect::LinkId kOther = 8;
  constexpr size_t kSignalsAt = QueuePairEnd::kBytes + 2;
  auto named = [&](const Node& peer) {
    return connect::NewLink{kOther, peer.id(), kOneSided, nullptr, peer.owner().incarnation};
  };
  connect::LinkEnd near = must(left_.worker().create(left_.memory(), named(right_)));
  connect::LinkEnd far = must(right_.worker().create(right_.memory(), named(left_)));
  std::vector<std::byte> lie(far.bytes().begin(), far.bytes().end());
  ASSERT_EQ(lie[kSignalsAt], std::byte{kRoom});
  lie[kSignalsAt] = std::byte{kRoom + 1};
  must(left_.worker().connect(kOther, connect::LinkEnd(lie)));
  must(right_.worker().connect(kOther, near));
  left_.worker().ready(kOther);
  right_.worker().ready(kOther);
  std::vector<Request> many(kRoom + 1, signal(1));
  uint32_t posted = 0;
  for (auto end = Clock::now() + kPatience; posted <= kRoom && Clock::now() < end;) {
    posted += must(left_.memory().post(kOther, std::span(many).subspan(posted)));
    left_.worker().progress();
  }
  for (auto end = Clock::now() + kPatience; Clock::now() < end;) {
    right_.worker().progress();
    if (!right_.failureOf(kOther).empty()) break;
  }
  EXPECT_NE(right_.failureOf(kOther).find("nonsense"), std::string::npos);
  EXPECT_EQ(right_.awaitSignals(kRoom).size(), kRoom) << "what came before counts";
  EXPECT_EQ(right_.failureOf(kLink), "") << "another link goes on";
  left_.close(kOther);
  right_.close(kOther);
}

TEST_P(SignalsTest, PutsAloneCanSignal) {
  for (Request request : {get(0, 0, 8), add(0, 1), Request{.operation = Operation::flush}}) {
    request.signals = true;
    EXPECT_EQ(left_.memory().post(kLink, std::span(&request, 1)).error().code, EINVAL);
  }
}

TEST_P(SignalsTest, EndAWaitThatIsAnnounced) {
  std::jthread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    left_.run(kLink, signal(1));
  });
  std::array<Signal, 1> came;
  size_t taken = 0;
  for (auto end = Clock::now() + kPatience; taken == 0 && Clock::now() < end;) {
    right_.worker().arm();
    right_.worker().progress();
    taken = right_.memory().takeSignals(came);
    if (taken == 0) right_.worker().wait(kPatience);
  }
  EXPECT_EQ(taken, 1U);
}

/// Each of them waits for something else, and none has a wait that ends by its time.
TEST_P(SignalsTest, ThreadsThatWaitTogetherMissNothing) {
  constexpr size_t kThreads = 4;
  constexpr size_t kRounds = 2'000;
  constexpr std::chrono::hours kForEver{1};
  std::array<std::atomic<uint64_t>, kThreads> asked{};
  std::array<std::atomic<uint64_t>, kThreads> answered{};
  std::atomic<bool> over{false};
  std::atomic<size_t> gone{0};
  auto serve = [&](size_t self) {
    while (!over) {
      uint64_t ticket = right_.worker().arm();
      right_.worker().progress();
      if (answered[self] == asked[self] && !over) right_.worker().wait(kForEver, ticket);
      answered[self] = asked[self].load();
    }
    gone++;
  };
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < kThreads; i++) threads.emplace_back(serve, i);
  bool missed = false;
  for (size_t i = 0; i < kRounds && !missed; i++) {
    size_t whom = (i * 7) % kThreads;
    uint64_t wanted = ++asked[whom];
    right_.worker().wake();
    auto end = Clock::now() + kPatience;
    while (answered[whom] != wanted && !missed) {
      std::this_thread::yield();
      missed = Clock::now() >= end;
    }
  }
  EXPECT_FALSE(missed) << "a wake-up";
  over = true;
  while (gone < kThreads) {
    right_.worker().wake();
    std::this_thread::yield();
  }
}

/// What ended another thread's sleep may be for those who had armed before.
TEST_P(SignalsTest, AWaitEndsAtOnceIfAnotherOneHasEndedSinceItsTicket) {
  Worker& worker = right_.worker();
  auto begin = Clock::now();
  for (int i = 0; i < 20; i++) {  // the first ones may find what making the link has left
    uint64_t ticket = worker.arm();
    worker.progress();
    worker.wait(std::chrono::milliseconds(1), worker.arm());  // as another thread
    worker.wait(kPatience, ticket);
  }
  EXPECT_LT(Clock::now() - begin, kPatience);
}

TEST_P(SignalsTest, MakeTheDescriptorOfAnEventLoopReadable) {
  pollfd loop{right_.worker().descriptor(), POLLIN, 0};
  auto patience = static_cast<int>(std::chrono::milliseconds(kPatience).count());
  for (uint32_t i = 0; i < 50; i++) {
    right_.worker().arm();
    right_.worker().progress();
    std::jthread sender([&] { left_.run(kLink, signal(i)); });
    ASSERT_EQ(::poll(&loop, 1, patience), 1);
    right_.worker().wait(std::chrono::nanoseconds(0));
    sender.join();
    ASSERT_EQ(right_.awaitSignals(1).size(), 1U);
    while (::poll(&loop, 1, 0) == 1) {  // what came while it was looked at
      right_.worker().wait(std::chrono::nanoseconds(0));
      right_.worker().progress();
    }
  }
}

TEST_P(SignalsTest, WhatWasThereBeforeMakesTheDescriptorReadable) {
  ASSERT_EQ(postAll(2), 2U);
  left_.await(2);
  auto end = Clock::now() + kPatience;
  while (!right_.memory().hasArrivals() && Clock::now() < end) right_.worker().progress();
  right_.worker().arm();
  std::array<Signal, 1> came;
  ASSERT_EQ(right_.memory().takeSignals(came), 1U) << "one of two";
  pollfd loop{right_.worker().descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&loop, 1, 0), 1);
}

TEST_P(SignalsTest, AFlushIsDoneBehindWhatWasPostedBeforeIt) {
  std::vector<Request> all(10, put(0, 0, 4096, 1));
  all.push_back({.operation = Operation::flush, .cookie = 77});
  ASSERT_EQ(must(left_.memory().post(kLink, all)), all.size());
  std::vector<Done> done = left_.await(all.size());
  ASSERT_EQ(done.size(), all.size());
  EXPECT_EQ(done.back().cookie, 77U);
  EXPECT_EQ(done.back().outcome, Outcome::done);
  EXPECT_EQ(done.back().operation, Operation::flush);
}

TEST_P(SignalsTest, ADoneSaysWhatWasRefused) {
  key_ = must(there_->share(0, 64, kRemotePut));
  must(there_->revoke(key_));
  key_ = unseen(key_);
  Request request = put(8, 16, 32);
  ASSERT_EQ(must(left_.memory().post(kLink, std::span(&request, 1))), 1U);
  std::vector<Done> done = left_.await(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].sentence(), "put of 32 bytes at 16 of key " + std::to_string(key_.rkey) +
                                    " of node 2: refused by a device; was the key revoked? "
                                    "(remote access error)");
  expectFailure();
}

}  // namespace
}  // namespace verbena::fabric::testing
