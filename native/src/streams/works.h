// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <memory>

#include "fabric/interests.h"
#include "streams/counters.h"
#include "streams/open_port.h"
#include "streams/waiter.h"

namespace verbena::streams {

/// What all connections of an engine have in common.
struct Works {
  Works(const EngineOptions& chosen, OpenPort opened, Registered outgoing)
      : options(chosen),
        port(std::move(opened)),
        outgoingMemory(std::move(outgoing)),
        interests(chosen.maxConnections) {}

  /// The connection at a place is to be pumped; whoever sleeps gets up for it.
  void showInterest(uint32_t place) {
    if (interests.show(place)) waiter->wakeIfArmed();
  }

  /// Places for what belongs to one send each: for the whole send queue, and a power of two.
  static uint64_t sendPlaces(const EngineOptions& options) {
    return std::bit_ceil(uint64_t{options.sendWorkRequests} + 1);
  }
  /// One header for each of these places, and the control ring.
  static uint64_t outgoingBytes(const EngineOptions& options) {
    uint64_t headers = sendPlaces(options) * kHeaderBytes;
    return (headers + 63) / 64 * 64 + options.controlRingBytes;
  }
  std::byte* outgoing(uint32_t place) const {
    return outgoingMemory.start() + place * outgoingBytes(options);
  }

  static constexpr uint64_t kHeaderBytes = 16;

  const EngineOptions options;
  OpenPort port;
  Registered outgoingMemory;  // of all places, one registration
  std::unique_ptr<Waiter> waiter;
  fabric::Interests interests;
  Counters counters;
  /// Sends that will report their completion. While there are none the send queue is not polled.
  std::atomic<uint64_t> signalled{0};
};

}  // namespace verbena::streams
