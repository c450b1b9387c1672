// SPDX-License-Identifier: Apache-2.0
//
// What an end of a connection says of itself besides its queue pair (docs/protocol.md, "Over
// verbs").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "connect/link.h"

namespace verbena::streams {

inline constexpr uint16_t kEngineVersion = 1;

struct Terms {
  static constexpr size_t kBytes = 8;

  uint16_t version = kEngineVersion;  ///< ends that differ are not connected
  uint16_t window = 0;                ///< how many sends this end takes before it reports
  uint32_t maxSendBytes = 0;          ///< the largest send this end can receive

  std::array<std::byte, kBytes> bytes() const;
  /// Checked before anything depends on it: EPROTO.
  static base::Result<Terms> of(connect::NodeId peer, std::span<const std::byte> bytes);
};

}  // namespace verbena::streams
