// SPDX-License-Identifier: Apache-2.0
#include "verbena/mtcl/dialogue.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <future>
#include <numeric>
#include <vector>

#include "hubs.h"

namespace verbena::mtcl::testing {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes patternOf(std::size_t bytes, unsigned seed) {
  Bytes pattern(bytes);
  std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(seed));
  return pattern;
}

/// In memory that both sides share, and by the device as between hosts.
class Dialogues : public ::testing::TestWithParam<const char*> {
 protected:
  Dialogues() {
    here = client.connect(listenSomewhere(server));
    if (here == nullptr) throw std::runtime_error(Hub::error());
    there = awaitAccept(server);
    if (there == nullptr) throw std::runtime_error("nobody came");
  }

  /// One that receives it whole.
  static Bytes received(Dialogue& by) {
    std::size_t bytes = 0;
    if (by.probe(bytes, true) != 1) return {};
    Bytes into(bytes);
    return by.receive(into.data(), bytes) == static_cast<ssize_t>(bytes) ? into : Bytes();
  }

  Setting deviceOnly{"VERBENA_DEVICE_ONLY", std::string(GetParam()) == "device" ? "1" : "0"};
  Hub server;
  Hub client;
  std::unique_ptr<Dialogue> here;
  std::unique_ptr<Dialogue> there;
};
INSTANTIATE_TEST_SUITE_P(Ways, Dialogues, ::testing::Values("shared", "device"),
                         [](const auto& way) { return std::string(way.param); });

TEST_P(Dialogues, MessagesOfAnySizeComeWholeAndInOrder) {
  const std::size_t sizes[] = {1, 8, 100, kRing / 4, kRing / 2, kRing, 3 * kRing + 5, 1 << 20, 2};
  auto sending = std::async(std::launch::async, [&] {
    for (std::size_t size : sizes) {
      Bytes message = patternOf(size, static_cast<unsigned>(size));
      EXPECT_EQ(here->send(message.data(), size), static_cast<ssize_t>(size));
    }
  });
  for (std::size_t size : sizes) {
    EXPECT_EQ(received(*there), patternOf(size, static_cast<unsigned>(size))) << size;
  }
}

TEST_P(Dialogues, ProbeSaysWhatIsThereAndTakesNothing) {
  std::size_t bytes = 7;
  errno = 0;
  EXPECT_EQ(there->probe(bytes, false), -1);
  EXPECT_EQ(errno, EWOULDBLOCK);
  EXPECT_FALSE(there->isReadable());
  ASSERT_EQ(here->send("hello", 5), 5);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(there->probe(bytes, true), 1);
    EXPECT_EQ(bytes, 5U);
    EXPECT_TRUE(there->isReadable());
  }
  EXPECT_EQ(received(*there), Bytes({'h', 'e', 'l', 'l', 'o'}));
  EXPECT_FALSE(there->isReadable());
}

TEST_P(Dialogues, WhatIsTooLargeIsStillThere) {
  ASSERT_EQ(here->send("hello", 5), 5);
  std::array<char, 4> small{};
  errno = 0;
  EXPECT_EQ(there->receive(small.data(), small.size()), -1);
  EXPECT_EQ(errno, EMSGSIZE);
  EXPECT_EQ(received(*there), Bytes({'h', 'e', 'l', 'l', 'o'}));
}

TEST_P(Dialogues, WhatIsTooLargeForAReceiveInTheBackgroundIsThrownAway) {
  Bytes large = patternOf(3 * kRing, 1);
  auto sending = std::async(std::launch::async, [&] {
    here->send(large.data(), large.size());
    here->send("ok", 2);
  });
  std::array<char, 64> small{};
  auto first = there->receiveLater(small.data(), small.size());
  auto second = there->receiveLater(small.data(), small.size());
  errno = 0;
  EXPECT_EQ(there->wait(*first), -1);
  EXPECT_EQ(errno, EMSGSIZE);
  EXPECT_EQ(first->bytes(), static_cast<ssize_t>(large.size()));
  EXPECT_EQ(there->wait(*second), 0);
  EXPECT_EQ(std::string(small.data(), 2), "ok");
}

TEST_P(Dialogues, EachDirectionEndsForItself) {
  ASSERT_EQ(here->send("last", 4), 4);
  EXPECT_EQ(here->endSending(), 0);
  EXPECT_EQ(received(*there).size(), 4U);
  std::size_t bytes = 7;
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(there->probe(bytes, true), 0);
    EXPECT_EQ(bytes, 0U);
    char any = 0;
    EXPECT_EQ(there->receive(&any, 1), 0);
  }
  EXPECT_TRUE(there->isReadable()) << "the end can be read";
  ASSERT_EQ(there->send("still", 5), 5);
  EXPECT_EQ(received(*here).size(), 5U);
  EXPECT_EQ(there->endSending(), 0);
  EXPECT_EQ(here->probe(bytes, true), 0);
}

TEST_P(Dialogues, AMessageOfNothingIsAnEnd) {
  ASSERT_EQ(here->send("", 0), 0);
  std::size_t bytes = 7;
  EXPECT_EQ(there->probe(bytes, true), 0);
  char any = 0;
  for (int i = 0; i < 2; i++) {
    auto received = there->receiveLater(&any, 1);
    EXPECT_EQ(there->wait(*received), 0);
    EXPECT_EQ(received->bytes(), 0);
  }
}

