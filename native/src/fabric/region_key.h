// SPDX-License-Identifier: Apache-2.0
//
// What lets others operate on a part of a region: small enough for any message. Whoever has it and
// a link with its owner may do what it allows, with exactly the bytes it names (docs/fabric.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "connect/link.h"

namespace verbena::fabric {

/// What a key allows; they add up.
enum Access : uint8_t {
  kRemoteGet = 1,
  kRemotePut = 2,
  kRemoteAtomic = 4,
  kAllAccess = kRemoteGet | kRemotePut | kRemoteAtomic,
};

struct RegionKey {
  static constexpr size_t kBytes = 36;
  static constexpr uint8_t kVersion = 1;

  uint8_t access = 0;  ///< of Access
  connect::NodeId owner = 0;
  uint64_t incarnation = 0;  ///< which of the owner's lives; of another one the key does not work
  uint64_t address = 0;      ///< at the owner
  uint64_t length = 0;       ///< in bytes
  uint32_t rkey = 0;
  /// Peers of the owner's host find it among what the owner lends until it is revoked.
  bool lent = false;

  /// On the wire: version, access, whether it is lent, a zero, owner, incarnation, address, length,
  /// rkey; little-endian.
  std::array<std::byte, kBytes> bytes() const;
  /// EPROTO if these are no key of a version that is known. Whether it works is known when it is
  /// used: nothing in it is believed but by its owner's device.
  static base::Result<RegionKey> of(std::span<const std::byte> bytes);

  friend bool operator==(const RegionKey&, const RegionKey&) = default;
};

}  // namespace verbena::fabric
