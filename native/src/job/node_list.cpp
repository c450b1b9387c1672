// SPDX-License-Identifier: Apache-2.0
#include "job/node_list.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "job/contract.h"

namespace verbena::job {
namespace {

using Names = std::vector<std::string>;

std::optional<uint32_t> numberIn(std::string_view text) {
  uint32_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (text.empty() || failure != std::errc{} || rest != end) return std::nullopt;
  return value;
}

/// At commas that are in no brackets. None if brackets are not in pairs.
std::optional<std::vector<std::string_view>> split(std::string_view list) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  bool isInside = false;
  for (size_t at = 0; at <= list.size(); at++) {
    if (at == list.size() || (list[at] == ',' && !isInside)) {
      parts.push_back(list.substr(start, at - start));
      start = at + 1;
    } else if (list[at] == (isInside ? ']' : '[')) {
      isInside = !isInside;
    } else if (list[at] == '[' || list[at] == ']') {
      return std::nullopt;
    }
  }
  if (isInside) return std::nullopt;
  return parts;
}

std::string padded(uint32_t number, size_t width) {
  std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

/// "01-03" as 01, 02, 03; "7" as it is.
std::optional<Names> expandRange(std::string_view range) {
  size_t dash = range.find('-');
  std::string_view first = range.substr(0, dash);
  std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
  auto from = numberIn(first);
  auto to = numberIn(last);
  if (!from || !to || *from > *to || *to - *from >= kMostRanks) return std::nullopt;
  Names all;
  for (uint32_t number = *from;; number++) {
    all.push_back(padded(number, first.size()));
    if (number == *to) return all;
  }
}

std::optional<Names> expandRanges(std::string_view ranges) {
  auto parts = split(ranges);
  if (!parts) return std::nullopt;
  Names all;
  for (std::string_view part : *parts) {
    auto some = expandRange(part);
    if (!some || all.size() + some->size() > kMostRanks) return std::nullopt;
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

/// One name, with as many brackets as there may be.
std::optional<Names> expandName(std::string_view name) {
  if (name.empty()) return std::nullopt;
  size_t open = name.find('[');
  if (open == std::string_view::npos) return Names{std::string(name)};
  size_t close = name.find(']', open);
  auto middles = expandRanges(name.substr(open + 1, close - open - 1));
  std::string_view behind = name.substr(close + 1);
  auto ends = behind.empty() ? Names{""} : expandName(behind);
  if (!middles || !ends || middles->size() * ends->size() > kMostRanks) return std::nullopt;
  Names all;
  for (const std::string& middle : *middles) {
    for (const std::string& end : *ends) {
      all.push_back(std::string(name.substr(0, open)) + middle + end);
    }
  }
  return all;
}

base::Error unreadable(const std::string& list) {
  return base::Error{"read a list of Slurm's", "'" + list + "'", 0,
                     "it is none, or has more than " + std::to_string(kMostRanks)};
}

}  // namespace

base::Result<Names> expandNodeList(const std::string& list) {
  auto parts = split(list);
  if (!parts) return unreadable(list);
  Names all;
  for (std::string_view part : *parts) {
    auto some = expandName(part);
    if (!some || all.size() + some->size() > kMostRanks) return unreadable(list);
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

base::Result<std::vector<uint32_t>> expandCounts(const std::string& list) {
  auto parts = split(list);
  if (!parts) return unreadable(list);
  std::vector<uint32_t> all;
  for (std::string_view part : *parts) {
    std::optional<uint32_t> times = 1;
    size_t open = part.find("(x");
    if (open != std::string_view::npos) {
      bool closes = part.back() == ')';
      times = closes ? numberIn(part.substr(open + 2, part.size() - open - 3)) : std::nullopt;
    }
    auto count = numberIn(part.substr(0, open));
    if (!count || !times || *times > kMostRanks || all.size() + *times > kMostRanks) {
      return unreadable(list);
    }
    all.insert(all.end(), *times, *count);
  }
  return all;
}

}  // namespace verbena::job
