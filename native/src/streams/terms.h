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

inline constexpr uint16_t kEngineVersion = 2;
/// Fewer receives than this no end offers: one for a send, one for the report that the far side
/// owes for it, and one more for the report to that (connection_pump.cpp).
inline constexpr uint32_t kLeastWindow = 3;
inline constexpr uint32_t kMostWindow = 0x3fff;

struct Terms {
  static constexpr size_t kBytes = 10;

  uint16_t version = kEngineVersion;  ///< ends that differ are not connected
  uint16_t window = 0;                ///< how many sends this end takes at first
  uint32_t maxSendBytes = 0;          ///< the largest send this end can receive
  uint16_t mostWindow = 0;            ///< how many it will take once its window has grown

  std::array<std::byte, kBytes> bytes() const;
  /// Checked before anything depends on it: EPROTO.
  static base::Result<Terms> of(connect::NodeId peer, std::span<const std::byte> bytes);
};

}  // namespace verbena::streams
