// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "agent.h"
#include "allocation.h"
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

/// Those of an allocation, where none are given.
base::Result<void> findHosts(Options& options) {
  if (!options.hosts.empty()) return {};
  auto hosts = allocatedHosts([](const char* name) { return std::getenv(name); });
  if (!hosts) return hosts.error();
  options.hosts = *hosts;
  return {};
}

int run(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--agent"}) return guarded(runAgent);
  auto options = parseOptions(words);
  if (!options) {
    std::fprintf(stderr, "verbena-run: %s\n", options.error().sentence().c_str());
    return kWrongUsage;
  }
  if (options->wantsHelp) {
    std::fputs(helpText().c_str(), stdout);
    return 0;
  }
  if (auto found = findHosts(*options); !found) {
    std::fprintf(stderr, "verbena-run: %s\n", found.error().sentence().c_str());
    return kWrongUsage;
  }
  return launch(*options);
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