/// More than the ring holds.
TEST_P(Dialogues, SendsInTheBackgroundKeepTheirOrderAndComeBeforeTheEnd) {
  std::vector<Bytes> messages;
  std::vector<std::shared_ptr<Operation>> sent;
  for (unsigned i = 0; i < 20; i++) {
    messages.push_back(patternOf(kRing / 3 + i, i));
    sent.push_back(here->sendLater(messages.back().data(), messages.back().size()));
  }
  EXPECT_TRUE(sent.front()->isOver());
  EXPECT_FALSE(sent.back()->isOver()) << "nobody reads";
  EXPECT_EQ(sent.back()->bytes(), -1);
  auto ending = std::async(std::launch::async, [&] { return here->endSending(); });
  for (const Bytes& each : messages) EXPECT_EQ(received(*there), each);
  EXPECT_EQ(received(*there), Bytes());
  EXPECT_EQ(ending.get(), 0);
  for (auto& each : sent) EXPECT_EQ(each->result(), 0);
  EXPECT_EQ(sent.back()->bytes(), static_cast<ssize_t>(messages.back().size()));
}

/// Neither reads before it has sent, in its program's order.
TEST_P(Dialogues, BothMaySendMuchAtATimeWhereReceivesArePosted) {
  constexpr std::size_t kMuch = 50 * kRing;
  auto talk = [&](Dialogue& self, unsigned seed) {
    Bytes into(kMuch);
    auto received = self.receiveLater(into.data(), into.size());
    Bytes message = patternOf(kMuch, seed);
    EXPECT_EQ(self.send(message.data(), kMuch), static_cast<ssize_t>(kMuch));
    EXPECT_EQ(self.wait(*received), 0);
    return into;
  };
  auto other = std::async(std::launch::async, [&] { return talk(*there, 2); });
  EXPECT_EQ(talk(*here, 1), patternOf(kMuch, 2));
  EXPECT_EQ(other.get(), patternOf(kMuch, 1));
}

/// On one handle: one thread sends while another one receives.
TEST_P(Dialogues, TwoThreadsShareASide) {
  constexpr int kMessages = 3000;
  auto sends = [](Dialogue& by) {
    for (int i = 0; i < kMessages; i++) {
      auto later = by.sendLater(&i, sizeof i);
      ASSERT_EQ(by.wait(*later), 0);
    }
  };
  auto receives = [](Dialogue& by) {
    for (int i = 0; i < kMessages; i++) {
      int heard = -1;
      if (i % 2 == 0) {
        ASSERT_EQ(by.receive(&heard, sizeof heard), static_cast<ssize_t>(sizeof heard));
      } else {
        ASSERT_EQ(by.wait(*by.receiveLater(&heard, sizeof heard)), 0);
      }
      ASSERT_EQ(heard, i);
    }
  };
  std::vector<std::future<void>> all;
  for (Dialogue* each : {here.get(), there.get()}) {
    all.push_back(std::async(std::launch::async, [&, each] { sends(*each); }));
    all.push_back(std::async(std::launch::async, [&, each] { receives(*each); }));
  }
  for (auto& each : all) each.get();
}

TEST_P(Dialogues, AProbeWaitsBehindAReceiveThatIsPosted) {
  Bytes first(3 * kRing);
  auto received = there->receiveLater(first.data(), first.size());
  std::size_t bytes = 0;
  EXPECT_EQ(there->probe(bytes, false), -1);
  Bytes large = patternOf(3 * kRing, 1);
  auto sent = here->sendLater(large.data(), large.size());
  EXPECT_EQ(there->probe(bytes, false), -1) << "the message is the other one's, whose part is here";
  while (!received->isOver()) {
    here->progress();
    there->progress();
  }
  EXPECT_EQ(first, large);
  ASSERT_EQ(here->send("c", 1), 1);
  EXPECT_EQ(there->probe(bytes, true), 1);
  EXPECT_EQ(bytes, 1U);
}

TEST_P(Dialogues, OneThatGoesWithoutAnEndIsALoss) {
  ASSERT_EQ(here->send("before", 6), 6);
  std::size_t bytes = 0;
  ASSERT_EQ(there->probe(bytes, true),
            1);  // by the device what is under way may go with the writer
  here.reset();
  EXPECT_EQ(received(*there).size(), 6U);
  errno = 0;
  EXPECT_EQ(there->probe(bytes, true), -1);
  EXPECT_EQ(errno, ECONNRESET);
  char any = 0;
  auto later = there->receiveLater(&any, 1);
  EXPECT_EQ(there->wait(*later), -1);
  EXPECT_EQ(errno, ECONNRESET);
  Bytes much(2 * kRing);
  errno = 0;
  EXPECT_EQ(there->send(much.data(), much.size()), -1);
  EXPECT_EQ(errno, EPIPE);
  EXPECT_EQ(there->endSending(), -1);
}

TEST_P(Dialogues, WhoReceivesNoMoreEndsTheFarSidesSends) {
  there->endReceiving();
  Bytes much(2 * kRing);
  errno = 0;
  EXPECT_EQ(here->send(much.data(), much.size()), -1);
  EXPECT_EQ(errno, EPIPE);
  ASSERT_EQ(there->send("yet", 3), 3) << "the other direction goes on";
  EXPECT_EQ(received(*here).size(), 3U);
  std::size_t bytes = 0;
  EXPECT_EQ(there->probe(bytes, true), 0);
}

}  // namespace
}  // namespace verbena::mtcl::testing
