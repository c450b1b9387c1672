// SPDX-License-Identifier: Apache-2.0
//
// A link to a port of another host, or another network namespace, over TCP.
//
// Each direction has a connection of its own, dialled by its sender, so two ports that dial each
// other at the same time get what they want. A connection begins with a Hello; after it, it carries
// the bytes of the sender's ring exactly as they lie there, padding included, so both ends have the
// same ring at the same positions and everything above works as in shared memory.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "host/shared_file.h"
#include "softnic/wire/link.h"

namespace verbena::softnic {

inline constexpr uint64_t kHelloMagic = 0x314f'4c4c'4548'4e56;  // "VNHELLO1"

/// Who dials. In the byte order of packets; the GID as in verbs.
struct Hello {
  uint64_t magic;
  uint64_t incarnation;
  uint32_t slot;
  uint32_t reserved;
  ibv_gid gid;
};
static_assert(sizeof(Hello) == 40);

/// Where a port listens: VERBENA_SOFTNIC_TCP=ADDRESS[:BASE], port BASE + slot. A socket address of
/// IPv6, or of IPv4 as a mapped one.
struct TcpPlace {
  in6_addr address{};
  uint16_t basePort = 0;

  /// Nothing if the variable is not set; `valid` is false if it says nothing usable.
  static std::optional<TcpPlace> fromEnvironment(bool& valid);
  ibv_gid gid() const;
};

/// A listening socket. Empty and errno on failure.
base::FileDescriptor listenAt(const TcpPlace& place, uint32_t slot);

/// Whether the far side has closed the connection, or it is broken; bytes may still be unread.
bool hungUp(const base::FileDescriptor& socket);

class TcpLink : public Link {
 public:
  /// Begins to dial the port in `slot` at `gid`. Null and errno on failure.
  static std::unique_ptr<TcpLink> dial(const Hello& own, const ibv_gid& gid, uint32_t slot,
                                       uint16_t basePort);

  uint32_t slot() const { return slot_; }
  /// The peer's connection to us, whose Hello has been read.
  void accept(base::FileDescriptor socket, uint64_t incarnation);
  bool accepted() const { return static_cast<bool>(inbound_); }
  uint64_t incarnation() const { return incarnation_; }

  bool peerGone() override { return !canSend(); }
  bool inputOver() const override { return inputOver_; }
  bool ended() const override { return state == LinkState::Dead; }
  void publish() override;
  void receive() override;
  void release() override { in.release(); }
  void remind() override { drain(); }

  int outboundFd() const { return outbound_.get(); }
  int inboundFd() const { return inbound_.get(); }
  /// Whether bytes wait for the socket to take them.
  bool outputWaits() const { return helloLeft_ != 0 || out.unread(); }
  /// Whether it is of use to look at the peer's connection.
  bool awaitsInput() const { return accepted() && !inputOver_ && room() != 0; }
  /// Looks whether the peer has closed one of the connections; if so, the other one has as long as
  /// a host may be silent to come to its end too.
  void checkPeer(uint64_t now);
  void beginEnd() override;

 private:
  TcpLink() = default;
  void drain();
  bool drainHello();
  uint64_t room() const;
  bool admit();

  uint32_t slot_ = 0;
  uint64_t incarnation_ = 0;
  Hello hello_{};
  size_t helloLeft_ = 0;
  base::FileDescriptor outbound_;
  base::FileDescriptor inbound_;
  std::unique_ptr<RingMemory> outRing_;
  std::unique_ptr<RingMemory> inRing_;
  uint64_t endsAtNs_ = 0;   // Ending does
  bool inputOver_ = false;  // the peer's connection has ended, and been read to its end
  uint64_t received_ = 0;   // bytes in the inbound ring, the last packet perhaps incomplete
};

}  // namespace verbena::softnic
