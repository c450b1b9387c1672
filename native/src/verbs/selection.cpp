// SPDX-License-Identifier: Apache-2.0
//
// Which port of all devices.
#include "verbs/selection.h"

#include <cerrno>
#include <cstdio>

namespace verbena::verbs {
namespace {

std::string rateText(double gigabits) {
  char text[32];
  std::snprintf(text, sizeof text, "%g Gb/s", gigabits);
  return text;
}

bool isMeant(const Device& device, const std::string& name) {
  return name.empty() || device.name() == name || device.provider().name == name;
}

/// What the search has come across.
struct Search {
  std::vector<Selection> usable;
  std::vector<std::string> hindrances;
  bool deviceExists = false;
};

std::string portsOf(const DeviceSurvey& device) {
  unsigned count = device.limits.phys_port_cnt;
  return count == 1 ? "its only port is 1" : "its ports are 1 to " + std::to_string(count);
}

void searchPorts(Search& search, const DeviceSurvey& device, const Wishes& wishes) {
  bool portExists = false;
  for (const PortSurvey& port : device.ports) {
    if (wishes.port && *wishes.port != port.number) continue;
    portExists = true;
    base::Result<Selection> selected = selectOn(device, port, wishes);
    if (selected) {
      search.usable.push_back(std::move(*selected));
    } else {
      search.hindrances.push_back(selected.error().sentence());
    }
  }
  if (wishes.port && !portExists && !device.trouble) {
    search.hindrances.push_back(device.device.name() + " has no port " +
                                std::to_string(*wishes.port) + ", " + portsOf(device));
  }
}

Search searchAll(const Survey& found, const Wishes& wishes) {
  Search search;
  for (const DeviceSurvey& device : found.devices) {
    if (!isMeant(device.device, wishes.device)) continue;
    search.deviceExists = true;
    if (device.trouble) search.hindrances.push_back(device.trouble->sentence());
    searchPorts(search, device, wishes);
  }
  return search;
}

/// The providers come in the order of preference, so a later one never wins by its rate.
const Selection& best(const std::vector<Selection>& usable) {
  const Selection* best = &usable.front();
  for (const Selection& candidate : usable) {
    bool sameProvider = &candidate.device.provider() == &best->device.provider();
    if (sameProvider && candidate.gigabitsPerSecond > best->gigabitsPerSecond) best = &candidate;
  }
  return *best;
}

std::string reasonOf(const Selection& chosen, const std::vector<Selection>& usable,
                     const Wishes& wishes) {
  std::string is = chosen.device.name() + " port " + std::to_string(chosen.port) + ": ";
  bool asked = !wishes.device.empty();
  if (usable.size() == 1) return is + (asked ? "as asked" : "the only usable port");
  return is + "the fastest (" + rateText(chosen.gigabitsPerSecond) + ") of the " +
         std::to_string(usable.size()) + " usable ports, devices of the kernel before softnic";
}

std::string join(const std::vector<std::string>& sentences) {
  std::string joined;
  for (const std::string& sentence : sentences) joined += (joined.empty() ? "" : ". ") + sentence;
  return joined;
}

std::string noneUsable(const Survey& found, const Wishes& wishes, const Search& search) {
  if (!wishes.device.empty() && !search.deviceExists) {
    std::string names;
    for (const DeviceSurvey& device : found.devices) {
      names += (names.empty() ? "" : ", ") + device.device.name();
    }
    std::vector<std::string> sentences = {"there is no device '" + wishes.device + "', " +
                                          (names.empty() ? "nor any other" : "there are " + names)};
    for (const base::Error& trouble : found.troubles) sentences.push_back(trouble.sentence());
    return join(sentences);
  }
  std::vector<std::string> sentences = search.hindrances;
  if (wishes.device.empty()) {
    for (const base::Error& trouble : found.troubles) sentences.push_back(trouble.sentence());
  }
  return sentences.empty() ? "there is none" : join(sentences);
}

}  // namespace

base::Result<Selection> select(const Survey& found, const Wishes& wishes) {
  Search search = searchAll(found, wishes);
  if (search.usable.empty()) {
    return base::Error{"choose a verbs device", "", ENODEV, noneUsable(found, wishes, search)};
  }
  Selection chosen = best(search.usable);
  chosen.reasons.insert(chosen.reasons.begin(), reasonOf(chosen, search.usable, wishes));
  for (std::string& hindrance : search.hindrances) {
    chosen.reasons.push_back("passed over: " + std::move(hindrance));
  }
  return chosen;
}

}  // namespace verbena::verbs
