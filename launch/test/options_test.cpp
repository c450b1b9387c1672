// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <gtest/gtest.h>

#include "placement.h"

namespace verbena::launch {
namespace {

using Words = std::vector<std::string>;

base::Result<Options> parse(const Words& words) {
  return parseOptions(words);
}

TEST(Options, EndWhereTheCommandBegins) {
  auto options = parse({"-np", "3", "run", "-n", "4", "--help"});
  ASSERT_TRUE(options);
  ASSERT_EQ(options->segments.size(), 1U);
  EXPECT_EQ(options->segments[0].ranks, 3U);
  EXPECT_EQ(options->segments[0].command.words, (Words{"run", "-n", "4", "--help"}));
}

TEST(Options, EndAtTwoDashes) {
  auto options = parse({"-n", "1", "--", "--odd-name"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->segments[0].command.words, (Words{"--odd-name"}));
}

TEST(Options, MayHaveTheirValueBehindAnEqualsSign) {
  auto options = parse({"--output=files=a=b", "--map=by-host", "--bind=core", "true"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->outputFolder, "a=b");
  EXPECT_EQ(options->mapping, Mapping::byHost);
  EXPECT_TRUE(options->bindToCores);
}

TEST(Options, OfEachCommandAreItsOwn) {
  auto options = parse({"-n", "1", "--env", "A=1", "a", ":", "-n", "2", "--wdir", "/x", "--", "b"});
  ASSERT_TRUE(options);
  ASSERT_EQ(options->segments.size(), 2U);
  EXPECT_EQ(options->segments[0].command, (Command{{"a"}, "", {"A=1"}}));
  EXPECT_EQ(options->segments[1].command, (Command{{"b"}, "/x", {}}));
  EXPECT_EQ(options->segments[1].ranks, 2U);
}

TEST(Options, OfACommandThatIsToGetAColon) {
  auto options = parse({"-n", "1", "a", "\\:", "\\\\:", "b:", "\\", ":", "-n", "1", "c"});
  ASSERT_TRUE(options);
  ASSERT_EQ(options->segments.size(), 2U);
  EXPECT_EQ(options->segments[0].command.words, (Words{"a", ":", "\\:", "b:", "\\"}));
}

TEST(Options, ThatAreWrongAreNamed) {
  for (const auto& [words, sentence] : std::vector<std::pair<Words, std::string>>{
           {{}, "cannot start a job: there is no command; see 'verbena-run --help'"},
           {{"-n", "2"}, "cannot start a job: there is no command; see 'verbena-run --help'"},
           {{"-n"}, "cannot take -n: it needs a value: N"},
           {{"-n", "x", "a"}, "cannot take -n: 'x' is not between 1 and 65536"},
           {{"-n", "65537", "a"}, "cannot take -n: '65537' is not between 1 and 65536"},
           {{"--map", "x", "a"}, "cannot take --map: 'x' is none of by-slot, by-host"},
           {{"--output", "files=", "a"},
            "cannot take --output: 'files=' is none of merged, tagged and files=FOLDER"},
           {{"--env", "=x", "a"}, "cannot take --env: '=x' has no name"},
           {{"--env", "NOT_SET_HERE", "a"},
            "cannot take --env: the variable 'NOT_SET_HERE' is not set here"},
           {{"--go-on=x", "a"}, "cannot take --go-on: it has no value"},
           {{"-n", "1", "a", ":", "-n", "1", "--map", "by-host", "b"},
            "cannot take --map: it stands before the first command"},
           {{"-n", "1", "a", ":", "b"},
            "cannot take 'b': of several commands each needs its number of ranks, -n"},
           {{"a", ":", "-n", "1", "b"},
            "cannot take 'a': of several commands each needs its number of ranks, -n"},
           {{"-n", "1", "a", ":"}, "cannot take ':': there is no command behind it"},
           {{"--host", "a", "--host", "b", "x"}, "cannot take --host: hosts are given once"}}) {
    auto options = parse(words);
    ASSERT_FALSE(options) << sentence;
    EXPECT_EQ(options.error().sentence(), sentence);
  }
}

TEST(Options, AllOfThemAreInTheHelp) {
  std::string help = helpText();
  for (const char* name : {"-n", "-np", "--wdir", "--env", "--host", "--hosts", "--map", "--bind",
                           "--output", "--timeout", "--start-timeout", "--grace", "--go-on",
                           "--interface", "--rsh", "--remote-program", "--help"}) {
    EXPECT_NE(help.find(std::string(name)), std::string::npos) << name;
  }
}

std::vector<std::vector<uint32_t>> ranksByHost(const Words& words) {
  auto options = parse(words);
  auto placed = place(*options);
  std::vector<std::vector<uint32_t>> all;
  for (const Placed& each : *placed) {
    all.emplace_back();
    for (const RankOrder& rank : each.ranks) all.back().push_back(rank.rank);
  }
  return all;
}

using Ranks = std::vector<std::vector<uint32_t>>;

TEST(Placement, FillsHostsAndBeginsAnewWhenTheyAreFull) {
  EXPECT_EQ(ranksByHost({"-n", "5", "--host", "a:1,b:2", "x"}), (Ranks{{0, 3}, {1, 2, 4}}));
}

TEST(Placement, GoesRoundHostsThatHaveSlotsLeft) {
  EXPECT_EQ(ranksByHost({"-n", "5", "--host", "a:1,b:3", "--map", "by-host", "x"}),
            (Ranks{{0, 4}, {1, 2, 3}}));
}

TEST(Placement, LeavesOutHostsWithoutRanks) {
  EXPECT_EQ(ranksByHost({"-n", "1", "--host", "a,b", "x"}), (Ranks{{0}}));
}

TEST(Placement, TakesAllSlotsWhereNoNumberIsGiven) {
  EXPECT_EQ(ranksByHost({"--host", "a:2,b", "x"}), (Ranks{{0, 1}, {2}}));
}

TEST(Placement, OfTooManyRanksFails) {
  auto options = parse({"-n", "65536", "a", ":", "-n", "1", "b"});
  ASSERT_TRUE(options);
  auto placed = place(*options);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().sentence(), "cannot place the ranks: a job has at most 65536");
}

}  // namespace
}  // namespace verbena::launch
