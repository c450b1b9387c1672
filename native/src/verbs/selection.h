// SPDX-License-Identifier: Apache-2.0
//
// Which device, port and address to use, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verbs/path.h"
#include "verbs/survey.h"

namespace verbena::verbs {

enum class AddressFamily : uint8_t { any, ipv4, ipv6 };

/// What the user has set; the rest is chosen.
struct Wishes {
  std::string device{};           ///< its name, or its provider's; empty for any
  std::optional<uint8_t> port{};  ///< counts from 1
  std::optional<uint8_t> gidIndex{};
  AddressFamily family = AddressFamily::any;
  std::optional<uint16_t> pkey{};  ///< with or without the membership bit
  std::optional<uint8_t> serviceLevel{};
  /// Of the global route's header: over RoCE v2 the IP header's DSCP times 4, and ECN.
  std::optional<uint8_t> trafficClass{};
  std::optional<ibv_mtu> mtu{};
  std::string listen{};  ///< Wiring::listen, of a device in user space
};

/// Everything a connection needs to know of its own side.
struct Selection {
  Device device;
  uint8_t port = 1;
  bool global = true;  ///< addressed by GID; else by LID
  uint16_t lid = 0;    ///< 0 on RoCE
  ibv_gid_entry gid{};
  uint16_t pkeyIndex = 0;
  uint16_t pkey = 0;
  uint8_t serviceLevel = 0;
  uint8_t trafficClass = 0;
  ibv_mtu mtu = IBV_MTU_1024;  ///< the most this side can take
  double gigabitsPerSecond = 0;
  /// One sentence for each decision and for each port that was passed over.
  std::vector<std::string> reasons;

  Path pathTo(const ibv_gid& remoteGid, uint16_t remoteLid) const;
};

/// The fastest usable port of the first provider that has one, with its best address: RoCE v2
/// before v1, IPv4 before IPv6 before link-local. The error of finding none names each port and its
/// hindrance.
base::Result<Selection> select(const Survey& found, const Wishes& wishes = {});

/// What one port offers under the wishes, or why it cannot be used.
base::Result<Selection> selectOn(const DeviceSurvey& device, const PortSurvey& port,
                                 const Wishes& wishes);

}  // namespace verbena::verbs
