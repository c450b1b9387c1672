// SPDX-License-Identifier: Apache-2.0
//
// Where ports listen on TCP, and sockets that do not block.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "softnic/memory/port_memory.h"

namespace verbena::softnic {

/// TCP takes a connection for broken when bytes have not been acknowledged for so long.
inline constexpr int kPeerSilentMs = 10'000;

/// Where a port listens: "ADDRESS[:PORT[-LAST]]", at PORT + slot. A socket address of IPv6, or of
/// IPv4 as a mapped one. All ports that are to reach each other have the same PORT, because a GID
/// and a queue pair's number say the address and the slot alone.
struct TcpPlace {
  in6_addr address{};
  uint16_t basePort = 0;
  uint32_t ports = 0;  // so many from basePort on

  /// Nothing if the text is no place.
  static std::optional<TcpPlace> parse(const std::string& text);
  ibv_gid gid() const;
};

/// A listening socket. Empty and errno on failure: EADDRNOTAVAIL for a slot that has no port.
base::FileDescriptor listenAt(const TcpPlace& place, uint32_t slot);

/// A connection that is being made, from an address of this host. Empty and errno on failure.
base::FileDescriptor dialTcp(const ibv_gid& from, const ibv_gid& to, uint32_t port);

/// Whether the far side has closed the connection, or it is broken; bytes may still be unread.
bool hungUp(const base::FileDescriptor& socket);

/// Sends what the socket takes. 0 for nothing now, -1 and errno for never again.
ssize_t sendSome(const base::FileDescriptor& socket, const void* bytes, size_t count);
/// Takes what has arrived. 0 for nothing now, -1 for never again: errno, 0 where the far side has
/// ended the connection in order.
ssize_t receiveSome(const base::FileDescriptor& socket, void* into, size_t count);

}  // namespace verbena::softnic
