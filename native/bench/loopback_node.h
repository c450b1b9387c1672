// SPDX-License-Identifier: Apache-2.0
//
// One of the processes: an engine with a connection manager, streams to all other nodes, and the
// line to the process that started it.
#pragma once

#include <cstdint>

#include "loopback_options.h"

namespace verbena::loopback {

inline constexpr size_t kAddressBytes = 64;
inline constexpr size_t kMaxPhases = 8;

/// Where a node is reached, as text that ends with 0.
struct Address {
  char text[kAddressBytes];
};

/// What a node did in one phase.
struct PhaseResult {
  double seconds;
  uint64_t sends, sentBytes, arrivedBytes, reports, rounds, busyRounds;
  uint64_t trips, tripP50Ns, tripP99Ns;  ///< 0 but where round trips are measured
};

/// The conversation on the line: the node tells its Address; hears those of all; tells 'c' when it
/// is connected; hears when to start, in nanoseconds of the steady clock; tells its PhaseResults;
/// hears 'b' when everybody has. Returns the process's exit status.
int runNode(const Options& options, uint16_t self, int line);

[[noreturn]] void die(const char* what);
void tell(int line, const void* bytes, size_t count);
void hear(int line, void* bytes, size_t count);

}  // namespace verbena::loopback
