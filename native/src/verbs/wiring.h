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
};

/// Of a memory region, beside IBV_ACCESS_REMOTE_WRITE and IBV_ACCESS_REMOTE_ATOMIC: they are also
/// for peers on other hosts that have proved nothing, as nobody can without a key. Who registers
/// the memory decides. Devices of a kernel have no proofs, and are not told.
inline constexpr int kWithoutProof = 1 << 30;

/// The vendor_err of a request that failed with IBV_WC_RETRY_EXC_ERR because the far side has
/// another cluster key, or one of both has none. No device of a kernel says this.
inline constexpr uint32_t kOtherClusterKey = 0x564e'0001;

}  // namespace verbena::verbs
