// SPDX-License-Identifier: Apache-2.0
//
// The way to one other port: a ring of packets each way, over shared memory or TCP.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "softnic/ring.h"

namespace verbena::softnic {

class DirectWindow;
struct QueuePair;

/// A message refused without a trace on a fabric, which is told to its sender
/// (PacketKind::Dropped).
struct DroppedMessage {
  uint32_t destQpn;
  uint32_t srcQpn;
  uint32_t psn;
};

/// All calls under the context's lock.
class Link {
 public:
  virtual ~Link() = default;

  /// Whether the peer has closed or died, asked of the system: not for the data path.
  virtual bool peerGone() = 0;
  /// Whether the life of the peer that this link leads to is over, so that dialling again makes
  /// another link. A dead link to a peer that lives is kept: the peer would not take a second one.
  virtual bool ended() const { return false; }
  /// Shows the peer what has been committed to `out`, and wakes it if it sleeps.
  virtual void publish() = 0;
  /// Brings what has arrived into `in`.
  virtual void receive() {}
  /// Gives consumed room of `in` back to the peer.
  virtual void release() = 0;
  /// Wakes a peer that sleeps although it has not read everything.
  virtual void remind() {}

  /// Writes `header` as a packet without a payload. False if there is no room.
  bool sendControl(const PacketHeader& header);

  RingWriter out;
  RingReader in;
  bool readable = false;  ///< `in` exists
  bool used = false;      ///< directly, since the last tick: somebody should look whether it lives
  bool dead = false;      ///< the peer is gone, or has written nonsense; what is sent vanishes
  /// Queue pairs with something to send that did not fit yet, or that has been deferred to the end
  /// of a pass over the incoming packets. Each at most once (QueuePair::pending).
  std::vector<QueuePair*> pending;
  bool urgent = false;                ///< not everything that is pending is an acknowledgement
  std::vector<DroppedMessage> drops;  ///< likewise, and bounded
  DirectWindow* direct = nullptr;     ///< the peer's memory, where it can be mapped
  ibv_gid peerGid{};
};

/// To a peer that was not there to begin with.
class DeadLink : public Link {
 public:
  DeadLink() { dead = true; }
  bool peerGone() override { return true; }
  void publish() override {}
  void release() override {}
};

}  // namespace verbena::softnic
