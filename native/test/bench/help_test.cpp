// SPDX-License-Identifier: Apache-2.0
//
// Asking a tool how it is used is no mistake; a word it does not know is one.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace {

struct Said {
  int status;
  std::string text;
};

/// What a command line says on standard output.
Said run(const std::string& line) {
  FILE* out = popen((line + " 2>/dev/null").c_str(), "r");
  if (out == nullptr) return {-1, ""};
  std::string text;
  for (int c = fgetc(out); c != EOF; c = fgetc(out)) text.push_back(static_cast<char>(c));
  return {WEXITSTATUS(pclose(out)), text};
}

class ToolHelp : public ::testing::TestWithParam<const char*> {};

TEST_P(ToolHelp, IsPrintedAndNoError) {
  std::string tool = GetParam();
  std::string name = tool.substr(tool.rfind('/') + 1);
  for (const char* words : {" --help", " -h", " --seconds --help"}) {
    Said said = run(tool + words);
    EXPECT_EQ(said.status, 0) << tool << words;
    EXPECT_EQ(said.text.rfind("usage: " + name + " ", 0), 0U) << said.text;
  }
}

TEST_P(ToolHelp, IsNoAnswerToAWordThatIsNotKnown) {
  Said said = run(std::string(GetParam()) + " --no-such-option 1");
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.text, "");
}

INSTANTIATE_TEST_SUITE_P(Bench, ToolHelp,
                         ::testing::Values(VERBENA_PERF, VERBENA_LOOPBACK, VERBENA_CONNECT_STORM,
                                           VERBENA_FABRIC_PERF, VERBENA_CHANNEL_PERF));

}  // namespace
