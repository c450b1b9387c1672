// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace verbena::connect {

/// Counters since the start, readable at any time.
struct ManagerCounters {
  uint64_t packetsReceived, packetsSent, packetsRepeated;
  uint64_t rejectedLength, rejectedProtocol, rejectedKey, rejectedIdentity, rejectedStale;
  uint64_t linksMade;
  uint64_t linksLost;  ///< were up and went down, for whatever reason
};

/// One counter: the job thread adds, any thread reads. Relaxed, as nothing is inferred from one
/// counter about other memory.
class Count {
 public:
  void operator++() { value_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t read() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

struct Counts {
  Count packetsReceived, packetsSent, packetsRepeated;
  Count rejectedLength, rejectedProtocol, rejectedKey, rejectedIdentity, rejectedStale;
  Count linksMade, linksLost;

  ManagerCounters read() const {
    return {packetsReceived.read(),  packetsSent.read(),      packetsRepeated.read(),
            rejectedLength.read(),   rejectedProtocol.read(), rejectedKey.read(),
            rejectedIdentity.read(), rejectedStale.read(),    linksMade.read(),
            linksLost.read()};
  }
};

}  // namespace verbena::connect
