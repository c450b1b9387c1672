// SPDX-License-Identifier: Apache-2.0
#include "hosts.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "job/contract.h"
#include "processors.h"

namespace verbena::launch {
namespace {

base::Error wrong(const std::string& text, const std::string& advice) {
  return base::Error{"read hosts", "'" + text + "'", 0, advice};
}

std::optional<uint32_t> slotsFrom(const std::string& text) {
  uint32_t slots = 0;
  const char* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, slots);
  if (failure != std::errc{} || rest != end || slots == 0 || slots > job::kMostRanks) return {};
  return slots;
}

/// A name that begins with a dash would be an option of ssh.
bool isName(const std::string& name) {
  auto isGood = [](unsigned char c) { return std::isalnum(c) != 0 || strchr("._-:@[]", c); };
  return !name.empty() && name[0] != '-' && std::all_of(name.begin(), name.end(), isGood);
}

/// "a:2", "[::1]:2"; an address of IPv6 without brackets has no slots behind it.
base::Result<Host> parseHost(const std::string& text) {
  size_t colon = text.rfind(':');
  bool hasBrackets = text.starts_with('[') && text.find(']') != std::string::npos;
  bool isBareIpv6 = !hasBrackets && std::count(text.begin(), text.end(), ':') > 1;
  bool hasSlots = colon != std::string::npos && !isBareIpv6 && text.back() != ']';
  Host host{hasSlots ? text.substr(0, colon) : text, 1};
  if (hasBrackets && host.name.back() == ']') {
    host.name = host.name.substr(1, host.name.size() - 2);
  }
  if (!isName(host.name)) return wrong(text, "it is no name of a host");
  if (!hasSlots) return host;
  std::optional<uint32_t> slots = slotsFrom(text.substr(colon + 1));
  if (!slots) return wrong(text, "slots are between 1 and " + std::to_string(job::kMostRanks));
  host.slots = *slots;
  return host;
}

void add(std::vector<Host>& hosts, const Host& more) {
  auto known = std::find_if(hosts.begin(), hosts.end(),
                            [&](const Host& each) { return each.name == more.name; });
  if (known == hosts.end()) {
    hosts.push_back(more);
  } else {
    known->slots += more.slots;
  }
}

base::Result<std::optional<Host>> parseLine(const std::string& line) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string name;
  std::string more;
  if (!(words >> name)) return std::optional<Host>();
  auto host = parseHost(name);
  if (!host) return host.error();
  if (!(words >> more)) return std::optional<Host>(*host);
  constexpr std::string_view kSlots = "slots=";
  std::optional<uint32_t> slots;
  if (more.starts_with(kSlots)) slots = slotsFrom(more.substr(kSlots.size()));
  if (!slots || (words >> more))
    return wrong(line, "a line is 'NAME', 'NAME:SLOTS' or 'NAME slots=SLOTS'");
  host->slots = *slots;
  return std::optional<Host>(*host);
}

}  // namespace

base::Result<std::vector<Host>> parseHosts(const std::string& list) {
  std::vector<Host> hosts;
  std::istringstream all(list);
  for (std::string each; std::getline(all, each, ',');) {
    auto host = parseHost(each);
    if (!host) return host.error();
    add(hosts, *host);
  }
  if (hosts.empty()) return wrong(list, "there are none");
  return hosts;
}

base::Result<std::vector<Host>> readHosts(const std::string& file) {
  std::error_code failure;
  if (std::filesystem::is_directory(file, failure)) {
    return base::Error{"read hosts", file, EISDIR, ""};
  }
  std::ifstream lines(file);
  if (!lines) return base::Error{"read hosts", file, errno, ""};
  std::vector<Host> hosts;
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    number++;
    auto host = parseLine(line);
    if (!host) {
      return base::Error{"read hosts", file + ", line " + std::to_string(number), 0,
                         host.error().object + ": " + host.error().advice};
    }
    if (*host) add(hosts, **host);
  }
  if (hosts.empty()) return base::Error{"read hosts", file, 0, "there are none in the file"};
  return hosts;
}

std::vector<Host> thisHost() {
  return {{"localhost", static_cast<uint32_t>(processorCount())}};
}

bool isThisHost(const std::string& name) {
  std::array<char, 256> own{};
  gethostname(own.data(), own.size() - 1);
  std::string_view whole = own.data();
  // Slurm may know a host by another name, and by a short one where it has a long one itself.
  const char* slurmName = std::getenv("SLURMD_NODENAME");
  return name == "localhost" || name == whole || name == whole.substr(0, whole.find('.')) ||
         (slurmName != nullptr && name == slurmName);
}

}  // namespace verbena::launch
