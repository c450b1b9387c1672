// SPDX-License-Identifier: Apache-2.0
//
// A link to a port of another host, or another network namespace, over TCP.
//
// Each direction has a connection of its own, dialled by its sender, so two ports that dial each
// other at the same time get what they want. A connection begins with a handshake (handshake.h);
// after it, it carries the bytes of the sender's ring exactly as they lie there, padding included,
// so both ends have the same ring at the same positions and everything above works as in shared
// memory. Connections may be cut and made again while the link goes on.
#pragma once

#include <cstdint>
#include <memory>

#include "softnic/wire/link.h"
#include "softnic/wire/tcp_outbound.h"

namespace verbena::softnic {

class TcpLink : public Link {
 public:
  /// Begins to dial the port in `slot` at `gid`. Null and errno on failure.
  static std::unique_ptr<TcpLink> dial(TcpTerms& terms, const ibv_gid& gid, uint32_t slot);

  uint32_t slot() const { return slot_; }
  /// The peer's connection to us, with which both have proved themselves; its bytes go on at
  /// received(). It replaces the one before.
  void accept(base::FileDescriptor socket, uint64_t incarnation);
  /// Whether there has been one.
  bool accepted() const { return inRing_ != nullptr; }
  /// Bytes that have come over all of them.
  uint64_t received() const { return received_; }
  /// Of the peer; 0 as long as it is not known.
  uint64_t incarnation() const { return outbound_.incarnation(); }
  /// Whether the peer's connection is not there, or has come to its end.
  bool inboundIsCut() const { return !inbound_ || hungUp(inbound_); }
  /// Whether nobody knows if the life of the peer that it leads to goes on.
  bool isInDoubt() const { return outbound_.isInDoubt(); }

  bool peerGone() override { return !canSend(); }
  bool inputOver() const override { return !inbound_; }
  bool ended() const override { return state == LinkState::Dead; }
  bool outputWaits() const override { return outbound_.waits(); }
  bool mayWrite() const override { return proven_; }
  uint32_t hindrance() const override;
  void publish() override;
  void publishPart() override;
  void receive() override;
  void release() override { in.release(); }
  void remind() override;
  void beginEnd() override;

  Outbound& outbound() { return outbound_; }
  const Outbound& outbound() const { return outbound_; }
  int inboundFd() const { return inbound_.get(); }
  /// Whether it is of use to look at the peer's connection.
  bool awaitsInput() const { return inbound_ && canReceive() && room() != 0; }
  /// Whether something is to be done that no socket tells.
  bool isRestless() const;
  /// Does what is due: goes on dialling, finds out whether the peer is gone; if so, what it has
  /// sent has as long to arrive as a host may be silent.
  void attend(uint64_t now);

 private:
  TcpLink(TcpTerms& terms, const ibv_gid& gid, uint32_t slot);
  uint64_t room() const;
  bool admit();
  void report();
  void cutInbound();

  TcpTerms& terms_;
  uint32_t slot_;
  Outbound outbound_;
  bool proven_ = false;  // the peer has proved that it has the cluster's key
  base::FileDescriptor inbound_;
  std::unique_ptr<RingMemory> inRing_;
  uint64_t cutSinceNs_ = 0;  // the peer's connection has been, 0: it is there, or never was
  uint64_t endsAtNs_ = 0;    // Ending does
  uint64_t received_ = 0;    // bytes in the inbound ring, the last packet perhaps incomplete
  uint64_t reported_ = 0;    // of them
};

}  // namespace verbena::softnic
