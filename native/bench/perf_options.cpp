// SPDX-License-Identifier: Apache-2.0
#include "perf_options.h"

#include "help.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

namespace verbena::perf {
namespace {

constexpr const char* kUsage =
    "usage: vbn-perf {send|write|read|fadd|cas} [options]\n"
    "  Measures one verbs operation between two processes of this host.\n"
    "  --lat              round trips instead of bandwidth\n"
    "  --device NAME      softnic (default) or a kernel device, as ibv_devices lists it\n"
    "  --size BYTES       of one message (64)\n"
    "  --post-list N      requests per ibv_post_send (1)\n"
    "  --signal-every N   every n-th request completes visibly (32)\n"
    "  --depth N          requests under way (256)\n"
    "  --seconds S        of each measurement (1)\n"
    "  --repeat N         measurements; the median is told (3)\n"
    "  --plain            memory the peer cannot map\n"
    "  --events           sleep on the completion channel instead of polling\n"
    "  --json             one JSON object instead of a line\n";

[[noreturn]] void fail(std::string_view reason) {
  std::fprintf(stderr, "vbn-perf: %.*s\n%s", static_cast<int>(reason.size()), reason.data(),
               kUsage);
  std::exit(2);
}

bool parseOperation(std::string_view word, Operation& operation) {
  for (Operation one : {Operation::Send, Operation::Write, Operation::Read, Operation::FetchAdd,
                        Operation::CompareSwap}) {
    if (word == name(one)) {
      operation = one;
      return true;
    }
  }
  return false;
}

uint32_t number(std::string_view option, const char* text, uint32_t least, uint32_t most) {
  char* end = nullptr;
  unsigned long value = std::strtoul(text, &end, 10);
  if (*text == 0 || *end != 0 || value < least || value > most) {
    fail(std::string(option) + " takes a number from " + std::to_string(least) + " to " +
         std::to_string(most));
  }
  return static_cast<uint32_t>(value);
}

bool parseFlag(std::string_view option, Options& options) {
  if (option == "--lat") {
    options.measure = Measure::Latency;
  } else if (option == "--plain") {
    options.shareable = false;
  } else if (option == "--events") {
    options.events = true;
  } else if (option == "--json") {
    options.json = true;
  } else {
    return false;
  }
  return true;
}

bool parseValue(std::string_view option, const char* value, Options& options) {
  constexpr uint32_t kMaxDepth = 4096;
  if (option == "--device") {
    options.device = value;
  } else if (option == "--size") {
    options.sizeBytes = number(option, value, 0, 1U << 26);
  } else if (option == "--post-list") {
    options.postList = number(option, value, 1, kMaxDepth);
  } else if (option == "--signal-every") {
    options.signalEvery = number(option, value, 1, kMaxDepth);
  } else if (option == "--depth") {
    options.depth = number(option, value, 1, kMaxDepth);
  } else if (option == "--repeat") {
    options.repeat = number(option, value, 1, 1000);
  } else if (option == "--seconds") {
    options.seconds = std::atof(value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

const char* name(Operation operation) {
  switch (operation) {
    case Operation::Send: return "send";
    case Operation::Write: return "write";
    case Operation::Read: return "read";
    case Operation::FetchAdd: return "fadd";
    case Operation::CompareSwap: return "cas";
  }
  return "?";
}

Options parseOptions(int argc, char** argv) {
  std::span<char*> words(argv, static_cast<size_t>(argc));
  bench::answerHelp(words, kUsage);
  Options options;
  if (words.size() < 2 || !parseOperation(words[1], options.operation)) fail("which operation?");
  for (size_t i = 2; i < words.size(); i++) {
    if (parseFlag(words[i], options)) continue;
    if (i + 1 == words.size() || !parseValue(words[i], words[i + 1], options)) {
      fail(std::string("unknown or incomplete option ") + words[i]);
    }
    i++;
  }
  if (options.operation == Operation::FetchAdd || options.operation == Operation::CompareSwap) {
    options.sizeBytes = 8;
  }
  if (options.postList > options.depth || options.signalEvery > options.depth) {
    fail("--post-list and --signal-every must not exceed --depth");
  }
  return options;
}

}  // namespace verbena::perf
