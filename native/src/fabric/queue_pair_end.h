// SPDX-License-Identifier: Apache-2.0
//
// One end of a link as the other end has to know it, and its bytes (docs/protocol.md, "Over
// verbs"): the queue pair first, then what the link's service says of its end.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "connect/link.h"

namespace verbena::fabric {

struct QueuePairEnd {
  static constexpr size_t kBytes = 28;

  uint32_t qpNum = 0;          ///< 24 bits
  uint32_t sendPsn = 0;        ///< 24 bits, random
  ibv_gid gid{};               ///< all zero when addressed by LID
  uint16_t lid = 0;            ///< 0 on RoCE
  uint8_t mtu = IBV_MTU_1024;  ///< the most this end can take; the smaller of both is used
  uint8_t maxReadsServed = 0;  ///< READs and atomics this end serves at a time

  connect::LinkEnd with(std::span<const std::byte> terms) const;
  /// What a service says of its end; nothing if the bytes are too few.
  static std::span<const std::byte> termsOf(const connect::LinkEnd& end);
  /// What an end says of itself is checked before anything depends on it: EPROTO.
  static base::Result<QueuePairEnd> of(connect::NodeId peer, const connect::LinkEnd& end);
};

/// The error of an end that does not make sense.
base::Error refusedEnd(connect::NodeId peer, const std::string& reason);

}  // namespace verbena::fabric
