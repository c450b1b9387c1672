// SPDX-License-Identifier: Apache-2.0
//
// What the handles of one-sided memory stand for.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "abi/boundary.h"
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
  std::unique_ptr<fabric::OneSided> memory;
};

}  // namespace verbena::abi

struct vbn_fabric {
  verbena::fabric::Owner owner;
  std::string address;
  std::vector<verbena::abi::WorkerFace> faces;        // one for each worker
  std::unique_ptr<verbena::fifo::Channels> channels;  // null if none were asked for
  std::unique_ptr<verbena::node::Node>
      node;  // last: it closes every link, which takes the other two

  /// Whoever calls for a worker does the rounds of all that it drives: channels are the first's.
  void drive(uint32_t worker) {
    if (channels && worker == 0) {
      channels->drive();
    } else {
      faces[worker].worker->progress();
    }
  }
  /// The face of the worker that drives a link; any where the link is not there.
  verbena::fabric::OneSided& memoryOf(uint64_t link) {
    for (size_t i = 1; i < faces.size(); i++) {
      if (faces[i].worker->links().find(link) != nullptr) return *faces[i].memory;
    }
    return *faces.front().memory;
  }
};

struct vbn_region {
  std::shared_ptr<verbena::fabric::Region> inside;
};

struct vbn_remote {
  verbena::fabric::RegionKey key;
};

namespace verbena::abi {

/// Throws for null.
inline node::Node& inside(const vbn_fabric* fabric) {
  return *need(fabric, "the fabric").node;
}
/// Throws where there is none.
template <typename Fabric>
auto& workerOf(Fabric* fabric, uint32_t number) {
  auto& faces = need(fabric, "the fabric").faces;
  if (number < faces.size()) return faces[number];
  throw std::invalid_argument("there is no worker " + std::to_string(number) + " of " +
                              std::to_string(faces.size()));
}
inline fabric::Region& inside(const vbn_region* region) {
  return *need(region, "the region").inside;
}

}  // namespace verbena::abi
