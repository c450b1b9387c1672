// SPDX-License-Identifier: Apache-2.0
//
// What the connection manager needs of whoever owns the queue pairs, and the other way round. The
// manager knows addresses, lives and time; the owner (an engine) knows verbs. Neither includes the
// other's headers but this one.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>

#include "base/result.h"

namespace verbena::connect {

/// Unsigned 16-bit id of a node.
using NodeId = uint16_t;

/// One connection of one owner, for as long as it is not closed; never used again afterwards.
using ConnectionId = uint64_t;

/// One end of a reliable connection, as the other end has to know it.
struct QueuePairEnd {
  uint32_t qpNum = 0;
  uint32_t sendPsn = 0;        ///< 24 bits, random
  ibv_gid gid{};               ///< all zero when addressed by LID
  uint16_t lid = 0;            ///< 0 on RoCE
  uint8_t mtu = IBV_MTU_1024;  ///< the most this end can take; the smaller of both is used
  uint8_t maxReadsServed = 0;  ///< READs and atomics this end serves at a time
  uint16_t engineVersion = 0;  ///< what the owner speaks; ends that differ are not connected
  uint16_t window = 0;         ///< how many sends this end takes before it reports
  uint32_t maxSendBytes = 0;   ///< the largest send this end can receive

  friend bool operator==(const QueuePairEnd& a, const QueuePairEnd& b) {
    auto rest = [](const QueuePairEnd& end) {
      return std::tie(end.qpNum, end.sendPsn, end.lid, end.mtu, end.maxReadsServed,
                      end.engineVersion, end.window, end.maxSendBytes);
    };
    return std::memcmp(a.gid.raw, b.gid.raw, sizeof a.gid.raw) == 0 && rest(a) == rest(b);
  }
};

/// The owner of queue pairs. All calls come from the manager's job thread; none blocks.
class QueuePairs {
 public:
  virtual ~QueuePairs() = default;

  /// A new queue pair that can be told its far end. The error's sentence reaches the user.
  virtual base::Result<QueuePairEnd> create(ConnectionId id, NodeId peer) = 0;
  /// The far end is known: from here on what it sends is received. Nothing is sent yet.
  virtual base::Result<void> connect(ConnectionId id, const QueuePairEnd& far) = 0;
  /// The far end receives: sending may begin.
  virtual void ready(ConnectionId id) = 0;
  /// Begins to take the connection down, in whichever state it is. When nothing of it is under way
  /// any more and its queue pair is gone the owner calls Lifecycle::closed, exactly once.
  virtual void close(ConnectionId id, const std::string& reason) = 0;
};

/// What the owner tells the manager. Any thread; does not block.
class Lifecycle {
 public:
  virtual ~Lifecycle() = default;
  /// The connection cannot be used any more (a failed completion, nonsense from the far side, a
  /// device that has gone). QueuePairs::close follows.
  virtual void failed(ConnectionId id, const std::string& reason) = 0;
  /// Its queue pair is gone.
  virtual void closed(ConnectionId id) = 0;
};

}  // namespace verbena::connect
