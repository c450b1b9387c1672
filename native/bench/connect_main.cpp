// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string_view>

#include "connect_storm.h"
#include "help.h"

namespace verbena::bench {
namespace {

constexpr const char* kUsage =
    "usage: vbn-connect-storm [options]\n"
    "  How long many nodes take to connect all to all, in a few processes of this host. Every\n"
    "  connection then carries a hello each way and is closed. Exit status 0: all of it was done.\n"
    "  --nodes N            each with a connection manager of its own, 2 to 500 (100)\n"
    "  --processes N        1 to 64 (4)\n"
    "  --queue-pairs WHAT   softnic: each node has an engine on a port of softnic (default)\n"
    "                       none: the connection managers alone\n"
    "  --timeout SECONDS    for each of connecting, saying hello and closing (60)\n";

[[noreturn]] void fail(std::string_view option) {
  std::fprintf(stderr, "vbn-connect-storm: unknown or wrong option %.*s\n%s",
               static_cast<int>(option.size()), option.data(), kUsage);
  std::exit(2);
}

unsigned number(std::string_view option, const char* text, unsigned least, unsigned most) {
  char* end = nullptr;
  unsigned long value = std::strtoul(text, &end, 10);
  if (*text == 0 || *end != 0 || value < least || value > most) fail(option);
  return static_cast<unsigned>(value);
}

void parse(std::string_view option, const char* value, StormOptions& options) {
  if (option == "--nodes") {
    options.nodes = static_cast<connect::NodeId>(number(option, value, 2, 500));
  } else if (option == "--processes") {
    options.processes = number(option, value, 1, 64);
  } else if (option == "--timeout") {
    options.timeoutSeconds = number(option, value, 1, 3600);
  } else if (option == "--queue-pairs" && std::string_view(value) == "softnic") {
    options.softnic = true;
  } else if (option == "--queue-pairs" && std::string_view(value) == "none") {
    options.softnic = false;
  } else {
    fail(option);
  }
}

StormOptions parse(std::span<char*> words) {
  StormOptions options;
  for (size_t i = 1; i < words.size(); i += 2) {
    if (i + 1 == words.size()) fail(words[i]);
    parse(words[i], words[i + 1], options);
  }
  return options;
}

}  // namespace
}  // namespace verbena::bench

int main(int count, char** words) {
  using namespace verbena::bench;
  std::span<char*> all(words, static_cast<size_t>(count));
  answerHelp(all, kUsage);
  StormOptions options = parse(all);
  try {
    return connectStorm(options, [&](auto self) {
      return options.softnic ? engineOnSoftnic(self, options.nodes) : ownerWithoutQueuePairs(self);
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vbn-connect-storm: %s\n", error.what());
    return 1;
  }
}
