// SPDX-License-Identifier: Apache-2.0
#include "loopback_options.h"

#include "help.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace verbena::loopback {
namespace {

constexpr const char* kUsage =
    "usage: vbn-loopback [options]\n"
    "  Streams bytes through the engine alone, between processes of this host; what arrives is\n"
    "  thrown away. The native limit of everything that stands on the engine.\n"
    "  --nodes N          processes (2)\n"
    "  --pattern P[,P]    one (node 0 to node 1), all (everybody to everybody), ring (everybody "
    "to\n"
    "                     the next), trip (round trips of one send between node 0 and node 1);\n"
    "                     several follow each other without a stop (one)\n"
    "  --seconds S        of each pattern (1)\n"
    "  --size BYTES       of one send at most; 0 for as much as the far side takes, 64 in round\n"
    "                     trips (0)\n"
    "  --buffer BYTES     of one receive buffer; a send takes up to two (32768)\n"
    "  --window N         sends under way on one connection (32)\n"
    "  --ring BYTES       of each stream's memory, a power of two (4194304)\n"
    "  --idle N           further connections of each node that carry nothing (0)\n"
    "  --device NAME      softnic (default) or a kernel device, as ibv_devices lists it\n"
    "  --json             one JSON object per pattern instead of a line\n";

[[noreturn]] void fail(std::string_view reason) {
  std::fprintf(stderr, "vbn-loopback: %.*s\n%s", static_cast<int>(reason.size()), reason.data(),
               kUsage);
  std::exit(2);
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

std::vector<Pattern> patterns(std::string_view text) {
  std::vector<Pattern> found;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    size_t before = found.size();
    for (Pattern one : {Pattern::One, Pattern::All, Pattern::Ring, Pattern::Trip}) {
      if (word == name(one)) found.push_back(one);
    }
    if (found.size() == before) fail("--pattern takes one, all, ring, trip");
  }
  if (found.empty() || found.size() > 8) fail("--pattern takes one to eight patterns");
  return found;
}

bool parseValue(std::string_view option, const char* value, Options& options) {
  if (option == "--nodes") {
    options.nodes = static_cast<uint16_t>(number(option, value, 2, 64));
  } else if (option == "--pattern") {
    options.phases = patterns(value);
  } else if (option == "--seconds") {
    options.seconds = std::atof(value);
  } else if (option == "--size") {
    options.sizeBytes = number(option, value, 0, 1U << 26);
  } else if (option == "--buffer") {
    options.bufferBytes = number(option, value, 256, 1U << 24);
  } else if (option == "--window") {
    options.window = number(option, value, 1, 4096);
  } else if (option == "--ring") {
    options.ringBytes = number(option, value, 4096, 1U << 30);
  } else if (option == "--idle") {
    options.idle = number(option, value, 0, 4000);
  } else if (option == "--device") {
    options.device = value;
  } else {
    return false;
  }
  return true;
}

}  // namespace

const char* name(Pattern pattern) {
  switch (pattern) {
    case Pattern::One: return "one";
    case Pattern::All: return "all";
    case Pattern::Ring: return "ring";
    case Pattern::Trip: return "trip";
  }
  return "?";
}

bool sends(Pattern pattern, uint16_t nodes, uint16_t from, uint16_t to) {
  switch (pattern) {
    case Pattern::One: return from == 0 && to == 1;
    case Pattern::All: return from != to;
    case Pattern::Ring: return to == (from + 1) % nodes;
    case Pattern::Trip: return false;
  }
  return false;
}

Options parseOptions(int argc, char** argv) {
  std::span<char*> words(argv, static_cast<size_t>(argc));
  bench::answerHelp(words, kUsage);
  Options options;
  for (size_t i = 1; i < words.size(); i++) {
    std::string_view option = words[i];
    if (option == "--json") {
      options.json = true;
      continue;
    }
    if (i + 1 == words.size() || !parseValue(option, words[i + 1], options)) {
      fail(std::string("unknown or incomplete option ") + words[i]);
    }
    i++;
  }
  return options;
}

}  // namespace verbena::loopback
