// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>

namespace verbena::verbs {

/// The way from a local port to a remote one, for reliable connections and address handles alike.
struct Path {
  uint8_t localPort = 1;      ///< counts from 1
  uint8_t localGidIndex = 0;  ///< of the GID that packets carry as their source
  bool global = true;         ///< addressed by GID; RoCE always is
  ibv_gid remoteGid{};
  uint16_t remoteLid = 0;  ///< 0 on RoCE, which has no LIDs
  uint8_t serviceLevel = 0;
  uint8_t hopLimit = 64;
  uint8_t trafficClass = 0;
};

inline ibv_ah_attr toAttributes(const Path& path) {
  ibv_ah_attr attributes{};
  attributes.port_num = path.localPort;
  attributes.dlid = path.remoteLid;
  attributes.sl = path.serviceLevel;
  attributes.is_global = path.global ? 1 : 0;
  if (path.global) {
    attributes.grh.dgid = path.remoteGid;
    attributes.grh.sgid_index = path.localGidIndex;
    attributes.grh.hop_limit = path.hopLimit;
    attributes.grh.traffic_class = path.trafficClass;
  }
  return attributes;
}

}  // namespace verbena::verbs
