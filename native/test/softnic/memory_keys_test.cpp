// SPDX-License-Identifier: Apache-2.0
//
// Keys of memory: what was revoked stays so.
#include <set>

#include "ends.h"
#include "softnic/memory/port_memory.h"

namespace verbena::softnic::testing {
namespace {

class MemoryKeys : public ::testing::Test {
 protected:
  uint32_t newKey() const {
    return must(verbs::MemoryRegion::registerRange(end_.pd, end_.buffer.first(8),
                                                   IBV_ACCESS_LOCAL_WRITE))
        .rkey();
  }

  Folders folders_;
  End end_;
};

/// By chance two of so many would be equal, whatever part of the key is chance.
TEST_F(MemoryKeys, NeverComeAgain) {
  constexpr int kMany = 100'000;
  std::set<uint32_t> seen;
  for (int i = 0; i < kMany; i++) ASSERT_TRUE(seen.insert(newKey()).second) << "number " << i;
}

TEST_F(MemoryKeys, PlacesRestBeforeTheyAreUsedAgain) {
  std::set<uint32_t> places;
  for (int i = 0; i < 64; i++) ASSERT_TRUE(places.insert(regionIndexOf(newKey())).second) << i;
}

TEST_F(MemoryKeys, PlacesDoNotRestWhereThereIsNoOther) {
  std::vector<verbs::MemoryRegion> all;
  for (;;) {
    auto more = verbs::MemoryRegion::registerRange(end_.pd, end_.buffer.first(8), 0);
    if (!more) break;
    all.push_back(std::move(*more));
  }
  EXPECT_GT(all.size(), 16'000U);
  all.pop_back();
  EXPECT_TRUE(verbs::MemoryRegion::registerRange(end_.pd, end_.buffer.first(8), 0).ok());
}

}  // namespace
}  // namespace verbena::softnic::testing
