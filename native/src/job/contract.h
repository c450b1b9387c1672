// SPDX-License-Identifier: Apache-2.0
//
// What a launcher and its ranks agree on (docs/launch.md, "The contract"): names of variables and
// of files in the job's folder.
#pragma once

#include <cstddef>
#include <cstdint>

namespace verbena::job {

inline constexpr const char* kRank = "VERBENA_JOB_RANK";
inline constexpr const char* kSize = "VERBENA_JOB_SIZE";
inline constexpr const char* kLocalRank = "VERBENA_JOB_LOCAL_RANK";
inline constexpr const char* kLocalSize = "VERBENA_JOB_LOCAL_SIZE";
inline constexpr const char* kId = "VERBENA_JOB_ID";
inline constexpr const char* kOversubscribed = "VERBENA_JOB_OVERSUBSCRIBED";
/// The address of its host that a rank is to listen at, so that all others reach it.
inline constexpr const char* kHostAddress = "VERBENA_JOB_HOST_ADDRESS";
/// Holds what the ranks of a host share: the table, and the socket to publish at.
inline constexpr const char* kFolder = "VERBENA_JOB_FOLDER";
/// Also what nodes know as their key `cluster.key.file`.
inline constexpr const char* kKeyFile = "VERBENA_CLUSTER_KEY_FILE";

// What somebody else than verbena-run may be told, or asked to tell.

/// Where rank 0 listens for the others.
inline constexpr const char* kPort = "VERBENA_JOB_PORT";
/// The name of an interface, or a network, in which ranks are to listen.
inline constexpr const char* kInterface = "VERBENA_JOB_INTERFACE";
/// The names of the ranks' hosts; "{}" in it stands for a rank's number.
inline constexpr const char* kHosts = "VERBENA_JOB_HOSTS";
/// How many seconds ranks wait for each other while they start.
inline constexpr const char* kStartTimeout = "VERBENA_JOB_START_TIMEOUT";
/// The file that is libpmix.
inline constexpr const char* kPmixLibrary = "VERBENA_JOB_PMIX";

inline constexpr const char* kTableName = "table";
inline constexpr const char* kSocketName = "socket";
inline constexpr const char* kKeyName = "key";

inline constexpr uint32_t kMostRanks = 65'536;
/// Of one address.
inline constexpr size_t kMostBytes = 496;

}  // namespace verbena::job
