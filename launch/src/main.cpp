// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "agent.h"
#include "guard.h"
#include "launcher.h"
#include "options.h"

namespace verbena::launch {
namespace {

constexpr int kWrongUsage = 2;

/// What was closed by whoever has started us must not become a descriptor of ours.
void openStandardDescriptors() {
  int fd = 0;
  do {
    fd = open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) close(fd);
}

int run(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--agent"}) return guarded(runAgent);
  auto options = parseOptions(words);
  if (!options) {
    std::fprintf(stderr, "verbena-run: %s\n", options.error().sentence().c_str());
    return kWrongUsage;
  }
  if (!options->wantsHelp) return launch(*options);
  std::fputs(helpText().c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace verbena::launch

int main(int count, char** words) {
  verbena::launch::openStandardDescriptors();
  try {
    return verbena::launch::run({words + 1, words + count});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "verbena-run: %s\n", failure.what());
    return 125;
  }
}
