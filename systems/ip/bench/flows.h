// SPDX-License-Identifier: Apache-2.0
//
// Programs with sockets, in network namespaces of this machine.
#pragma once

#include <cstdint>
#include <string>

namespace verbena::ip {

/// One end of what is measured: a namespace and the address that it has there.
struct Place {
  std::string netns;
  std::string address;  ///< of IPv4
};

struct Streamed {
  double gigabytes = 0;
  double seconds = 0;
  double processorSeconds = 0;  ///< of the whole machine
  uint64_t retransmissions = 0;

  double rate() const { return gigabytes / seconds; }
  double processorSecondsPerGib() const { return processorSeconds / (gigabytes * 1e9 / (1 << 30)); }
};

/// Connections over TCP that write as much as they can.
Streamed stream(const Place& from, const Place& to, uint32_t streams, double seconds);
/// The median time of a byte there and one back over TCP, in microseconds.
double roundTrip(const Place& from, const Place& to, uint32_t rounds);

}  // namespace verbena::ip
