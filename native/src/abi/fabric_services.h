// SPDX-License-Identifier: Apache-2.0
//
// What makes a node one of one-sided memory and channels: a node of its own (fabric.cpp), or that
// of an endpoint (endpoint.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "fifo/channels.h"
#include "node/node.h"
#include "verbena/fabric.h"

namespace verbena::abi {

/// What the thread of one worker uses; in lines of its own.
struct alignas(128) WorkerFace {
  uint64_t ticket = 0;        // of arm()
  uint32_t withoutRound = 0;  // calls of poll() in a row
  fabric::Worker* worker = nullptr;
  std::shared_ptr<fabric::OneSided> memory{};
  std::shared_ptr<fifo::Channels> channels{};  ///< null if none were asked for

  /// A round of the worker, whoever of both it is for.
  size_t drive() const { return channels ? channels->drive() : worker->progress(); }
};

/// They outlive the node that they were added to.
struct FabricServices {
  fabric::Owner owner{};
  std::vector<WorkerFace> faces{};  ///< one for each worker

  /// The memory of the worker that drives a link; any where the link is not there.
  fabric::OneSided& memoryOf(uint64_t link) const;
};

/// Takes the structure in. Throws std::invalid_argument for what cannot be, naming it.
vbn_fabric_options known(const vbn_fabric_options* given);
/// How many links they have room for.
uint32_t linksOf(const vbn_fabric_options& options);
/// Before the node starts.
base::Result<FabricServices> addServices(node::Node& node, fabric::Owner owner,
                                         const vbn_fabric_options& options);
/// Takes their links down while the node goes on, and waits for their ends for a second or so.
void endServices(node::Node& node, const FabricServices& services);

}  // namespace verbena::abi
