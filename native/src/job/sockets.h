// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netdb.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "job/stream.h"

namespace verbena::job {

/// Where rank 0 is.
struct HostPort {
  std::string host;  ///< name or address
  uint16_t port = 0;

  std::string text() const;
};

/// Listens at an address, or at all of this host if it is empty; at any port if that is 0.
base::Result<base::FileDescriptor> listenAt(const HostPort& at);
uint16_t portOf(const base::FileDescriptor& listener);

/// The address without the port.
std::string hostOf(const sockaddr_storage& address);

/// Connects to one of several addresses before the deadline, by base::monotonicNs(). One that
/// swallows what it is sent leaves the others time. Empty and errno of the last one on failure.
base::FileDescriptor connectToAny(const addrinfo* addresses, uint64_t deadlineNs);

/// Connects before the deadline, by base::monotonicNs(), and within `mostNs` once the name of the
/// host is resolved, which may take its time.
base::Result<base::FileDescriptor> connectTo(const HostPort& to, uint64_t deadlineNs,
                                             uint64_t mostNs = UINT64_MAX);

/// A stream both ways over a connection whose far side is noticed to be gone, even without a word.
base::Result<Stream> streamOver(base::FileDescriptor socket);

}  // namespace verbena::job
