// SPDX-License-Identifier: Apache-2.0
//
// What the handles of one-sided memory stand for.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "abi/boundary.h"
#include "abi/dependents.h"
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
  verbena::base::InUse inUse{};
  verbena::abi::FabricServices services;
  std::string address{};
  verbena::node::Node* node = nullptr;
  verbena::lanes::Endpoint* endpoint = nullptr;         // whose node it is; null: its own
  std::unique_ptr<verbena::node::Node> own{};           // behind services: it closes every link
  std::unique_ptr<verbena::ranks::Membership> ranks{};  // ends first; null if it is of no job
  const std::shared_ptr<verbena::abi::Dependents> dependents =
      std::make_shared<verbena::abi::Dependents>();

  void drive(uint32_t worker) { services.faces[worker].drive(); }
};

struct vbn_region {
  std::shared_ptr<verbena::fabric::Region> inside;
  std::shared_ptr<const verbena::abi::Dependents> fabric;  // whether it is open; the region stays
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
/// Throws where there is none.
template <typename Fabric>
auto& workerOf(Fabric* fabric, uint32_t number) {
  auto& faces = need(fabric, "the fabric").services.faces;
  if (number < faces.size()) return faces[number];
  throw std::invalid_argument("there is no worker " + std::to_string(number) + " of " +
                              std::to_string(faces.size()));
}
inline fabric::Region& inside(const vbn_region* region) {
  return *need(region, "the region").inside;
}

}  // namespace verbena::abi
