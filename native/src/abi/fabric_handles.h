// SPDX-License-Identifier: Apache-2.0
//
// What the handles of one-sided memory stand for.
#pragma once

#include <memory>
#include <string>

#include "abi/boundary.h"
#include "abi/fabric_services.h"
#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "fifo/channels.h"
#include "node/node.h"
#include "ranks/membership.h"
#include "verbena/fabric.h"

namespace verbena::lanes {
class Endpoint;
}

struct vbn_fabric {
  verbena::abi::FabricServices services;
  std::string address{};
  uint64_t ticket = 0;        // of vbn_fabric_arm()
  uint32_t withoutRound = 0;  // calls of vbn_fabric_poll() in a row
  verbena::node::Node* node = nullptr;
  verbena::lanes::Endpoint* endpoint = nullptr;         // whose node it is; null: its own
  std::unique_ptr<verbena::node::Node> own{};           // behind services: it closes every link
  std::unique_ptr<verbena::ranks::Membership> ranks{};  // ends first; null if it is of no job

  verbena::fabric::OneSided& memory() const { return *services.memory; }

  /// Whoever of this node calls does the rounds of all its faces.
  void drive() {
    if (services.channels) {
      services.channels->drive();
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

/// With options that known() has taken in.
base::Result<std::unique_ptr<vbn_fabric>> openFabric(const vbn_fabric_options& given);

/// Throws for null.
inline node::Node& inside(const vbn_fabric* fabric) {
  return *need(fabric, "the fabric").node;
}
inline fabric::Region& inside(const vbn_region* region) {
  return *need(region, "the region").inside;
}

}  // namespace verbena::abi
