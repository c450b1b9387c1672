// SPDX-License-Identifier: Apache-2.0
//
// What the handle of an endpoint stands for.
#pragma once

#include <memory>

#include "abi/boundary.h"
#include "abi/fabric_services.h"
#include "lanes/endpoint.h"

struct vbn_endpoint {
  verbena::base::InUse inUse{};
  verbena::abi::FabricServices services{};  // if it has such; the node inside needs them to its end
  bool isShared = false;                    // vbn_endpoint_fabric() was called
  std::unique_ptr<verbena::lanes::Endpoint> inside{};
};

namespace verbena::abi {

/// Throws for null.
inline lanes::Endpoint& inside(const vbn_endpoint* endpoint) {
  return *need(endpoint, "the endpoint").inside;
}

}  // namespace verbena::abi
