// SPDX-License-Identifier: Apache-2.0
#include "job/pmix.h"

#include <cerrno>
#include <charconv>
#include <sstream>

#include "job/alone.h"
#include "job/contract.h"
#include "job/joining.h"
#include "job/key_file.h"
#include "job/pmix_session.h"

namespace verbena::job {
namespace {

constexpr const char* kCardKey = "verbena.job";
constexpr const char* kVersion = "1";

/// What rank 0 puts down for the others: a word a line. Of the last, the key, there is none if all
/// have it in a file.
struct Card {
  std::string id;
  HostPort first;
  std::string key;

  std::string text() const {
    return std::string(kVersion) + "\n" + id + "\n" + first.host + "\n" +
           std::to_string(first.port) + "\n" + key + "\n";
  }

  static base::Result<Card> read(const std::string& text) {
    std::istringstream lines(text);
    Card card;
    std::string version;
    std::string port;
    bool isWhole = std::getline(lines, version) && std::getline(lines, card.id) &&
                   std::getline(lines, card.first.host) && std::getline(lines, port) &&
                   std::getline(lines, card.key);
    const char* end = port.data() + port.size();
    bool isPort = std::from_chars(port.data(), end, card.first.port).ptr == end;
    if (isWhole && version == kVersion && isPort && card.first.port != 0) return card;
    return base::Error{"read what rank 0 has put down", kCardKey, EPROTO,
                       "it is of another version"};
  }
};

/// PMIx has heard the rank's goodbye, and keeps nothing of it.
base::Error ofNoRank(base::Error why) {
  why.advice +=
      "; a rank is one program, and PMIx knows nothing of another one that it starts or "
      "that a shell runs behind it: unset PMIX_NAMESPACE and PMIX_RANK to run that alone";
  return why;
}

base::Result<Place> placeFrom(const PmixSession& session) {
  auto size = session.numberOfJob(pmix::kJobSize);
  if (!size) return size.error();
  auto localSize = session.numberOfJob(pmix::kLocalSizeOf);
  if (!localSize) return localSize.error();
  auto localRank = session.numberOfSelf(pmix::kLocalRankOf);
  if (!localRank) return ofNoRank(localRank.error());
  Place place;
  place.rank = session.rank();
  place.size = *size;
  place.localRank = *localRank;
  place.localSize = *localSize;
  bool isPlace =
      place.rank < place.size && place.localRank < place.localSize && place.localSize <= place.size;
  if (isPlace) return place;
  return base::Error{"find this process' place in its job", "PMIx", EPROTO,
                     "rank " + std::to_string(place.rank) + " of " + std::to_string(place.size) +
                         ", on its host " + std::to_string(place.localRank) + " of " +
                         std::to_string(place.localSize) + ", is none"};
}

/// Rank 0 listens before it says where.
base::Result<Membership> joinAsFirst(PmixSession& session, Place place, const std::string& key,
                                     bool handsOutKey, uint16_t port,
                                     std::chrono::nanoseconds patience) {
  auto id = freshKey();
  if (!id) return id.error();
  place.id = id->substr(0, 16);
  auto first = FirstRank::listen(partyOf(place, key, patience), {place.hostAddress, port});
  if (!first) return first.error();
  Card card{place.id, {place.hostAddress, (*first)->port()}, handsOutKey ? key : ""};
  auto met = session.put(kCardKey, card.text());
  if (met) met = session.exchange(patience);
  if (!met) {
    (*first)->abandon();
    return met.error();
  }
  return Membership{std::move(place), key, std::move(*first)};
}

base::Result<Membership> joinAsOther(PmixSession& session, Place place,
                                     const std::optional<std::string>& key,
                                     std::chrono::nanoseconds patience) {
  if (auto met = session.exchange(patience); !met) return met.error();
  auto text = session.textOf(0, kCardKey);
  if (!text) return text.error();
  auto card = Card::read(*text);
  if (!card) return card.error();
  if (key && !card->key.empty()) {
    return wrongVariable(kKeyFile, "it is set here, but not for rank 0");
  }
  if (!key && card->key.empty()) {
    return wrongVariable(kKeyFile, "it is not set here, but for rank 0");
  }
  place.id = card->id;
  return joinBy(card->first, std::move(place), key ? *key : card->key, patience);
}

}  // namespace

bool hasPmixStarted(const Variables& variables) {
  return variables("PMIX_RANK") != nullptr && variables("PMIX_NAMESPACE") != nullptr;
}

base::Result<Membership> joinPmix(const Variables& variables) {
  auto patience = patienceFrom(variables);
  if (!patience) return patience.error();
  auto port = portFrom(variables, 0);
  if (!port) return port.error();
  auto key = configuredKey(variables);
  if (!key) return key.error();
  auto session = PmixSession::begin(variables);
  if (!session) return session.error();
  auto place = placeFrom(**session);
  if (!place) return place.error();
  place->oversubscribed = isOversubscribed(*place);
  auto address = hostAddressFor(*place, variables);
  if (!address) return address.error();
  place->hostAddress = *address;
  if (place->rank != 0) return joinAsOther(**session, std::move(*place), *key, *patience);
  auto fresh = freshKey();
  if (!fresh) return fresh.error();
  return joinAsFirst(**session, std::move(*place), key->value_or(*fresh), !key->has_value(), *port,
                     *patience);
}

}  // namespace verbena::job
