// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace verbena::bench {

/// Whoever asks how a tool is used, anywhere among its words, is told, and that was all.
inline void answerHelp(std::span<char*> words, const char* usage) {
  bool asked = std::any_of(words.begin(), words.end(),
                           [](std::string_view word) { return word == "--help" || word == "-h"; });
  if (!asked) return;
  std::fputs(usage, stdout);
  std::exit(0);
}

}  // namespace verbena::bench
