// SPDX-License-Identifier: Apache-2.0
#include "job/node_list.h"

#include <gtest/gtest.h>

namespace verbena::job {
namespace {

using Names = std::vector<std::string>;
using Counts = std::vector<uint32_t>;

TEST(NodeLists, AreWrittenOut) {
  EXPECT_EQ(expandNodeList("n1").value(), (Names{"n1"}));
  EXPECT_EQ(expandNodeList("n1,m").value(), (Names{"n1", "m"}));
  EXPECT_EQ(expandNodeList("n[01-03,7]").value(), (Names{"n01", "n02", "n03", "n7"}));
  EXPECT_EQ(expandNodeList("a,n[8-10]x,b").value(), (Names{"a", "n8x", "n9x", "n10x", "b"}));
  EXPECT_EQ(expandNodeList("n[098-101]").value(), (Names{"n098", "n099", "n100", "n101"}));
  EXPECT_EQ(expandNodeList("r[1-2]n[5,6]").value(), (Names{"r1n5", "r1n6", "r2n5", "r2n6"}));
}

TEST(NodeLists, ThatAreNoneAreRefused) {
  for (const char* list : {"", "n1,", ",n1", "n[1-3", "n1]", "n[]", "n[3-1]", "n[1-]", "n[-1]",
                           "n[a-b]", "n[1,]", "n[[1]]", "n[1]]", "n[1-99999999999]"}) {
    auto names = expandNodeList(list);
    ASSERT_FALSE(names) << list;
    EXPECT_EQ(names.error().sentence(), "cannot read a list of Slurm's on '" + std::string(list) +
                                            "': it is none, or has more than 65536");
  }
}

TEST(NodeLists, HaveNoMoreNamesThanAJobHasRanks) {
  EXPECT_EQ(expandNodeList("n[1-65536]").value().size(), 65536U);
  EXPECT_FALSE(expandNodeList("n[1-65537]"));
  EXPECT_FALSE(expandNodeList("n[1-65536],m"));
  EXPECT_FALSE(expandNodeList("n[1-300]m[1-300]"));
}

TEST(Counts, AreWrittenOut) {
  EXPECT_EQ(expandCounts("4").value(), (Counts{4}));
  EXPECT_EQ(expandCounts("2(x3),1").value(), (Counts{2, 2, 2, 1}));
  EXPECT_EQ(expandCounts("1,16(x2)").value(), (Counts{1, 16, 16}));
}

TEST(Counts, ThatAreNoneAreRefused) {
  for (const char* list :
       {"", "2,", "x", "2(3)", "2(x3", "2(x)", "2(x-1)", "2(x65537)", "-1", "2(x3)1", "[1]"}) {
    EXPECT_FALSE(expandCounts(list)) << list;
  }
}

}  // namespace
}  // namespace verbena::job
