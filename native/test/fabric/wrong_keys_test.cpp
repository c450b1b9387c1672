// SPDX-License-Identifier: Apache-2.0
#include "fabric/wrong_keys.h"

#include <gtest/gtest.h>

#include "../test_device.h"
#include "memories.h"

namespace verbena::fabric::testing {
namespace {

using namespace std::chrono_literals;

constexpr WrongKeys::Time kNow = 1h;
constexpr connect::NodeId kByChance = connect::kMostGiven + 1;

void use(WrongKeys& keys, connect::NodeId peer, unsigned times) {
  for (unsigned i = 0; i < times; i++) keys.note(peer, kNow);
}

TEST(WrongKeys, CostNoTimeIfTheyAreFew) {
  WrongKeys keys;
  use(keys, 7, WrongKeys::kAtOnce);
  EXPECT_EQ(keys.pause(7, kNow), 0s);
}

TEST(WrongKeys, AreOneInAWhileIfTheyAreMany) {
  WrongKeys keys;
  use(keys, 7, WrongKeys::kAtOnce + 1);
  EXPECT_EQ(keys.pause(7, kNow), WrongKeys::kEach);
  EXPECT_EQ(keys.pause(7, kNow + WrongKeys::kEach - 1ns), 1ns);
  EXPECT_EQ(keys.pause(7, kNow + WrongKeys::kEach), 0s);
  keys.note(7, kNow + WrongKeys::kEach);
  EXPECT_EQ(keys.pause(7, kNow + WrongKeys::kEach), WrongKeys::kEach);
}

TEST(WrongKeys, AreForgottenInTheEnd) {
  WrongKeys keys;
  use(keys, 7, WrongKeys::kAtOnce + 1);
  WrongKeys::Time later = kNow + (WrongKeys::kAtOnce + 1) * WrongKeys::kEach;
  for (unsigned i = 0; i < WrongKeys::kAtOnce; i++) keys.note(7, later);
  EXPECT_EQ(keys.pause(7, later), 0s);
}

TEST(WrongKeys, OfOnePeerCostNoOther) {
  WrongKeys keys;
  use(keys, 7, 100);
  EXPECT_EQ(keys.pause(8, kNow), 0s);
  EXPECT_EQ(keys.pause(kByChance, kNow), 0s);
}

TEST(WrongKeys, OfThoseThatNumberThemselvesCountTogether) {
  WrongKeys keys;
  for (connect::NodeId i = 0; i <= WrongKeys::kAtOnce; i++) keys.note(kByChance + i, kNow);
  EXPECT_EQ(keys.pause(kByChance + 1000, kNow), WrongKeys::kEach);
}

TEST(WrongKeys, OfANodeThatRevokesAreUsedInGoodFaith) {
  WrongKeys keys;
  keys.noteRevoked(kNow);
  use(keys, 7, 100);
  EXPECT_EQ(keys.pause(7, kNow), 0s);
  for (unsigned i = 0; i <= WrongKeys::kAtOnce; i++) keys.note(7, kNow + WrongKeys::kEach);
  EXPECT_EQ(keys.pause(7, kNow + WrongKeys::kEach), WrongKeys::kEach);
}

class WrongKeyTest : public Memories {
 protected:
  WrongKeyTest() : Memories(Wire::Device) {}
};

/// softnic tells the owner of the memory; the specification lets devices do so. Where links are
/// made slowly, some of the keys are forgotten meanwhile.
TEST_F(WrongKeyTest, OneAfterAnotherMakeTheirPeerWait) {
  if (testDevice() != "softnic") GTEST_SKIP() << "what " << testDevice() << " tells is its own";
  Request wrong = put(0, 0, 8);
  wrong.key.rkey ^= 1;
  std::optional<base::Error> refusal;
  for (connect::LinkId link = kLink; !refusal; link++) {
    ASSERT_LT(link, kLink + 20 * WrongKeys::kAtOnce);
    EXPECT_EQ(left_.run(link, wrong), Done::Outcome::refused);
    left_.close(link);
    right_.close(link);
    try {
      connect(left_, right_, link + 1);
    } catch (const std::runtime_error&) {
      auto again = right_.worker().create(
          right_.memory(), {link + 1, left_.id(), kOneSided, nullptr, left_.owner().incarnation});
      if (!again) refusal = again.error();
      left_.close(link + 1);
    }
  }
  EXPECT_EQ(refusal->code, ECONNREFUSED);
  EXPECT_NE(refusal->sentence().find("more than 16 wrong keys lately; try again in"),
            std::string::npos)
      << refusal->sentence();
}

}  // namespace
}  // namespace verbena::fabric::testing
