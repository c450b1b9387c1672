// SPDX-License-Identifier: Apache-2.0
//
// What the handles of one-sided memory stand for.
#pragma once

#include <memory>
#include <string>

#include "abi/boundary.h"
#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "fifo/channels.h"
#include "node/node.h"
#include "ranks/membership.h"
#include "verbena/fabric.h"

struct vbn_fabric {
  verbena::fabric::Owner owner;
  std::string address;
  uint64_t ticket = 0;        // of vbn_fabric_arm()
  uint32_t withoutRound = 0;  // calls of vbn_fabric_poll() in a row
  std::unique_ptr<verbena::fabric::OneSided> memory;
  std::unique_ptr<verbena::fifo::Channels> channels;  // null if none were asked for
  /// Behind these two, which it takes to close every link.
  std::unique_ptr<verbena::node::Node> node;
  std::unique_ptr<verbena::ranks::Membership> ranks;  // ends first; null if it is of no job

  /// Whoever of this node calls does the rounds of all its faces.
  void drive() {
    if (channels) {
      channels->drive();
    } else {
      node->worker().progress();
    }
  }
};

struct vbn_region {
  std::shared_ptr<verbena::fabric::Region> inside;
};

struct vbn_remote {
  verbena::fabric::RegionKey key;
};

namespace verbena::abi {

/// Throws for what the options may not be.
base::Result<std::unique_ptr<vbn_fabric>> openFabric(const vbn_fabric_options& given);
/// What this library knows of somebody's options. Throws.
vbn_fabric_options takeOptions(const vbn_fabric_options* given);

/// Throws for null.
inline node::Node& inside(const vbn_fabric* fabric) {
  return *need(fabric, "the fabric").node;
}
inline fabric::Region& inside(const vbn_region* region) {
  return *need(region, "the region").inside;
}

}  // namespace verbena::abi
