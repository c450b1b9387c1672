// SPDX-License-Identifier: Apache-2.0
#include "job/surroundings.h"

#include <unistd.h>

#include <charconv>
#include <cstring>
#include <string_view>

#include "job/contract.h"

namespace verbena::job {
namespace {

base::Error wrong(const char* name, const std::string& advice) {
  return base::Error{"find this process' place in its job", name, 0, advice};
}

base::Result<uint32_t> number(const Variables& variables, const char* name, uint32_t least,
                              uint32_t most) {
  const char* text = variables(name);
  if (text == nullptr) return wrong(name, "it is not set, but others of a job are");
  uint32_t value = 0;
  const char* end = text + std::strlen(text);
  auto [rest, failure] = std::from_chars(text, end, value);
  if (failure != std::errc{} || rest != end || value < least || value > most) {
    return wrong(name, "'" + std::string(text) + "' is not between " + std::to_string(least) +
                           " and " + std::to_string(most));
  }
  return value;
}

base::Result<std::string> text(const Variables& variables, const char* name) {
  const char* value = variables(name);
  if (value == nullptr || *value == '\0')
    return wrong(name, "it is not set, but others of a job are");
  return std::string(value);
}

Place alone() {
  Place place;
  place.id = "alone-" + std::to_string(getpid());
  place.hostAddress = "127.0.0.1";
  return place;
}

}  // namespace

base::Result<Place> placeFrom(const Variables& variables) {
  if (variables(kRank) == nullptr && variables(kFolder) == nullptr) return alone();
  Place place;
  auto size = number(variables, kSize, 1, kMostRanks);
  if (!size) return size.error();
  auto rank = number(variables, kRank, 0, *size - 1);
  if (!rank) return rank.error();
  auto localSize = number(variables, kLocalSize, 1, *size);
  if (!localSize) return localSize.error();
  auto localRank = number(variables, kLocalRank, 0, *localSize - 1);
  if (!localRank) return localRank.error();
  auto oversubscribed = number(variables, kOversubscribed, 0, 1);
  if (!oversubscribed) return oversubscribed.error();
  place.size = *size;
  place.rank = *rank;
  place.localSize = *localSize;
  place.localRank = *localRank;
  place.oversubscribed = *oversubscribed != 0;
  for (auto [name, into] :
       {std::pair{kId, &place.id}, std::pair{kHostAddress, &place.hostAddress},
        std::pair{kFolder, &place.folder}, std::pair{kKeyFile, &place.keyFile}}) {
    auto value = text(variables, name);
    if (!value) return value.error();
    *into = *value;
  }
  return place;
}

}  // namespace verbena::job
