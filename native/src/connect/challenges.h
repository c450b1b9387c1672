// SPDX-License-Identifier: Apache-2.0
//
// The accepting side's nonces. They are functions of what the dialling side has to show again, so a
// HELLO costs no memory, and a replayed or forged one nothing else.
#pragma once

#include <chrono>
#include <span>

#include "connect/address.h"
#include "connect/packet.h"

namespace verbena::connect {

/// Since an arbitrary beginning; never goes back.
using Time = std::chrono::nanoseconds;

/// What a nonce is given for.
struct Asked {
  Address from;
  NodeId peer;
  uint64_t incarnation;
  Nonce dialler;
  /// Sessions made with the peer so far: a nonce from before the latest is void, so that an old
  /// OFFER cannot make a session once more.
  uint64_t generation;
};

class Challenges {
 public:
  /// No nonce is good for longer.
  static constexpr Time kLongestValid = std::chrono::seconds(10);

  explicit Challenges(std::span<const std::byte> secret) : key_(secret) {}

  Nonce nonce(const Asked& asked, Time now) const;
  /// Whether it was given for this within the last 5 to 10 seconds.
  bool valid(const Nonce& nonce, const Asked& asked, Time now) const;

 private:
  Nonce inBucket(const Asked& asked, uint64_t bucket) const;

  Hmac key_;
};

}  // namespace verbena::connect
