// SPDX-License-Identifier: Apache-2.0
#include "job/joining.h"

#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/sha256.h"
#include "host/processor_quota.h"
#include "job/alone.h"
#include "job/contract.h"
#include "job/host_address.h"
#include "job/key_file.h"
#include "job/other_rank.h"

namespace verbena::job {
namespace {

constexpr uint32_t kPatienceSeconds = 60;
constexpr uint32_t kMostSeconds = 24 * 3600;

}  // namespace

base::Result<std::optional<std::string>> configuredKey(const Variables& variables) {
  const char* file = variables(kKeyFile);
  if (file == nullptr || *file == '\0') return std::optional<std::string>();
  auto key = readKeyFile(file);
  if (!key) return key.error();
  return std::optional<std::string>(std::move(*key));
}

base::Result<std::string> neededKey(const Variables& variables, const char* starter) {
  auto key = configuredKey(variables);
  if (!key) return key.error();
  if (*key) return std::move(**key);
  return wrongVariable(kKeyFile, std::string(starter) +
                                     " hands out no key: name a file that has one, the same for "
                                     "all ranks, and that only its user can read");
}

std::string jobNameFor(const std::string& text) {
  base::Digest digest = base::sha256(std::as_bytes(std::span(text)));
  std::string name;
  for (std::byte each : std::span(digest).first(8)) {
    name += "0123456789abcdef"[std::to_integer<unsigned>(each) >> 4];
    name += "0123456789abcdef"[std::to_integer<unsigned>(each) & 15];
  }
  return name;
}

base::Result<std::chrono::nanoseconds> patienceFrom(const Variables& variables) {
  uint32_t seconds = kPatienceSeconds;
  if (variables(kStartTimeout) != nullptr) {
    auto given = numberOf(variables, kStartTimeout, 1, kMostSeconds);
    if (!given) return given.error();
    seconds = *given;
  }
  return std::chrono::nanoseconds(std::chrono::seconds(seconds));
}

base::Result<uint16_t> portFrom(const Variables& variables, uint16_t otherwise) {
  if (variables(kPort) == nullptr) return otherwise;
  auto given = numberOf(variables, kPort, 1, UINT16_MAX);
  if (!given) return given.error();
  return static_cast<uint16_t>(*given);
}

base::Result<std::string> hostAddressFor(const Place& place, const Variables& variables) {
  const char* wanted = variables(kInterface);
  bool isWanted = wanted != nullptr && *wanted != '\0';
  if (place.localSize == place.size && !isWanted) return std::string("127.0.0.1");
  return hostAddress(isWanted ? wanted : "", nullptr);
}

bool isOversubscribed(const Place& place, uint32_t mostProcessors) {
  auto online = static_cast<size_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
  return place.localSize > std::min({online, host::processorQuota(), size_t{mostProcessors}});
}

base::Result<Membership> joinAsTheOnlyRank(Place place, const Variables& variables) {
  auto key = configuredKey(variables);
  if (!key) return key.error();
  return Membership{std::move(place), key->value_or(""), alone()};
}

Party partyOf(const Place& place, const std::string& key, std::chrono::nanoseconds patience) {
  return {place.id, place.rank, place.size, key, patience};
}

base::Result<Membership> joinBy(const HostPort& first, Place place, std::string key,
                                std::chrono::nanoseconds patience) {
  Party party = partyOf(place, key, patience);
  Membership membership{std::move(place), std::move(key), nullptr};
  if (party.rank == 0) {
    auto rank = FirstRank::listen(party, first);
    if (!rank) return rank.error();
    membership.bootstrap = std::move(*rank);
  } else {
    auto rank = OtherRank::join(party, first);
    if (!rank) return rank.error();
    membership.bootstrap = std::move(*rank);
  }
  return membership;
}

base::Result<Membership> joinWithoutStore(
    Place place, const Variables& variables, const char* starter,
    base::Result<HostPort> (*placeOfFirst)(const Place& place, const Variables& variables)) {
  auto address = hostAddressFor(place, variables);
  if (!address) return address.error();
  place.hostAddress = *address;
  if (place.size == 1) return joinAsTheOnlyRank(std::move(place), variables);
  auto key = neededKey(variables, starter);
  if (!key) return key.error();
  auto patience = patienceFrom(variables);
  if (!patience) return patience.error();
  auto first = placeOfFirst(place, variables);
  if (!first) return first.error();
  return joinBy(*first, std::move(place), std::move(*key), *patience);
}

}  // namespace verbena::job
