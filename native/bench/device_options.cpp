// SPDX-License-Identifier: Apache-2.0
#include "device_options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "help.h"

namespace verbena::bench {

DeviceOptions deviceOptionsOf(std::span<char*> words, const char* tool, const char* usage,
                              std::initializer_list<std::string_view> flags) {
  answerHelp(words, usage);
  DeviceOptions options;
  for (std::string_view word : words) {
    if (word == "--json") {
      options.json = true;
    } else if (options.flag.empty() && std::ranges::find(flags, word) != flags.end()) {
      options.flag = word;
    } else if (word.starts_with("-")) {
      std::fprintf(stderr, "%s: there is no option %.*s\n%s", tool, static_cast<int>(word.size()),
                   word.data(), usage);
      std::exit(2);
    } else {
      options.device = word;
    }
  }
  return options;
}

void die(const char* tool, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", tool, what.c_str());
  std::exit(1);
}

}  // namespace verbena::bench
