// SPDX-License-Identifier: Apache-2.0
//
// What ranks have in common that somebody else than verbena-run has started, whoever it was.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "job/first_rank.h"
#include "job/membership.h"
#include "job/sockets.h"

namespace verbena::job {

/// The key in the file that VERBENA_CLUSTER_KEY_FILE names; none if it names none.
base::Result<std::optional<std::string>> configuredKey(const Variables& variables);
/// The same, and if none is named an error that says who has started this process.
base::Result<std::string> neededKey(const Variables& variables, const char* starter);

/// A job's name for whatever text tells it from others: 16 hexadecimal digits, which a cluster of
/// nodes may be called.
std::string jobNameFor(const std::string& text);
/// How long the ranks wait for each other while they start.
base::Result<std::chrono::nanoseconds> patienceFrom(const Variables& variables);
/// Where rank 0 listens, unless that is left to others.
base::Result<uint16_t> portFrom(const Variables& variables, uint16_t otherwise);
/// 127.0.0.1 if all ranks are on one host.
base::Result<std::string> hostAddressFor(const Place& place, const Variables& variables);
/// Whether a host has more ranks than processors. `mostProcessors`: how many of them may be used.
bool isOversubscribed(const Place& place, uint32_t mostProcessors = UINT32_MAX);

/// As the only rank there is, which needs no key; it has the one of the file, if that is named.
base::Result<Membership> joinAsTheOnlyRank(Place place, const Variables& variables);
Party partyOf(const Place& place, const std::string& key, std::chrono::nanoseconds patience);
/// By rank 0, which is at `first`; rank 0 itself listens there.
base::Result<Membership> joinBy(const HostPort& first, Place place, std::string key,
                                std::chrono::nanoseconds patience);

/// Where nobody hands out a key or says where rank 0 listens: the key is in a file, and rank 0
/// where `placeOfFirst` says. `starter` is named in an error.
base::Result<Membership> joinWithoutStore(
    Place place, const Variables& variables, const char* starter,
    base::Result<HostPort> (*placeOfFirst)(const Place& place, const Variables& variables));

}  // namespace verbena::job
