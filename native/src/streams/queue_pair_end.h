// SPDX-License-Identifier: Apache-2.0
//
// One end of a connection as the other end has to know it, and its bytes (docs/protocol.md, "Over
// verbs").
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>

#include "base/result.h"
#include "connect/link.h"

namespace verbena::streams {

inline constexpr uint16_t kEngineVersion = 1;

struct QueuePairEnd {
  uint32_t qpNum = 0;          ///< 24 bits
  uint32_t sendPsn = 0;        ///< 24 bits, random
  ibv_gid gid{};               ///< all zero when addressed by LID
  uint16_t lid = 0;            ///< 0 on RoCE
  uint8_t mtu = IBV_MTU_1024;  ///< the most this end can take; the smaller of both is used
  uint8_t maxReadsServed = 0;  ///< READs and atomics this end serves at a time
  uint16_t engineVersion = kEngineVersion;  ///< ends that differ are not connected
  uint16_t window = 0;                      ///< how many sends this end takes before it reports
  uint32_t maxSendBytes = 0;                ///< the largest send this end can receive

  connect::LinkEnd bytes() const;
  /// What an end says of itself is checked before anything depends on it: EPROTO.
  static base::Result<QueuePairEnd> of(connect::NodeId peer, const connect::LinkEnd& bytes);
};

}  // namespace verbena::streams
