// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace verbena::bench {

/// What the two processes reach each other over, if not what they have in common on one host. One
/// in a process; its folder goes with that.
struct WireOfTcp {
  explicit WireOfTcp(const char* tool);
  WireOfTcp(const WireOfTcp&) = delete;
  WireOfTcp& operator=(const WireOfTcp&) = delete;

  std::string folder;             ///< of one of both; the other one has that of its user
  std::array<uint8_t, 32> key{};  ///< of the cluster: puts over TCP want it

  // Where the softnics are reached, of this process and of the one that it has forked.
  const char* near = "127.0.0.1";
  const char* far = "127.0.0.1";
};

}  // namespace verbena::bench
