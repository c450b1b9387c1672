// SPDX-License-Identifier: Apache-2.0
//
// The kernel's table of network interfaces, of the namespace in which this is made (rtnetlink).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "addresses.h"
#include "base/descriptor.h"
#include "frame.h"

namespace verbena::ip {

struct InterfaceState {
  Mac mac{};
  uint32_t mtu = 0;
  uint64_t dropped = 0;  ///< by the kernel, of what was to be sent: its queue was full
};

/// One thread at a time. Failures are thrown.
class Netlink {
 public:
  Netlink();

  InterfaceState state(int interface) const;
  /// Up, with all of these.
  void bringUp(int interface, const Mac& mac, uint32_t mtu, uint32_t queueLength) const;
  /// One that is there already is let pass.
  void addAddress(int interface, const IpAddress& address) const;
  /// By which interface packets to the address leave; 0: there is no way.
  int wayTo(const IpAddress& address) const;

 private:
  /// The answer's bytes behind its netlink header; none to what is only confirmed.
  std::vector<std::byte> ask(const std::string& operation,
                             std::span<const std::byte> request) const;

  base::FileDescriptor socket_;
};

}  // namespace verbena::ip
