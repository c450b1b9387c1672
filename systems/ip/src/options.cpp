// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "failure.h"

namespace verbena::ip {
namespace {

constexpr uint32_t kLeastMtu = 68;
constexpr uint32_t kMostMtu = 65'521;
constexpr uint32_t kLeastRing = 256;  // KiB

uint32_t number(const std::string& option, const std::string& text, uint32_t least, uint32_t most) {
  uint32_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure == std::errc{} && rest == end && value >= least && value <= most) return value;
  fail("take " + option, "", 0,
       "'" + text + "' is not between " + std::to_string(least) + " and " + std::to_string(most));
}

template <typename T>
T choice(const std::string& option, const std::string& text,
         std::initializer_list<std::pair<const char*, T>> choices) {
  std::string names;
  for (const auto& [name, meaning] : choices) {
    if (text == name) return meaning;
    names.append(names.empty() ? "" : ", ").append(name);
  }
  fail("take " + option, "", 0, "'" + text + "' is none of " + names);
}

struct Row {
  const char* name;
  const char* value;
  const char* help;
  void (*apply)(Options& to, const std::string& option, const std::string& value);
};

constexpr std::array kRows = {
    Row{"--node", "N", "the number of this node, 0 to 1023: needed",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.node = number(option, value, 0, kMostNode);
        }},
    Row{"--peers", "FILE",
        "a line for each node, this one among them: its number and host:port (UDP): needed",
        [](Options& to, const std::string&, const std::string& value) {
          to.network.peersFile = value;
        }},
    Row{"--address", "IP/BITS", "of the interface; may be given again, of both families",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.tap.addresses.push_back(IpAddress::parse(option, value));
        }},
    Row{"--name", "NAME", "of the interface; vbn0",
        [](Options& to, const std::string&, const std::string& value) {
          to.network.tap.name = value;
        }},
    Row{"--netns", "NAME", "the network namespace in which the interface is; that of vbn-ip",
        [](Options& to, const std::string&, const std::string& value) {
          to.network.tap.netns = value;
        }},
    Row{"--mtu", "BYTES", "68 to 65521; 65520",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.tap.mtu = number(option, value, kLeastMtu, kMostMtu);
        }},
    Row{"--queues", "N", "of the interface, each with a thread; 1 to 16; 1",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.tap.queues = number(option, value, 1, kMostQueues);
        }},
    Row{"--policy", "flow|cpu|round-robin",
        "by which queue the kernel sends: one for each flow (flow), that of the processor,\n"
        "or one after the other; the last two need CAP_BPF",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.tap.policy = choice<Policy>(
              option, value,
              {{"flow", Policy::flow}, {"cpu", Policy::cpu}, {"round-robin", Policy::roundRobin}});
        }},
    Row{"--when-full", "stop|drop",
        "of a peer without room: wait for it, 20 ms at most (stop), or drop at once",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.stopsWhenFull = choice<bool>(option, value, {{"stop", true}, {"drop", false}});
        }},
    Row{"--super-frames", "on|off", "segments of up to 64 KiB, whatever the MTU; on",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.tap.superFrames = choice<bool>(option, value, {{"on", true}, {"off", false}});
        }},
    Row{"--checksums", "partial|full",
        "left to where frames leave for another network (partial), or computed before; with\n"
        "super-frames always the first",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.tap.partialChecksums =
              choice<bool>(option, value, {{"partial", true}, {"full", false}});
        }},
    Row{"--ring", "KIB", "of each channel: a power of two from 256 to 65536; 1024",
        [](Options& to, const std::string& option, const std::string& value) {
          uint32_t kib = number(option, value, kLeastRing, kMostRing >> 10);
          if (!std::has_single_bit(kib)) {
            fail("take " + option, "", 0, "'" + value + "' is no power of two");
          }
          to.network.ringBytes = uint64_t{kib} << 10;
        }},
    Row{"--device", "NAME", "of verbs, or softnic; the best there is",
        [](Options& to, const std::string&, const std::string& value) {
          to.network.device = value;
        }},
    Row{"--cluster", "NAME", "others are refused; default",
        [](Options& to, const std::string&, const std::string& value) {
          to.network.cluster = value;
        }},
    Row{"--key", "FILE", "with the cluster's secret, for its user alone to read",
        [](Options& to, const std::string&, const std::string& value) {
          to.network.keyFile = value;
        }},
    Row{"--encryption", "optional|required",
        "required: nothing leaves this host, as no wire of the fabric encrypts",
        [](Options& to, const std::string& option, const std::string& value) {
          to.network.encryptionRequired =
              choice<bool>(option, value, {{"optional", false}, {"required", true}});
        }},
};

}  // namespace

Options parseOptions(std::span<const std::string> words) {
  Options options;
  if (words.empty() || words.front() == "--help" || words.front() == "-h") return options;
  options.command =
      choice<Command>("the command", words.front(),
                      {{"up", Command::up}, {"down", Command::down}, {"status", Command::status}});
  bool hasNode = false;
  for (size_t i = 1; i < words.size(); i++) {
    const std::string& option = words[i];
    if (option == "--help") return {};
    if (option == "--json" && options.command == Command::status) {
      options.json = true;
      continue;
    }
    auto row = std::ranges::find_if(kRows, [&](const Row& each) { return option == each.name; });
    if (row == kRows.end()) fail("take " + option, "", 0, "'vbn-ip --help' has the options");
    if (i + 1 == words.size()) fail("take " + option, "", 0, "its value is missing");
    row->apply(options, option, words[++i]);
    hasNode = hasNode || option == "--node";
  }
  if (options.command == Command::up && (!hasNode || options.network.peersFile.empty())) {
    fail("take up", "", 0, "it needs --node and --peers");
  }
  return options;
}

std::string helpText() {
  std::string text =
      "vbn-ip: a network interface whose frames travel by verbs or shared memory (docs/ip.md)\n\n"
      "  vbn-ip up --node N --peers FILE [OPTION VALUE]...   until it is ended; the interface "
      "stays\n"
      "  vbn-ip status [--name NAME] [--netns NAME] [--json]\n"
      "  vbn-ip down [--name NAME] [--netns NAME]            the interface goes\n\n";
  for (const Row& row : kRows) {
    text += std::string("  ") + row.name + " " + row.value + "\n";
    std::string help = row.help;
    for (size_t at = 0; (at = help.find('\n', at)) != std::string::npos; at += 7) {
      help.insert(at + 1, "      ");
    }
    text += "      " + help + "\n";
  }
  return text;
}

}  // namespace verbena::ip
