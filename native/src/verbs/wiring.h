// SPDX-License-Identifier: Apache-2.0
//
// What a device in user space has to be told of its own wires. A kernel device has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace verbena::verbs {

struct Wiring {
  /// Where ports of other hosts reach the device: "ADDRESS[:PORT[-LAST]]", IPv6 in brackets before
  /// a port. Empty: as the environment says.
  std::string listen{};
  /// The cluster's secret, proved both ways on every connection between hosts. Empty: nobody proves
  /// anything.
  std::vector<std::byte> key{};
  /// Whether a peer on another host that has proved nothing may write into memory here, where queue
  /// pair and region let it. Who opens the device decides, knowing what is open to whom.
  bool writesWithoutProof = false;
};

/// The vendor_err of a request that failed with IBV_WC_RETRY_EXC_ERR because the far side has
/// another cluster key, or one of both has none. No device of a kernel says this.
inline constexpr uint32_t kOtherClusterKey = 0x564e'0001;

}  // namespace verbena::verbs
