// SPDX-License-Identifier: Apache-2.0
//
// The way to one other port: a ring of packets each way, over shared memory or TCP.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "softnic/wire/ring.h"

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

/// What still goes over a link.
enum class LinkState : uint8_t {
  Opening,  // to the peer only: it has not shown us its ring yet
  Open,     // both ways
  Ending,   // from the peer only: it has closed or died, and what it had sent is still read
  Dead,     // nothing: that has been read, or the peer has written nonsense
};

/// All calls under the port's lock.
class Link {
 public:
  virtual ~Link() = default;

  /// Whether the peer has closed or died, asked of the system: not for the data path.
  virtual bool peerGone() = 0;
  /// Finds the peer's ring to us if it has shown one, which makes the link Open. False if there was
  /// nothing left to open it with: it is to be tried again.
  virtual bool openInbound() { return true; }
  /// Whether nothing follows what lies in `in`, now that the peer is gone.
  virtual bool inputOver() const { return true; }
  /// Whether the life of the peer that this link leads to is over, so that dialling again makes
  /// another link. A dead link to a peer that lives is kept: the peer would not take a second one.
  virtual bool ended() const { return false; }
  /// Shows the peer what has been committed to `out`, and wakes it if it sleeps.
  virtual void publish() = 0;
  /// A large packet of several is committed. Shows it to a peer that can begin with it while we
  /// write the next; a link may leave that to publish(), which follows.
  virtual void publishPart() { publish(); }
  /// Brings what has arrived into `in`.
  virtual void receive() {}
  /// Gives consumed room of `in` back to the peer.
  virtual void release() = 0;
  /// Wakes a peer that sleeps although it has not read everything.
  virtual void remind() {}
  /// Wakes a peer that sleeps.
  virtual void wakePeer() {}
  /// Whether the peer, or the system on the way to it, has not taken all that was published.
  virtual bool outputWaits() const { return out.unread(); }
  /// Whether the peer is known to be somebody who may write into memory that is open: a
  /// process of this user, or one that has proved that it has the cluster's key.
  virtual bool mayWrite() const { return true; }
  /// Why the peer is gone, as the vendor_err of what fails with it (verbs/wiring.h); 0: no more is
  /// known.
  virtual uint32_t hindrance() const { return 0; }

  /// Writes `header` as a packet without a payload. False if there is no room.
  bool sendControl(const PacketHeader& header);

  /// Otherwise what is sent vanishes.
  bool canSend() const { return state == LinkState::Opening || state == LinkState::Open; }
  /// Otherwise there is nothing in `in`, or nothing that may be believed.
  bool canReceive() const { return state == LinkState::Open || state == LinkState::Ending; }
  /// The peer has closed or died.
  void peerLeft();
  /// The link is Ending from here on.
  virtual void beginEnd() {}
  /// Ends what Ending left, once everything has been read.
  void endIfRead();

  LinkState state = LinkState::Opening;
  RingWriter out;
  RingReader in;      ///< from Open on
  bool used = false;  ///< directly, since the last tick: somebody should look whether it lives
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
  DeadLink() { state = LinkState::Dead; }
  bool peerGone() override { return true; }
  void publish() override {}
  void release() override {}
};

}  // namespace verbena::softnic
